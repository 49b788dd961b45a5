import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Request } from '../../../src/core/model/request.ts'
import { LeaseLost } from '../../../src/core/ports/services.ts'
import { again, claimed, connected, newRequest, openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

async function lapsed({ id }: Request): Promise<void> {
  await expect.poll(() => fixture.redis.exists(fixture.keys.lease(id))).toBe(0)
}

describe('A request is held by one worker', () => {
  test('and by nobody when there is none, whose alarm is then switched off', async () => {
    const store = fixture.store()
    await fixture.redis.zadd(fixture.keys.wake, 1, 'gone')
    expect(await store.claim('gone')).toBeNull()
    expect(await store.due(fixture.now, 10)).toEqual([])
  })

  test('for as long as it takes, since the lease is renewed', async () => {
    const store = fixture.store({ leaseMs: 2_000 })
    const held = await claimed(store, newRequest())
    const before = held.until()
    await wait(3_000)
    expect(await fixture.store().claim(held.request.id)).toBeNull()
    expect(held.until()).toBeGreaterThan(before)
  })
})

describe('A worker that is gone', () => {
  test('loses the request when its lease lapses, and another takes over from what was written', async () => {
    const request = newRequest()
    const gone = await claimed(fixture.store({ leaseMs: 200 }), request)
    await gone.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])
    gone.abandon()
    await lapsed(request)
    expect((await again(fixture.store(), request)).request).toMatchObject({ status: 'running' })
  })

  test('that cannot reach storage any more gives up what it holds: nobody can say what was written', async () => {
    const redis = connected()
    const held = await claimed(fixture.store({ redis }), newRequest())
    redis.disconnect()
    await expect(held.move({ ...held.request, status: 'running' }, [{ at: 1, what: 'moved' }])).rejects.toThrow(
      LeaseLost,
    )
    await expect(held.savePosts('{}')).rejects.toThrow(LeaseLost)
    await expect(held.release(null)).rejects.toThrow(LeaseLost)
    await expect(held.refresh()).rejects.toThrow(LeaseLost)
  })
})
