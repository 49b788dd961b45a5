import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { LeaseLost } from '../../../src/core/ports/services.ts'
import { again, claimed, connected, newRequest, openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

describe('The lease of a request', () => {
  test('is refused for an unknown request, which is then no longer due', async () => {
    const store = fixture.store()
    await fixture.redis.zadd(fixture.keys.wake, 1, 'gone')
    expect(await store.claim('gone')).toBeNull()
    expect(await store.due(fixture.now, 10)).toEqual([])
  })

  test('is renewed for as long as the worker needs it', async () => {
    const store = fixture.store({ leaseMs: 2_000 })
    const claim = await claimed(store, newRequest())
    const before = claim.until()
    await wait(3_000)
    expect(await fixture.store().claim(claim.request.id)).toBeNull()
    expect(claim.until()).toBeGreaterThan(before)
  })
})

describe('A worker', () => {
  test('that is gone loses its request when the lease expires, and another one continues it', async () => {
    const request = newRequest()
    const gone = await claimed(fixture.store({ leaseMs: 60_000 }), request)
    await gone.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])
    gone.abandon()
    const lease = fixture.keys.lease(request.id)
    const left = await fixture.redis.pttl(lease)
    expect([left > 0, left <= 60_000]).toEqual([true, true])
    // However slow this machine is, the lease expires only now.
    await fixture.redis.pexpire(lease, 1)
    await expect.poll(() => fixture.redis.exists(lease)).toBe(0)
    expect((await again(fixture.store(), request)).request).toMatchObject({ status: 'running' })
  })

  test('that can’t reach Redis any more gives up its lease, because its writes are uncertain', async () => {
    const redis = connected()
    const claim = await claimed(fixture.store({ redis }), newRequest())
    redis.disconnect()
    await expect(claim.move({ ...claim.request, status: 'running' }, [{ at: 1, what: 'moved' }])).rejects.toThrow(
      LeaseLost,
    )
    await expect(claim.savePosts('{}')).rejects.toThrow(LeaseLost)
    await expect(claim.release(null)).rejects.toThrow(LeaseLost)
    await expect(claim.refresh()).rejects.toThrow(LeaseLost)
  })
})
