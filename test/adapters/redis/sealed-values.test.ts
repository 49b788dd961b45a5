import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { keysOf, tagOf } from '../../../src/adapters/redis/connection/keys.ts'
import { sealsFor, tokenSecretsFor } from '../../../src/adapters/redis/integrity/sealed-values.ts'
import { tokenDigest } from '../../../src/core/policy/programs.ts'
import type { Bound } from '../../../src/core/ports/services.ts'

const redis = new Redis(inject('redisUrl'), { lazyConnect: true })
beforeAll(() => redis.connect())
afterAll(() => redis.disconnect())

const places = keysOf(tagOf(`t${randomBytes(6).toString('hex')}`, 'default'))

beforeEach(() => redis.del(places.seal('r1:env')))

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const of: Bound = { request: 'r1', endpoint: 'ep-llm', actor: { team: 'T1', user: 'U0ANA' }, field: 'env' }
const hour = 3_600_000
const entries = [{ key: 'DB_URL', value: 'canary-database-url' }]

function keyed(current: Buffer, previous?: Buffer) {
  return { key: { current: { reveal: () => current }, earlier: previous ? [{ reveal: () => previous }] : [] } }
}

function sealed(current: Buffer, previous?: Buffer, project = 'default') {
  return sealsFor(keyed(current, previous), redis, places, project)!
}

test('a seal opens only for its endpoint, person, project and key', async () => {
  const seals = sealed(oldKey)
  await seals.seal(of, entries, hour)
  expect(await seals.open(of)).toEqual(entries)
  const others: readonly Partial<Bound>[] = [
    { endpoint: 'ep-other' },
    { actor: { team: 'T1', user: 'U0BEN' } },
    { actor: { team: 'T2', user: 'U0ANA' } },
  ]
  for (const other of others) expect(await seals.open({ ...of, ...other })).toBeNull()
  expect(await sealed(oldKey, undefined, 'another').open(of)).toBeNull()
  expect(await sealed(newKey).open(of)).toBeNull()
})

test('a seal that is moved to another request or changed by one bit does not open', async () => {
  const seals = sealed(oldKey)
  await seals.seal(of, entries, hour)
  const text = (await redis.get(places.seal('r1:env')))!
  await redis.set(places.seal('r2:env'), text)
  expect(await seals.open({ ...of, request: 'r2' })).toBeNull()
  const bytes = Buffer.from(text, 'base64')
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    await redis.set(places.seal('r1:env'), changed.toString('base64'))
    expect(await seals.open(of)).toBeNull()
  }
})

test('values sealed with the old key open while it is listed after the new one', async () => {
  await sealed(oldKey).seal(of, entries, hour)
  expect(await sealed(newKey, oldKey).open(of)).toEqual(entries)
})

test('a form that is sent again because its first reply was lost is accepted', async () => {
  const seals = sealed(oldKey)
  await seals.seal(of, entries, hour)
  expect(await seals.seal(of, entries, hour)).toBe(true)
  expect(await seals.seal(of, [...entries, { key: 'PIN', value: '1234' }], hour)).toBe(false)
})

test('values are deleted on request and expire by themselves', async () => {
  const seals = sealed(oldKey)
  await seals.seal(of, entries, hour)
  expect(await redis.pttl(places.seal('r1:env'))).toBeGreaterThan(hour - 60_000)
  await seals.forget('r1', 'env')
  expect(await seals.open(of)).toBeNull()
})

test('the first of two submissions of one form keeps its values, and the second is told so', async () => {
  const seals = sealed(oldKey)
  const twice = { ...of, request: 'r-twice' }
  const sent = [entries, [{ key: 'DB_URL', value: 'canary-other-url' }]].map((one) => seals.seal(twice, one, hour))
  expect(await Promise.all(sent)).toEqual([true, false])
  expect(await seals.open(twice)).toEqual(entries)
})

test('a seal lives as long as requested', async () => {
  const seals = sealed(oldKey)
  await seals.seal({ ...of, request: 'r-long' }, entries, 7 * 24 * hour)
  expect(await redis.pttl(places.seal('r-long:env'))).toBeGreaterThan(7 * 24 * hour - 60_000)
})

test('the lengths of sealed values are known, so that other lengths need no digest', async () => {
  const seals = sealed(oldKey)
  await seals.seal({ ...of, request: 'r-length' }, entries, hour)
  const known = await seals.known()
  expect([known.lengths?.has('canary-database-url'.length), known.lengths?.has(500)]).toEqual([true, false])
})

test('neither a value nor its name is in Redis in clear text, and a value is recognized by its digest', async () => {
  const seals = sealed(oldKey)
  await seals.seal(of, [...entries, { key: 'PIN', value: '1234' }], hour)
  const stored = `${await redis.get(places.seal('r1:env'))} ${(await redis.smembers(places.sealed)).join(' ')}`
  expect(stored).not.toContain('canary')
  expect(Buffer.from(stored, 'base64').toString('latin1')).not.toContain('DB_URL')
  const known = await seals.known()
  expect([known('canary-database-url'), known('1234'), known('another-long-value')]).toEqual([true, false, false])
  expect((await sealed(newKey, oldKey).known())('canary-database-url')).toBe(true)
})

test('each long word of a value with spaces is recognized', async () => {
  const seals = sealed(oldKey)
  await seals.seal(of, [{ key: 'DSN', value: 'host=db-canary\tpassword=of-canary a pin' }], hour)
  const known = await seals.known()
  expect(['host=db-canary', 'password=of-canary', 'pin'].map(known)).toEqual([true, true, false])
})

test('without a key there are no seals', () => {
  expect(sealsFor({}, redis, places, 'default')).toBeNull()
})

test('a token made under an earlier key is shown as it was made', () => {
  const made = tokenSecretsFor(keyed(oldKey), 'default').digestOf('r1')!
  const secret = tokenSecretsFor(keyed(newKey, oldKey), 'default').secretOf('r1', made)!
  expect(tokenDigest(secret)).toBe(made)
  const without = tokenSecretsFor(keyed(newKey), 'default')
  expect([without.secretOf('r1', made), without.digestOf('r1') === made]).toEqual([null, false])
  expect(tokenSecretsFor({}, 'default').digestOf('r1')).toBeNull()
})
