import type { Redis } from 'ioredis'
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { orLeaseLost } from '../../../src/adapters/redis/connection/calls.ts'
import { connectDoor, connectWorker } from '../../../src/adapters/redis/connection/connect.ts'
import { createPace } from '../../../src/adapters/redis/requests/rate-limits.ts'
import type { Request } from '../../../src/core/model/request.ts'
import { type ClaimedRequest, LeaseLost, type Store } from '../../../src/core/ports/services.ts'
import { startProxy, type Wire } from '../../support/proxy.ts'
import { again, claimed, endingWith, newPress, newRequest, openStore, type StoreFixture } from './support.ts'

const target = new URL(inject('redisUrl'))

let fixture: StoreFixture
let wire: Wire
beforeEach(async () => {
  fixture = openStore()
  // Loads every script into Redis, so that each call is one request and one reply.
  await warmUp(fixture.store())
  wire = await startProxy(Number(target.port || 6379), target.hostname)
  return wire.stop
})

async function warmUp(store: Store): Promise<void> {
  const request = newRequest({ endpoint: { id: 'warm', name: 'warm' } })
  const claim = await claimed(store, request)
  await store.press(newPress(request), undefined)
  await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }], { lock: 'take' })
  await claim.savePosts('{}')
  await claim.release(null)
  await claim.refresh()
  await claim.move({ ...request, status: 'failed' }, [{ at: 1, what: 'moved' }], { lock: 'drop', answered: 1 })
  await claim.release(null)
  await store.due(0, 1)
  await createPace(fixture.redis, fixture.keys, { now: () => fixture.now })('C0WARM', true)
}

async function through(connect: typeof connectDoor): Promise<Redis> {
  const redis = connect(`redis://127.0.0.1:${wire.port}`, { warn: () => undefined })
  onTestFinished(() => redis.disconnect())
  await redis.connect()
  return redis
}

const endpoint = { id: 'ep-llm', name: 'my-llm' }

describe('A worker whose reply is lost or refused', () => {
  let store: Store
  let request: Request
  beforeEach(async () => {
    store = fixture.store({ redis: await through(connectWorker) })
    request = newRequest({ endpoint })
    await fixture.store().receive(request, undefined)
  })

  /** Runs `work` and loses the reply to the first script whose arguments contain `named`. */
  async function losing<T>(named: string, work: () => Promise<T>): Promise<T> {
    const lost = wire.loseReply(1, named)
    const [answer] = await Promise.all([work(), lost])
    return answer
  }
  const claim = (): Promise<ClaimedRequest> => again(store, request)
  const running = (): Request => ({ ...request, status: 'running' })

  test('keeps the claim it made, once', async () => {
    const taken = await losing(fixture.keys.lease(request.id), claim)
    expect(taken.starts).toBe(1)
    expect(await fixture.store().claim(request.id)).toBeNull()
    expect(await taken.move(running(), [{ at: 1, what: 'moved' }])).toEqual({ kind: 'moved' })
  })

  test.each(['lateOf', 'settingsOf', 'holderOf', 'lastDone'] as const)(
    'loses its lease when %s is refused',
    async (name) => {
      const redis = await through(connectWorker)
      redis.get = () => Promise.reject(new Error('READONLY You can’t write against a read only replica.'))
      await expect(fixture.store({ redis })[name](endpoint.id)).rejects.toThrow(LeaseLost)
    },
  )

  test.each([
    'Command timed out',
    'Connection is closed.',
    'read ECONNRESET',
    'LOADING Redis is loading the dataset in memory',
    'Reached the max retries per request limit (which is 1). Refer to "maxRetriesPerRequest" option for details.',
  ])('loses its lease when Redis can’t be asked: %s', async (message) => {
    await expect(orLeaseLost(Promise.reject(new Error(message)))).rejects.toThrow(
      new LeaseLost('The storage gave no answer, or refused.'),
    )
  })

  test('gets an error of our own code unchanged', async () => {
    const redis = await through(connectWorker)
    const asked = fixture.store({ redis })
    await fixture.redis.lpush(fixture.keys.late(endpoint.id), 'no text')
    await expect(asked.lateOf(endpoint.id)).rejects.toThrow(/^WRONGTYPE/)
    redis.get = () => Promise.reject(new TypeError('A fault of ours: READONLY'))
    await expect(asked.holderOf(endpoint.id)).rejects.toThrow(TypeError)
  })

  test('learns that another worker has claimed the request, and that worker has to look again', async () => {
    const first = await again(fixture.store(), request)
    expect(await losing(fixture.keys.lease(request.id), () => store.claim(request.id))).toBeNull()
    expect(await first.release(null)).toBe(false)
  })

  test('learns that its move was made, and made once', async () => {
    const taken = await claim()
    const event = { at: 1, what: 'running' }
    const moved = await losing(fixture.keys.presses(request.id), () => taken.move(running(), [event], { lock: 'take' }))
    expect(moved).toEqual({ kind: 'moved' })
    expect(taken).toMatchObject({ version: 2, request: running() })
    expect(await fixture.redis.hget(fixture.keys.request(request.id), 'version')).toBe('2')
    expect(await store.eventsOf(request.id)).toEqual([event])
    expect(await fixture.redis.get(fixture.keys.lock(endpoint.id))).toBe(request.id)
    expect(await taken.move({ ...running(), nextAt: 5 }, [])).toEqual({ kind: 'moved' })
  })

  test('does not answer the same presses twice', async () => {
    const presses = [newPress(request), newPress(request), newPress(request)]
    for (const press of presses) await fixture.store().press(press, undefined)
    const taken = await claim()
    await losing(fixture.keys.presses(request.id), () =>
      taken.move(running(), [{ at: 1, what: 'moved' }], { answered: 1 }),
    )
    await taken.refresh()
    expect(taken.presses).toEqual(presses.slice(1))
  })

  test('writes its records and their audit entry once', async () => {
    const before = await store.audit.head()
    const freeze = { kind: 'freeze', by: request.actor, at: 1, until: null } as const
    await losing(fixture.keys.records, () => store.write({ put: [freeze] }, [{ at: 1, what: 'frozen' }]))
    await store.write({}, [{ at: 2, what: 'told' }])
    expect([...(await fixture.store().records()).keys()]).toEqual(['freeze'])
    expect(await fixture.store().audit.verify([])).toMatchObject({ well: true, head: { seq: before.seq + 2 } })
  })

  test('makes each of several moves in flight once, with their entries in one chain', async () => {
    const taken = await claim()
    const others = await Promise.all(Array.from({ length: 5 }, () => claimed(store, newRequest())))
    const event = { at: 1, what: 'looked' }
    const before = await store.audit.head()
    await losing(fixture.keys.presses(request.id), () =>
      Promise.all([taken, ...others].map((one) => one.move({ ...one.request, nextAt: 9 }, [event]))),
    )
    expect([taken, ...others].map(({ version }) => version)).toEqual([2, 2, 2, 2, 2, 2])
    expect(await store.audit.verify([])).toMatchObject({ well: true, head: { seq: before.seq + 6 } })
  })

  test('learns that it lost the endpoint to another request', async () => {
    const other = newRequest({ endpoint })
    const winner = await claimed(fixture.store(), other)
    await winner.move({ ...other, status: 'running' }, [{ at: 1, what: 'moved' }], { lock: 'take' })
    const taken = await claim()
    const moved = await losing(fixture.keys.presses(request.id), () =>
      taken.move(running(), [{ at: 1, what: 'moved' }], { lock: 'take' }),
    )
    expect(moved).toEqual({ kind: 'taken', by: other.id })
    expect(taken.version).toBe(1)
  })

  test('keeps its saved posts', async () => {
    const taken = await claim()
    await losing('{"byKey":{}}', () => taken.savePosts('{"byKey":{}}'))
    expect(await store.postsOf(request.id)).toBe('{"byKey":{}}')
  })

  test('has released the request all the same', async () => {
    const taken = await claim()
    expect(await losing(fixture.keys.wake, () => taken.release(fixture.now + 500))).toBe(true)
    expect(await store.due(fixture.now + 500, 10)).toEqual([request.id])
    await again(fixture.store(), request)
  })

  test('leaves a released request to the worker that has claimed it meanwhile', async () => {
    const taken = await claim()
    wire.hold('replies')
    const released = taken.release(null)
    await expect.poll(() => fixture.redis.exists(fixture.keys.lease(request.id))).toBe(0)
    const next = await again(fixture.store(), request)
    wire.reset()
    await wire.pass()
    expect(await released).toBe(true)
    expect(await next.move(running(), [{ at: 1, what: 'moved' }])).toEqual({ kind: 'moved' })
  })

  test('still holds a request whose release was refused, and has to look at it again', async () => {
    const taken = await claim()
    const press = newPress(request)
    await fixture.store().press(press, undefined)
    expect(await losing(fixture.keys.wake, () => taken.release(null))).toBe(false)
    expect(await fixture.store().claim(request.id)).toBeNull()
    await taken.refresh()
    expect(taken.presses).toEqual([press])
    expect(await taken.release(null)).toBe(true)
  })

  test('refreshes to the newest state and keeps the claim', async () => {
    const taken = await claim()
    const press = newPress(request)
    await fixture.store().press(press, undefined)
    await losing(fixture.keys.lease(request.id), () => taken.refresh())
    expect(taken).toMatchObject({ presses: [press], starts: 1, version: 1 })
    expect(await taken.release(null)).toBe(true)
  })

  test('is given due requests again one lease later', async () => {
    fixture.now += 3_000
    const soon = fixture.now
    expect(await losing(fixture.keys.wake, () => store.due(soon, 10))).toEqual([])
    expect(await store.due(soon + 30_000, 10)).toEqual([request.id])
  })

  test('loses at most one message of a channel’s pace', async () => {
    const pace = createPace(await through(connectWorker), fixture.keys, { now: () => fixture.now })
    expect(await losing(fixture.keys.pace('C0OPS'), () => pace('C0OPS', true))).toBe(0)
    expect(await Promise.all([1, 2, 3].map(() => pace('C0OPS', true)))).toEqual([0, 0, 0])
  })
})

describe('A door', () => {
  let redis: Redis
  let store: Store
  beforeEach(async () => {
    redis = await through(connectDoor)
    store = fixture.store({ redis })
  })

  test('whose reply is lost never says that nothing was stored, and stores the request once', async () => {
    const request = newRequest()
    const lost = wire.loseReply(1, fixture.keys.request(request.id))
    const received = await store.receive(request, undefined)
    await lost
    expect(['known', 'perhaps']).toContain(received.kind)
    expect(await fixture.store().load(request.id)).toEqual(request)
    expect(await fixture.redis.hget(fixture.keys.request(request.id), 'version')).toBe('1')
  })

  test('whose reply to a press is lost stores the press once', async () => {
    const request = newRequest()
    await store.receive(request, undefined)
    const press = newPress(request)
    const lost = wire.loseReply(1, fixture.keys.press(press.id))
    const received = await store.press(press, undefined)
    await lost
    expect(['known', 'perhaps']).toContain(received.kind)
    expect(await fixture.redis.lrange(fixture.keys.presses(request.id), 0, -1)).toEqual([
      expect.stringMatching(endingWith(JSON.stringify({ format: 1, ...press }))),
    ])
  })

  test('that gets no reply in time answers “perhaps”', async () => {
    const request = newRequest()
    wire.hold('replies')
    expect(await store.receive(request, undefined)).toEqual({ kind: 'perhaps' })
    expect(await fixture.store().load(request.id)).toEqual(request)
    await wire.pass()
  })

  test('whose command is delayed stores nothing once it has given up', async () => {
    const request = newRequest()
    const hurried = fixture.store({ redis, skew: 0 })
    wire.hold('requests')
    expect(await hurried.receive(request, undefined)).toEqual({ kind: 'perhaps' })
    await wire.pass()
    await redis.ping()
    expect(await fixture.store().load(request.id)).toBeNull()
    expect(await fixture.redis.exists(fixture.keys.request(request.id))).toBe(0)
  })

  test('without a connection says at once that nothing was stored', async () => {
    await wire.cut()
    await expect.poll(() => redis.status).not.toBe('ready')
    expect(await store.receive(newRequest(), undefined)).toEqual({ kind: 'nothing', why: 'away' })
    expect(await store.press(newPress(newRequest()), undefined)).toEqual({ kind: 'nothing', why: 'away' })
  })
})
