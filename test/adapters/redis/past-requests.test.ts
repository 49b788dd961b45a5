import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Keys, keysOf, tagOf } from '../../../src/adapters/redis/connection/keys.ts'
import { signerFor } from '../../../src/adapters/redis/integrity/sign.ts'
import { createStore } from '../../../src/adapters/redis/requests/store.ts'
import type { Request } from '../../../src/core/model/request.ts'
import type { Store } from '../../../src/core/ports/services.ts'
import { commands } from '../../../src/features/command-table.ts'
import { createLog } from '../../../src/log.ts'
import { unhurried } from './support.ts'

const day = 24 * 3_600_000
let now = 1_000 * day
let redis: Redis
let keys: Keys
let store: Store

beforeEach(() => {
  redis = new Redis(inject('redisUrl'))
  const tag = tagOf(`t${randomBytes(6).toString('hex')}`, 'default')
  keys = keysOf(tag)
  const clock = { now: () => now, monotonic: () => performance.now() }
  store = createStore({
    commands,
    redis,
    keys,
    project: 'default',
    signer: signerFor({}, tag),
    clock,
    leaseMs: 10_000,
    skew: () => unhurried,
    log: createLog({ level: 'silent' }),
  })
})
afterEach(() => redis.disconnect())

async function over(id: string, kind: Request['kind'] = 'operation'): Promise<void> {
  const request: Request = {
    id,
    project: 'default',
    kind,
    line: kind === 'query' ? 'list' : 'stop my-llm',
    actor: { team: 'T0', user: 'U0ANA' },
    place: { channel: 'C0OPS' },
    receivedAt: now,
    status: 'received',
    notes: [],
    nextAt: null,
  }
  await store.receive(request, undefined)
  const claim = await store.claim(id)
  const ending = { at: now, says: 'Done.' }
  await claim?.move({ ...request, status: 'succeeded', ending }, [{ at: now, what: 'succeeded', detail: 'Done.' }])
  await claim?.release(null)
}

async function idsSince(since: number, skip = 0, most = 10): Promise<readonly string[]> {
  return (await store.past(since, skip, most)).requests.map(({ id }) => id)
}

test('requests that ended more than 90 days ago leave the index when another one ends', async () => {
  await over('r1')
  now += 91 * day
  await over('r2')
  expect(await redis.zrange(keys.past, '0', '-1')).toEqual(['r2'])
})

test('a request whose record is gone is skipped', async () => {
  await over('r1')
  await over('r2')
  await redis.del(keys.request('r2'))
  expect(await idsSince(0)).toEqual(['r1'])
})

test('the files of an answer are stored and expire', async () => {
  await store.keepFiles('q1', ['first', 'second'])
  expect([await store.fileOf('q1', 0), await store.fileOf('q1', 1), await store.fileOf('q1', 2)]).toEqual([
    'first',
    'second',
    null,
  ])
  expect(await redis.pttl(keys.file('q1:0'))).toBeGreaterThan(0)
})
