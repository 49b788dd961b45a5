import { beforeEach, describe, expect, test } from 'vitest'
import type { Segment } from '../../../src/core/model/reading.ts'
import type { WatchedEndpoint } from '../../../src/core/ports/endpoint-use.ts'
import { openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

const minute = 60_000
const evidence = { servers: ['vLLM'], requests: 0, open: 0, replicas: 1, seen: 1, logs: 0 }

/** Segments `from` to `to` of an endpoint that is quiet and busy in turn, 20 min each. */
function watched(from: number, to: number): WatchedEndpoint {
  const segments = Array.from({ length: to - from }, (_, at): Segment => {
    const nth = from + at
    const state = nth % 2 === 0 ? 'quiet' : 'busy'
    return { state, why: state, evidence, from: nth * 20 * minute, to: (nth + 1) * 20 * minute }
  })
  return { at: to * 20 * minute, kept: { nth: to }, segments }
}

describe('The usage history of an endpoint', () => {
  test('is read completely, however much of it was archived', async () => {
    const store = fixture.store()
    for (let to = 1; to <= 200; to += 1) {
      const before = (await store.watched()).get('ep-llm')
      const [last] = watched(to - 1, to).segments
      const segments = [...(before?.segments ?? []), ...(last === undefined ? [] : [last])]
      await store.keepWatched(new Map([['ep-llm', { ...watched(0, to), segments }]]))
    }
    expect(await fixture.store().watchedOf('ep-llm')).toEqual(watched(0, 200))
    const { segments = [] } = (await store.watched()).get('ep-llm') ?? {}
    expect(segments.length).toBeGreaterThanOrEqual(16)
    expect(segments.length).toBeLessThanOrEqual(48)
  })

  test('is archived once, even if a process dies between the two writes', async () => {
    const store = fixture.store()
    await store.keepWatched(new Map([['ep-llm', watched(0, 48)]]))
    const before = await fixture.redis.hget(fixture.keys.readings, 'ep-llm')
    await store.keepWatched(new Map([['ep-llm', watched(0, 49)]]))
    await fixture.redis.hset(fixture.keys.readings, 'ep-llm', before ?? '')
    expect((await store.watchedOf('ep-llm'))?.segments).toEqual(watched(0, 48).segments)
    await store.keepWatched(new Map([['ep-llm', watched(0, 50)]]))
    expect((await store.watchedOf('ep-llm'))?.segments).toEqual(watched(0, 50).segments)
  })

  test('drops segments after a month, and is removed when nobody watches the endpoint any more', async () => {
    const store = fixture.store()
    const month = 30 * 72
    await store.keepWatched(new Map([['ep-llm', watched(0, 60)]]))
    await store.keepWatched(new Map([['ep-llm', watched(month, month + 49)]]))
    expect((await store.watchedOf('ep-llm'))?.segments[0]?.from).toBe(month * 20 * minute)
    await store.keepWatched(new Map([['ep-llm', null]]))
    expect(await store.watchedOf('ep-llm')).toBeNull()
    expect(await fixture.redis.exists(fixture.keys.readings, fixture.keys.older)).toBe(0)
  })

  test('is rejected if it was changed in Redis', async () => {
    const store = fixture.store()
    await store.keepWatched(
      new Map([
        ['ep-llm', watched(0, 60)],
        ['ep-tts', watched(0, 60)],
      ]),
    )
    const other = await fixture.redis.hget(fixture.keys.older, 'ep-tts')
    await fixture.redis.hset(fixture.keys.older, 'ep-llm', other ?? '')
    await expect(store.watchedOf('ep-llm')).rejects.toThrow()
    await expect(store.watchedOf('ep-tts')).resolves.toBeTruthy()
  })
})
