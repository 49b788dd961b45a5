import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Request } from '../../src/domain/request.ts'
import { LeaseLost } from '../../src/lifecycle/ports.ts'
import { again, claimed, connected, type House, newPress, newRequest, openHouse } from './support.ts'

let house: House
beforeEach(() => {
  house = openHouse()
})

async function lapsed({ id }: Request): Promise<void> {
  await expect.poll(() => house.redis.exists(house.keys.lease(id)), { timeout: 10_000 }).toBe(0)
}

describe('A request is held by one worker', () => {
  test('of many that come for it at once', async () => {
    const workers = Array.from({ length: 10 }, () => house.store())
    const request = newRequest()
    await workers[0]?.receive(request, undefined)
    const found = await Promise.all(workers.map((worker) => worker.claim(request.id)))
    const holders = found.filter((held) => held !== null)
    expect(holders).toHaveLength(1)
    holders[0]?.abandon()
  })

  test('until it is put down, and then by the next', async () => {
    const [one, other] = [house.store(), house.store()]
    const request = newRequest()
    const held = await claimed(one, request)
    expect(await held.release(null)).toBe(true)
    expect((await again(other, request)).request).toEqual(request)
  })

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

describe('Somebody who came while it was held', () => {
  test('is not forgotten: it cannot be put down before it was looked at again', async () => {
    const [one, other] = [house.store(), house.store()]
    const held = await claimed(one, newRequest())
    expect(await other.claim(held.request.id)).toBeNull()
    expect(await held.release(null)).toBe(false)
    expect(await other.claim(held.request.id)).toBeNull()
    await held.refresh()
    expect(await held.release(null)).toBe(true)
    await again(other, held.request)
  })

  test('with an answer is heard even when nobody was woken for it', async () => {
    const store = house.store()
    const request = newRequest()
    const held = await claimed(store, request)
    const press = newPress(request)
    await house.store().press(press, undefined)
    expect(held.presses).toEqual([])
    expect(await held.release(null)).toBe(false)
    await held.refresh()
    expect(held.presses).toEqual([press])
  })

  test('between the end of a look and putting down costs one more look, and no alarm', async () => {
    const store = house.store()
    const request = newRequest()
    const held = await claimed(store, request)
    await house.store().press(newPress(request), undefined)
    await held.release(null)
    await held.refresh()
    await held.release(null)
    expect(await store.due(house.now + 3_600_000, 10)).toEqual([])
  })
})

describe('A worker that is gone', () => {
  test('loses the request when its lease lapses, and another takes over from what was written', async () => {
    const request = newRequest()
    const gone = await claimed(house.store({ leaseMs: 200 }), request)
    await gone.move({ ...request, status: 'running' }, [])
    gone.abandon()
    await lapsed(request)
    expect((await again(house.store(), request)).request).toMatchObject({ status: 'running' })
  })

  test('that comes back can change nothing any more, and takes nothing from the new holder', async () => {
    const request = newRequest()
    const gone = await claimed(house.store({ leaseMs: 200 }), request)
    gone.abandon()
    const next = house.store()
    await lapsed(request)
    const held = await again(next, request)
    await expect(gone.move({ ...request, status: 'running' }, [])).rejects.toThrow(LeaseLost)
    await expect(gone.savePosts('{}')).rejects.toThrow(LeaseLost)
    await expect(gone.refresh()).rejects.toThrow(LeaseLost)
    expect(await gone.release(null)).toBe(true)
    expect(await house.store().claim(request.id)).toBeNull()
    expect(await held.move({ ...request, status: 'running' }, [])).toEqual({ kind: 'moved' })
    expect(held.posts).toBeNull()
  })

  test('that comes back first cannot write either: what it held may have lapsed meanwhile', async () => {
    const request = newRequest()
    const gone = await claimed(house.store({ leaseMs: 200 }), request)
    gone.abandon()
    await lapsed(request)
    await expect(gone.move({ ...request, status: 'running' }, [])).rejects.toThrow(LeaseLost)
    expect(await house.store().load(request.id)).toEqual(request)
  })

  test('that cannot reach storage any more gives up what it holds: nobody can say what was written', async () => {
    const redis = connected()
    const held = await claimed(house.store({ redis }), newRequest())
    redis.disconnect()
    await expect(held.move({ ...held.request, status: 'running' }, [])).rejects.toThrow(LeaseLost)
    await expect(held.savePosts('{}')).rejects.toThrow(LeaseLost)
    await expect(held.release(null)).rejects.toThrow(LeaseLost)
    await expect(held.refresh()).rejects.toThrow(LeaseLost)
  })

  test('is found out by the sweep once its lease can have lapsed', async () => {
    const store = house.store({ leaseMs: 30_000 })
    const held = await claimed(store, newRequest())
    expect(await store.due(house.now + 29_999, 10)).toEqual([])
    expect(await store.due(house.now + 30_000, 10)).toEqual([held.request.id])
  })

  test('over and over is counted, until something moves or it is put down', async () => {
    const request = newRequest()
    const store = house.store()
    await store.receive(request, undefined)
    async function takenUp(): Promise<number> {
      const held = await again(store, request)
      held.abandon()
      await house.redis.del(house.keys.lease(request.id))
      return held.starts
    }
    expect([await takenUp(), await takenUp(), await takenUp()]).toEqual([1, 2, 3])
    const held = await again(store, request)
    await held.move(request, [])
    held.abandon()
    await house.redis.del(house.keys.lease(request.id))
    expect(await takenUp()).toBe(1)
    await (await again(store, request)).release(null)
    expect(await takenUp()).toBe(1)
  })
})

describe('Alarms', () => {
  test('are given to one caller each, and again only after a lease', async () => {
    const store = house.store({ leaseMs: 30_000 })
    const ids = Array.from({ length: 40 }, (_, at) => `r${at}`)
    for (const id of ids) await store.receive(newRequest({ id }), undefined)
    house.now += 3_000
    const stores = Array.from({ length: 8 }, () => house.store({ leaseMs: 30_000 }))
    const given = (await Promise.all(stores.map((one) => one.due(house.now, 10)))).flat()
    expect(given).toHaveLength(40)
    expect(new Set(given)).toEqual(new Set(ids))
    expect(await store.due(house.now + 29_999, 100)).toEqual([])
    expect(await store.due(house.now + 30_000, 100)).toHaveLength(40)
  })

  test('come in the order of their times, and no more than asked for', async () => {
    const store = house.store()
    for (const [id, at] of [
      ['late', 300],
      ['early', 100],
      ['middle', 200],
    ] as const) {
      const held = await claimed(store, newRequest({ id }))
      await held.release(house.now + at)
    }
    expect(await store.due(house.now + 99, 10)).toEqual([])
    expect(await store.due(house.now + 1_000, 2)).toEqual(['early', 'middle'])
    expect(await store.due(house.now + 1_000, 2)).toEqual(['late'])
  })

  test('are off for what is put down for good', async () => {
    const store = house.store()
    const held = await claimed(store, newRequest())
    await held.release(null)
    expect(await store.due(house.now + 1e12, 10)).toEqual([])
  })
})
