import { beforeEach, describe, expect, test } from 'vitest'
import { createPace } from '../../../src/adapters/redis/requests/rate-limits.ts'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import { openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

describe('The stored list of endpoints', () => {
  const llm: Endpoint = {
    id: 'ep-llm',
    name: 'my-llm',
    active: true,
    status: 'RUNNING',
    replicas: 3,
    tags: ['prod'],
    url: 'https://a.b',
  }

  test('is shared by all processes and keeps only what people are shown', async () => {
    const store = fixture.store()
    expect(await store.names()).toBeNull()
    await store.rememberNames([llm, { id: 'ep-2', name: 'ep-2', active: null }], fixture.now)
    const names = {
      at: fixture.now,
      endpoints: [
        { id: 'ep-llm', name: 'my-llm', active: true, status: 'RUNNING', replicas: 3, tags: ['prod'] },
        { id: 'ep-2', name: 'ep-2', active: null },
      ],
    }
    expect(await store.names()).toEqual(names)
    expect(await fixture.store().names()).toEqual(names)
  })

  test('is the newest one, even if a process has read an older one', async () => {
    const [one, other] = [fixture.store(), fixture.store()]
    await one.rememberNames([llm], fixture.now)
    await other.names()
    await one.rememberNames([], fixture.now + 1)
    expect(await other.names()).toEqual({ at: fixture.now + 1, endpoints: [] })
  })

  test('expires when nobody has listed the endpoints for an hour', async () => {
    await fixture.store().rememberNames([llm], fixture.now)
    const life = await fixture.redis.pttl(fixture.keys.names)
    expect(life).toBeGreaterThan(59 * 60_000)
    expect(life).toBeLessThanOrEqual(60 * 60_000)
  })
})

describe('The pace of a channel', () => {
  type Pace = ReturnType<typeof createPace>
  const newPace = (behind = 0): Pace => createPace(fixture.redis, fixture.keys, { now: () => fixture.now - behind })
  let pace: Pace
  beforeEach(() => {
    pace = newPace()
  })

  test('lets five messages of all processes pass at once, and then one a second', async () => {
    const found = await Promise.all(
      [pace, newPace(), newPace()].flatMap((one) => [1, 2, 3, 4].map(() => one('C0OPS', true))),
    )
    expect(found.filter((wait) => wait === 0)).toHaveLength(5)
    expect(new Set(found)).toEqual(new Set([0, 1_000]))
    fixture.now += 900
    expect(await pace('C0OPS', true)).toBe(100)
    fixture.now += 100
    expect(await pace('C0OPS', true)).toBe(0)
    expect(await pace('C0OPS', true)).toBe(1_000)
  })

  test('reserves two messages for questions and ends, so that they overtake progress', async () => {
    const progress = [await pace('C0OPS', false), await pace('C0OPS', false), await pace('C0OPS', false)]
    expect(progress).toEqual([0, 0, 0])
    expect(await pace('C0OPS', false)).toBe(1_000)
    expect(await pace('C0OPS', true)).toBe(0)
    expect(await pace('C0OPS', true)).toBe(0)
    expect(await pace('C0OPS', true)).toBe(1_000)
    expect(await pace('C0OPS', false)).toBe(3_000)
  })

  test('is separate for each channel, and recovers after a rest', async () => {
    for (let times = 0; times < 5; times += 1) await pace('C0OPS', true)
    expect(await pace('C0OTHER', true)).toBe(0)
    fixture.now += 3_600_000
    const found = await Promise.all([1, 2, 3, 4, 5, 6].map(() => pace('C0OPS', true)))
    expect(found).toEqual([0, 0, 0, 0, 0, 1_000])
  })

  test('holds for processes whose clocks differ', async () => {
    const slow = newPace(1_500)
    for (let times = 0; times < 5; times += 1) await pace('C0OPS', true)
    expect(await slow('C0OPS', true)).toBe(2_500)
    fixture.now += 1_000
    expect([await pace('C0OPS', true), await slow('C0OPS', true)]).toEqual([0, 2_500])
  })

  test('is not disturbed when the clock goes back', async () => {
    await pace('C0OPS', true)
    fixture.now -= 3_600_000
    expect(await pace('C0OPS', true)).toBe(0)
  })
})
