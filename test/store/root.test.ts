import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkSigned } from '../../src/adapters/redis/integrity/root.ts'
import { type House, openHouse } from './support.ts'

const [ours, older, other] = [randomBytes(32), randomBytes(32), randomBytes(32)]
let house: House
beforeEach(() => {
  house = openHouse()
})

function isOurs(...secrets: readonly Buffer[]): Promise<boolean> {
  return checkSigned(house.redis, house.keys, house.signer(secrets))
}

/** Something is laid down under a key. */
async function lays(...secrets: readonly Buffer[]): Promise<void> {
  const store = house.store({ secrets })
  const put = [{ kind: 'freeze', at: 1, by: { team: 'T', user: 'U' }, until: null, because: 'x' }] as never
  await store.write({ put }, [{ at: 1, what: 'freeze' }] as never)
}

describe('The key of a process', () => {
  test('is told from another that signed what is stored, and stands beside an older one', async () => {
    await lays(older)
    expect(await isOurs(older)).toBe(true)
    expect(await isOurs(ours, older)).toBe(true)
    expect(await isOurs(other)).toBe(false)
    expect(await isOurs()).toBe(false)
    await lays(ours, older)
    expect(await isOurs(older)).toBe(false)
    expect(await isOurs(ours)).toBe(true)
  })

  test('is told from another also before anything is stored, and changes nothing of what is', async () => {
    expect(await isOurs(ours)).toBe(true)
    expect(await isOurs(other)).toBe(false)
    await lays(ours)
    const root = await house.redis.get(house.keys.root)
    expect(await isOurs(ours)).toBe(true)
    expect(await house.redis.get(house.keys.root)).toBe(root)
    expect((await house.store({ secrets: [ours] }).records()).size).toBe(1)
  })

  test('is not blamed for a root that was tampered with: what stands in the audit is ours', async () => {
    await lays(ours)
    await lays(ours)
    await house.redis.set(house.keys.root, 'x'.repeat(50))
    expect(await isOurs(ours)).toBe(true)
    expect(await isOurs(other)).toBe(false)
  })
})
