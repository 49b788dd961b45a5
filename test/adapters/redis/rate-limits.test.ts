import { beforeEach, describe, expect, test } from 'vitest'
import { startHeartbeat } from '../../../src/adapters/redis/connection/heartbeat.ts'
import type { Request } from '../../../src/core/model/request.ts'
import type { Received } from '../../../src/core/ports/services.ts'
import { claimed, newPress, newRequest, openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

/** Returns the kinds of all keys that the project has stored, such as `request` and `wake`. */
async function kinds(): Promise<readonly string[]> {
  const found = await fixture.redis.keys(`${fixture.tag}*`)
  return found.map((key) => key.slice(fixture.tag.length + 1).split(':')[0] ?? '').toSorted((a, b) => (a < b ? -1 : 1))
}

describe('An incoming line', () => {
  test('is stored as it is', async () => {
    const store = fixture.store()
    const request = newRequest()
    expect(await store.receive(request, 'https://hooks.example/1')).toEqual({ kind: 'stored', workers: false })
    expect(await store.load(request.id)).toEqual(request)
    expect(await store.replyUrlOf(request.id)).toBe('https://hooks.example/1')
    expect(await kinds()).toEqual(['reply', 'request', 'wake'])
  })

  test('that is too late is not stored, because its sender was already told so', async () => {
    const late = fixture.store({ skew: -10_000 })
    const request = newRequest()
    expect(await late.receive(request, 'https://hooks.example/1')).toEqual({ kind: 'nothing', why: 'slow' })
    expect(await kinds()).toEqual([])
  })

  test('is answered with whether a worker is alive', async () => {
    const store = fixture.store()
    expect(await store.receive(newRequest(), undefined)).toEqual({ kind: 'stored', workers: false })
    const leave = await startHeartbeat(fixture.redis, fixture.keys, { role: 'worker', policy: () => 'v1' })
    expect(await store.receive(newRequest(), undefined)).toEqual({ kind: 'stored', workers: true })
    // A killed worker leaves it to expire.
    expect(await fixture.redis.pttl(fixture.keys.heartbeat)).toBeGreaterThan(0)
    await leave()
    expect(await store.receive(newRequest(), undefined)).toEqual({ kind: 'stored', workers: false })
  })

  test('can be answered at its reply URL for half an hour', async () => {
    const request = newRequest()
    await fixture.store().receive(request, 'https://hooks.example/1')
    const life = await fixture.redis.pttl(fixture.keys.reply(request.id))
    expect(life).toBeGreaterThan(29 * 60_000)
    expect(life).toBeLessThanOrEqual(30 * 60_000)
  })
})

describe('The rate limit of a person', () => {
  const ana = { team: 'T0SANDBOX', user: 'U0ANA' }

  /** Sends `count` lines; returns how many were stored, and the answer to the first other one. */
  async function storedOf(count: number, more: Partial<Request>, store = fixture.store({ perMinute: 5 })) {
    const answers: Received[] = []
    for (let n = 0; n < count; n += 1) answers.push(await store.receive(newRequest(more), undefined))
    return {
      stored: answers.filter(({ kind }) => kind === 'stored').length,
      other: answers.find(({ kind }) => kind !== 'stored'),
    }
  }

  test('refuses lines above it and stores nothing of them', async () => {
    const { stored, other } = await storedOf(8, { actor: ana })
    expect([stored, other]).toEqual([5, { kind: 'refused', why: 'person' }])
    expect((await kinds()).filter((kind) => kind === 'request')).toHaveLength(5)
    expect(await fixture.redis.zcard(fixture.keys.wake)).toBe(5)
    expect(await storedOf(1, { actor: { ...ana, user: 'U0BEN' } })).toMatchObject({ stored: 1 })
  })

  test('lets lines in again one by one as time passes', async () => {
    const store = fixture.store({ perMinute: 5 })
    await storedOf(8, {}, store)
    fixture.now += 60_000 / 5
    expect(await storedOf(2, {}, store)).toMatchObject({ stored: 1 })
    fixture.now += 60_000
    expect(await storedOf(8, {}, store)).toMatchObject({ stored: 5 })
  })

  test('is counted by all doors together', async () => {
    const doors = [fixture.store({ perMinute: 5 }), fixture.store({ perMinute: 5 })]
    expect((await storedOf(3, {}, doors[0])).stored + (await storedOf(3, {}, doors[1])).stored).toBe(5)
  })

  test('is counted for a person across the workspaces of an organization', async () => {
    const store = fixture.store({ perMinute: 5 })
    expect(await storedOf(3, { actor: ana }, store)).toMatchObject({ stored: 3 })
    expect(await storedOf(3, { actor: { ...ana, team: 'T0SECOND' } }, store)).toMatchObject({ stored: 2 })
  })

  test('does not count a line that is delivered again', async () => {
    const store = fixture.store({ perMinute: 1 })
    const request = newRequest()
    expect(await store.receive(request, undefined)).toMatchObject({ kind: 'stored' })
    expect(await store.receive(request, undefined)).toMatchObject({ kind: 'known' })
  })

  test('does not apply to answers to open requests, which have a limit of their own', async () => {
    const store = fixture.store({ perMinute: 5 })
    const waiting = newRequest({ actor: { ...ana, user: 'U0BEN' } })
    await store.receive(waiting, undefined)
    await storedOf(8, { actor: ana }, store)
    expect(await store.press(newPress(waiting, { actor: ana }), undefined)).toMatchObject({ kind: 'stored' })
    for (const line of ['cancel my-llm', 'approve my-llm', 'decline my-llm', 'break-glass my-llm because=fire'])
      expect(await store.receive(newRequest({ actor: ana, line }), undefined)).toMatchObject({ kind: 'stored' })
    const presses: Received[] = []
    for (let n = 0; n < 15; n += 1) presses.push(await store.press(newPress(waiting, { actor: ana }), undefined))
    expect(presses.filter(({ kind }) => kind === 'stored')).toHaveLength(10)
    expect(presses.at(-1)).toEqual({ kind: 'refused', why: 'person' })
    expect(await fixture.redis.llen(fixture.keys.presses(waiting.id))).toBe(11)
  })

  test('is separate from the limit of their programs', async () => {
    const store = fixture.store({ perMinute: 4 })
    const program = (token: string) => ({ actor: ana, via: 'program', through: { token, name: token } }) as const
    for (let n = 0; n < 12; n += 1) await storedOf(4, { ...program(`t${n}`), line: 'list', kind: 'query' }, store)
    const late = await storedOf(1, { ...program('late'), line: 'list', kind: 'query' }, store)
    expect(late).toEqual({ stored: 0, other: { kind: 'refused', why: 'project' } })
    expect(await storedOf(8, { actor: ana }, store)).toMatchObject({ stored: 4 })
  })

  test('limits the proposals of a program by the hour as well', async () => {
    const store = fixture.store({ perMinute: 4 })
    const proposing = { actor: ana, via: 'program', through: { token: 't', name: 't' } } as const
    expect(await storedOf(4, proposing, store)).toMatchObject({ stored: 4 })
    fixture.now += 60_000
    expect(await storedOf(4, proposing, store)).toEqual({ stored: 2, other: { kind: 'refused', why: 'hour' } })
    expect(await storedOf(2, { ...proposing, line: 'list', kind: 'query' }, store)).toMatchObject({ stored: 2 })
    fixture.now += 600_000
    expect(await storedOf(2, proposing, store)).toMatchObject({ stored: 1 })
  })

  test('does not apply to lines from their rules', async () => {
    const store = fixture.store({ perMinute: 5 })
    expect(await storedOf(8, { actor: ana, via: 'schedule' }, store)).toMatchObject({ stored: 8 })
    expect(await storedOf(8, { actor: ana, via: 'idle' }, store)).toMatchObject({ stored: 8 })
    expect(await storedOf(8, { actor: ana }, store)).toMatchObject({ stored: 5 })
  })
})

test('A project takes as many lines as ten people may send', async () => {
  const answers: Received[] = []
  for (let n = 0; n < 25; n += 1) {
    const store = fixture.store({ perMinute: 2 })
    answers.push(await store.receive(newRequest({ actor: { team: 'T0SANDBOX', user: `U${n}` } }), undefined))
  }
  expect(answers.filter(({ kind }) => kind === 'stored')).toHaveLength(20)
  expect(answers.at(-1)).toEqual({ kind: 'refused', why: 'project' })
})

test('While Redis is nearly full, queries other than doctor are refused and operations are accepted', async () => {
  const store = fixture.store({ full: true })
  expect(await store.receive(newRequest({ kind: 'query', line: 'list' }), undefined)).toEqual({
    kind: 'refused',
    why: 'storage',
  })
  expect(await kinds()).toEqual([])
  expect(await store.receive(newRequest(), undefined)).toMatchObject({ kind: 'stored' })
  expect(await store.receive(newRequest({ kind: 'query', line: 'doctor' }), undefined)).toMatchObject({
    kind: 'stored',
  })
})

describe('An incoming press', () => {
  test('that is too late is not stored', async () => {
    const request = newRequest()
    await fixture.store().receive(request, undefined)
    const press = newPress(request)
    expect(await fixture.store({ skew: -10_000 }).press(press, 'https://hooks.example/1')).toEqual({
      kind: 'nothing',
      why: 'slow',
    })
    expect(await kinds()).toEqual(['request', 'wake'])
    expect(await fixture.store().press(press, undefined)).toMatchObject({ kind: 'stored' })
  })

  test('on an unknown request is not stored', async () => {
    expect(await fixture.store().press(newPress(newRequest()), undefined)).toEqual({ kind: 'gone' })
    expect(await kinds()).toEqual([])
  })

  test('is remembered for a day', async () => {
    const request = newRequest()
    await fixture.store().receive(request, undefined)
    const press = newPress(request)
    await fixture.store().press(press, undefined)
    const life = await fixture.redis.pttl(fixture.keys.press(press.id))
    expect(life).toBeGreaterThan(23 * 3_600_000)
    expect(life).toBeLessThanOrEqual(24 * 3_600_000)
  })
})

test('every key of a project has its hash tag, so that all of them are in one slot', async () => {
  const store = fixture.store()
  const request = newRequest({ endpoint: { id: 'ep-llm', name: 'my-llm' } })
  const claim = await claimed(store, request)
  await store.press(newPress(request), 'https://hooks.example/1')
  await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'running' }], { lock: 'take' })
  await store.rememberNames([], fixture.now)
  const prefix = fixture.tag.slice(1).split(':')[0] ?? ''
  const all = await fixture.redis.keys(`*${prefix}*`)
  expect(all.length).toBeGreaterThan(7)
  expect(all.filter((key) => !key.startsWith(`{${prefix}:default}:`))).toEqual([])
})
