import { Redis } from 'ioredis'
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Request } from '../../../src/core/model/request.ts'
import { LeaseLost, type Store } from '../../../src/core/ports/services.ts'
import { again, claimed, endingWith, newPress, newRequest, openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
let store: Store
beforeEach(() => {
  fixture = openStore()
  store = fixture.store()
})

const endpoint = { id: 'ep-llm', name: 'my-llm' }

describe('A move', () => {
  test('writes the state, the history and the answered presses together', async () => {
    const request = newRequest()
    const claim = await claimed(store, request)
    const presses = [newPress(request), newPress(request), newPress(request)]
    for (const press of presses) await store.press(press, undefined)
    await claim.refresh()
    const next: Request = { ...request, status: 'awaiting' }
    const events = [
      { at: 1, what: 'answered', detail: 'No.' },
      { at: 2, what: 'awaiting' },
    ]
    expect(await claim.move(next, events, { answered: 2 })).toEqual({ kind: 'moved' })
    expect(claim).toMatchObject({ request: next, version: 2, presses: presses.slice(2) })
    expect(await store.load(request.id)).toEqual(next)
    expect(await store.eventsOf(request.id)).toEqual(events)
    expect(await fixture.redis.lrange(fixture.keys.presses(request.id), 0, -1)).toEqual([
      expect.stringMatching(endingWith(JSON.stringify({ format: 1, ...presses[2] }))),
    ])
  })

  test('keeps every record as written: Lua changes no JSON', async () => {
    const request = newRequest({
      nextAt: Number.MAX_SAFE_INTEGER,
      notes: [],
      progress: [{ sends: [], looks: [] }],
      plan: [
        {
          says: 'stop',
          call: {
            method: 'post',
            path: '/x',
            params: {},
            body: { empty: [], none: null, big: 1e21, small: 1e-7, odd: '\ud800\u2028' },
          },
          goal: 'stopped',
          repeatable: true,
        },
      ],
    })
    const claim = await claimed(store, request)
    const next: Request = { ...request, status: 'running', line: 'stop "\\"“𝕊"' }
    await claim.move(next, [{ at: 1, what: 'moved' }])
    expect(await fixture.redis.hget(fixture.keys.request(request.id), 'text')).toMatch(
      endingWith(JSON.stringify({ format: 2, ...next })),
    )
    expect(await store.load(request.id)).toEqual(next)
    const posts = '{"byKey":{},"empty":[],"detour":9007199254740993}'
    await claim.savePosts(posts)
    expect(await store.postsOf(request.id)).toBe(posts)
    await claim.release(fixture.now)
    expect(await again(fixture.store(), request)).toMatchObject({ request: next, posts })
  })

  test('from an outdated state is refused and changes nothing', async () => {
    const request = newRequest()
    const claim = await claimed(store, request)
    await fixture.redis.hincrby(fixture.keys.request(request.id), 'version', 1)
    await expect(
      claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'x' }], { lock: 'take' }),
    ).rejects.toThrow(LeaseLost)
    await fixture.redis.hincrby(fixture.keys.request(request.id), 'version', -1)
    expect(await store.load(request.id)).toEqual(request)
    expect(await store.audit.head()).toEqual({ seq: 0, mac: '' })
    expect(await store.eventsOf(request.id)).toEqual([])
  })

  test('that reaches Redis several times is made once, and every reply says that it was made', async () => {
    const sent = await recorded()
    const request = newRequest({ endpoint })
    const claim = await claimed(fixture.store({ redis: sent.redis }), request)
    const next: Request = { ...request, status: 'running' }
    await claim.move(next, [{ at: 1, what: 'running' }], { lock: 'take' })
    const [name, ...args] = sent.last()
    await claim.savePosts('{}')
    for (let times = 0; times < 3; times += 1) expect(await fixture.redis.call(name, ...args)).toEqual(['moved'])
    expect(await fixture.redis.hget(fixture.keys.request(request.id), 'version')).toBe('2')
    expect(await store.eventsOf(request.id)).toEqual([{ at: 1, what: 'running' }])
    expect(await claim.move({ ...next, nextAt: 5 }, [])).toEqual({ kind: 'moved' })
  })
})

/** A connection that records its commands, so that a test can send one again unchanged. */
async function recorded(): Promise<{ redis: Redis; last(): [string, ...string[]] }> {
  const commands: [string, ...string[]][] = []
  const redis = new Redis(inject('redisUrl'))
  const send = redis.sendCommand.bind(redis)
  redis.sendCommand = (command, stream) => {
    commands.push([command.name, ...command.args.map(String)])
    return send(command, stream)
  }
  onTestFinished(() => redis.disconnect())
  await redis.ping()
  return {
    redis,
    last() {
      const last = commands.at(-1)
      if (last === undefined) throw new Error('Nothing was sent.')
      return last
    },
  }
}

describe('An endpoint', () => {
  test('stays locked through every move until one lets it go', async () => {
    const request = newRequest({ endpoint })
    const claim = await claimed(store, request)
    const lock = fixture.keys.lock(endpoint.id)
    await claim.move({ ...request, status: 'awaiting' }, [{ at: 1, what: 'moved' }], { lock: 'take' })
    await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])
    await claim.move({ ...request, status: 'awaiting' }, [{ at: 1, what: 'moved' }], { lock: 'take' })
    expect(await fixture.redis.get(lock)).toBe(request.id)
    expect(await fixture.redis.pttl(lock)).toBe(-1)
    await claim.move({ ...request, status: 'expired' }, [{ at: 1, what: 'moved' }], { lock: 'drop' })
    expect(await fixture.redis.exists(lock)).toBe(0)
  })
})

describe('A finished request', () => {
  const minute = 60_000
  const day = 24 * 60 * minute

  test.each<[Request['kind'], number, number]>([
    ['query', 9 * minute, 10 * minute],
    ['operation', 89 * day, 90 * day],
  ])('of kind %s is kept for more than %d and at most %d ms, with its history', async (kind, least, most) => {
    const request = newRequest({ kind, line: kind === 'query' ? 'list' : 'stop my-llm' })
    const claim = await claimed(store, request)
    await claim.move({ ...request, status: 'succeeded' }, [{ at: 1, what: 'succeeded' }])
    await claim.release(null)
    expect(await store.eventsOf(request.id)).toHaveLength(1)
    const life = await fixture.redis.pttl(fixture.keys.request(request.id))
    expect(life).toBeGreaterThan(least)
    expect(life).toBeLessThanOrEqual(most)
  })

  test('has no expiry before it is finished and shown', async () => {
    const request = newRequest()
    const claim = await claimed(store, request)
    const key = fixture.keys.request(request.id)
    expect(await fixture.redis.pttl(key)).toBe(-1)
    await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])
    await claim.release(fixture.now)
    expect(await fixture.redis.pttl(key)).toBe(-1)
    const taken = await again(store, request)
    await taken.move({ ...request, status: 'succeeded' }, [{ at: 1, what: 'moved' }])
    await taken.release(fixture.now + 1_000)
    expect(await fixture.redis.pttl(key)).toBe(-1)
  })

  test('still expires after a late press', async () => {
    const request = newRequest({ status: 'succeeded' })
    const claim = await claimed(store, request)
    await claim.release(null)
    await store.press(newPress(request), undefined)
    const taken = await again(store, request)
    await taken.move(request, [], { answered: 1 })
    await taken.release(null)
    expect(await fixture.redis.pttl(fixture.keys.request(request.id))).toBeGreaterThan(0)
    expect(await fixture.redis.exists(fixture.keys.presses(request.id))).toBe(0)
  })
})
