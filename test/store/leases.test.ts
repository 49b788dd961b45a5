import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Request } from '../../src/core/model/request.ts'
import { LeaseLost } from '../../src/core/ports/services.ts'
import { again, claimed, connected, type House, newRequest, openHouse } from './support.ts'

let house: House
beforeEach(() => {
  house = openHouse()
})

async function lapsed({ id }: Request): Promise<void> {
  await expect.poll(() => house.redis.exists(house.keys.lease(id)), { timeout: 10_000 }).toBe(0)
}

describe('A request is held by one worker', () => {
  test('and by nobody when there is none, whose alarm is then switched off', async () => {
    const store = house.store()
    await house.redis.zadd(house.keys.wake, 1, 'gone')
    expect(await store.claim('gone')).toBeNull()
    expect(await store.due(house.now, 10)).toEqual([])
  })

  test('for as long as it takes, since the lease is renewed', async () => {
    const store = house.store({ leaseMs: 2_000 })
    const held = await claimed(store, newRequest())
    const before = held.until()
    await wait(3_000)
    expect(await house.store().claim(held.request.id)).toBeNull()
    expect(held.until()).toBeGreaterThan(before)
  })
})

describe('A worker that is gone', () => {
  test('loses the request when its lease lapses, and another takes over from what was written', async () => {
    const request = newRequest()
    const gone = await claimed(house.store({ leaseMs: 200 }), request)
    await gone.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])
    gone.abandon()
    await lapsed(request)
    expect((await again(house.store(), request)).request).toMatchObject({ status: 'running' })
  })

  test('that cannot reach storage any more gives up what it holds: nobody can say what was written', async () => {
    const redis = connected()
    const held = await claimed(house.store({ redis }), newRequest())
    redis.disconnect()
    await expect(held.move({ ...held.request, status: 'running' }, [{ at: 1, what: 'moved' }])).rejects.toThrow(
      LeaseLost,
    )
    await expect(held.savePosts('{}')).rejects.toThrow(LeaseLost)
    await expect(held.release(null)).rejects.toThrow(LeaseLost)
    await expect(held.refresh()).rejects.toThrow(LeaseLost)
  })
})
