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
    const gone = await claimed(fixture.store({ leaseMs: 200 }), request)
    await gone.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])
    gone.abandon()
    await lapsed(request)
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
