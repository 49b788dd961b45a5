import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { beginning } from '../../../src/adapters/redis/integrity/chain.ts'
import { checkSigned } from '../../../src/adapters/redis/integrity/records.ts'
import { Tampered } from '../../../src/core/ports/services.ts'
import { openStore, type StoreFixture } from './support.ts'

const [ours, older, other] = [randomBytes(32), randomBytes(32), randomBytes(32)]
let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

function isOurs(...secrets: readonly Buffer[]): Promise<boolean> {
  return checkSigned(fixture.redis, fixture.keys, fixture.signer(secrets))
}

/** Writes a record that is signed with the first of these keys. */
async function lays(...secrets: readonly Buffer[]): Promise<void> {
  const store = fixture.store({ secrets })
  const put = [{ kind: 'freeze', at: 1, by: { team: 'T', user: 'U' }, until: null, because: 'x' }] as never
  await store.write({ put }, [{ at: 1, what: 'freeze' }] as never)
}

describe('The key of a process', () => {
  test('is accepted only if it or a key listed after it signed the stored data', async () => {
    await lays(older)
    expect(await isOurs(older)).toBe(true)
    expect(await isOurs(ours, older)).toBe(true)
    expect(await isOurs(other)).toBe(false)
    expect(await isOurs()).toBe(false)
    await lays(ours, older)
    expect(await isOurs(older)).toBe(false)
    expect(await isOurs(ours)).toBe(true)
  })

  test('is not accepted if another key signed all records, even if it signed the newest entry', async () => {
    await lays(older)
    await fixture.store({ secrets: [ours, older] }).write({}, [{ at: 2, what: 'spent' }])
    expect(await isOurs(ours, older)).toBe(true)
    expect(await isOurs(ours)).toBe(false)
  })

  test('is checked even before anything is stored, and the check changes no data', async () => {
    expect(await isOurs(ours)).toBe(true)
    expect(await isOurs(other)).toBe(false)
    await lays(ours)
    const root = await fixture.redis.get(fixture.keys.root)
    expect(await isOurs(ours)).toBe(true)
    expect(await fixture.redis.get(fixture.keys.root)).toBe(root)
    expect((await fixture.store({ secrets: [ours] }).records()).size).toBe(1)
  })

  test('is not blamed for a root that was tampered with, because the audit is signed with it', async () => {
    await lays(ours)
    await lays(ours)
    await fixture.redis.set(fixture.keys.root, 'x'.repeat(50))
    expect(await isOurs(ours)).toBe(true)
    expect(await isOurs(other)).toBe(false)
  })
})

test('A signature that only resembles the right one is rejected', () => {
  const signer = fixture.signer([ours])
  const stored = signer.sign(['press', 'r1'], 'yes')
  const sameLowByte = String.fromCharCode(stored.charCodeAt(0) + 256)
  expect(() => signer.read(['press', 'r1'], sameLowByte + stored.slice(1))).toThrow(Tampered)
  const link = signer.link(beginning, 'text')
  expect(signer.follows(link, beginning)).toBe(true)
  for (const mac of [`${link.mac}A`, link.mac.slice(0, -1), ''])
    expect(signer.follows({ ...link, mac }, beginning)).toBe(false)
})
