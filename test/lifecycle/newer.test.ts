import { beforeEach, describe, expect, test } from 'vitest'
import { startHeartbeat, versionCheck } from '../../src/adapters/redis/connection/heartbeat.ts'
import type { Protection } from '../../src/core/model/records.ts'
import { type Request, terms } from '../../src/core/model/request.ts'
import type { Services } from '../../src/core/ports/services.ts'
import { tick } from '../../src/features/schedules/tick.ts'
import { advance, sweep } from '../../src/lifecycle/advance.ts'
import { newPress, openStore, type StoreFixture as Redis } from '../adapters/redis/support.ts'
import { weekly } from '../features/schedules/schedule.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'
import type { MemoryServices } from '../support/memory/services.ts'
import { inEnglish } from '../support/words.ts'

/*
 * Data of another version is signed with our key and written to Redis directly. my-tts is stopped and starts without a
 * question, so everything that is carried out shows at the platform.
 */

const actor = { team: homeTeam, user: 'U0ANA' }

let town: MemoryServices
let redis: Redis
let worker: Services

beforeEach(() => {
  town = peopled(policyWith({ stop: 'confirmation', asking: {} }))
  redis = openStore()
  redis.now = town.clock.now()
  town.people.persons.get('U0ANA')?.groups.add('S0OPS')
  // The store's leases use the machine's clock.
  const clock = { now: () => redis.now, monotonic: () => performance.now() }
  worker = { ...town.services, store: redis.store(), clock }
})

function pass(ms: number): void {
  redis.now += ms
  town.clock.pass(ms)
}

function requestOf(more: object = {}): Request {
  const at = redis.now
  return {
    id: 'r'.repeat(22),
    project: 'default',
    kind: 'operation',
    line: 'start my-tts',
    actor,
    place: { channel: 'C0OPS' },
    receivedAt: at,
    status: 'received',
    notes: [],
    nextAt: at,
    ...more,
  } as Request
}

/** Stores a request as another version would. */
async function forged(value: { readonly id: string }): Promise<void> {
  const text = redis.signer().sign(['request', value.id, 1], JSON.stringify(value))
  await redis.redis.hset(redis.keys.request(value.id), 'version', 1, 'text', text)
  await redis.redis.zadd(redis.keys.wake, redis.now, value.id)
}

function sweepOnce(): Promise<void> {
  return sweep(worker, (id) => advance(worker, id))
}

async function stored({ id }: Request): Promise<unknown> {
  const [text, starts] = await redis.redis.hmget(redis.keys.request(id), 'text', 'starts')
  return { ...(JSON.parse(text!.slice(43)) as object), starts }
}

/** Expects the request to be left for a newer process: unchanged, without a lease, due at once. */
async function expectLeft(request: Request): Promise<void> {
  expect(town.platform.made).toEqual([])
  expect(await stored(request)).toMatchObject({ status: request.status, starts: '0' })
  expect(await redis.redis.exists(redis.keys.lease(request.id))).toBe(0)
  expect(await redis.store().due(redis.now, 10)).toContain(request.id)
  expect((await redis.store().records()).has('lockdown')).toBe(false)
}

const newer: readonly (readonly [string, object])[] = [
  ['of a newer format', { format: 3 }],
  ['with a kind', { kind: 'proposal' }],
  ['in a status', { status: 'paused' }],
  ['with an origin', { via: 'token' }],
  ['with a requirement', { requirement: 'two keys' }],
  [
    'with a step',
    {
      status: 'running',
      startedAt: 1,
      endpoint: { id: 'ep-1', name: 'my-tts' },
      plan: [{ says: 'drain', call: { method: 'post', path: '/drain' }, goal: 'drained', repeatable: true }],
      progress: [{ sends: [], looks: [] }],
    },
  ],
  ['with a change', { change: { put: [{ kind: 'quota', endpoint: 'ep-1' }] } }],
  ['with a verb', { line: 'drain my-tts' }],
  ['with a word', { line: 'start my-tts gently=yes' }],
]

describe('A request from a newer version', () => {
  test.each(newer)('%s that this process does not know is left to newer processes', async (_, more) => {
    const request = requestOf(more)
    await forged(request)
    await advance(worker, request.id)
    await expectLeft(request)
    expect(town.complaints).toHaveLength(1)
  })

  test('rests in this process for a minute before the next try, and is logged once', async () => {
    const request = requestOf({ format: 3 })
    await forged(request)
    await sweepOnce()
    const [ids, log] = [worker.left.resting(), town.complaints.length]
    for (let looks = 0; looks < 5; looks += 1) await sweepOnce()
    expect([ids, log, town.complaints.length]).toEqual([[request.id], 1, 1])
    expect(worker.left.says()).toContain('(1×)')
    pass(60_001)
    await sweepOnce()
    expect([town.complaints.length, worker.left.says()]).toEqual([1, expect.stringContaining('(2×)')])
    await expectLeft(request)
  })

  test('does not block requests that are due after it', async () => {
    for (let nth = 0; nth < 120; nth += 1)
      await forged(requestOf({ id: `newer${String(nth).padStart(17, '0')}`, format: 3 }))
    pass(1)
    await forged(requestOf())
    await sweepOnce()
    await sweepOnce()
    expect(town.platform.made).toHaveLength(1)
  })

  test('with an unknown verb expires if no newer process takes it in time', async () => {
    const request = requestOf({ line: 'drain my-tts' })
    await forged(request)
    pass(terms.received + 1)
    await advance(worker, request.id)
    expect(await worker.store.load(request.id)).toMatchObject({ status: 'expired' })
  })

  test('is reported in doctor by the processes that leave it', async () => {
    await forged(requestOf({ format: 3 }))
    await sweepOnce()
    const stops = [
      await startHeartbeat(redis.redis, redis.keys, { role: 'worker', policy: () => 'v1', left: worker.left.says }),
      await startHeartbeat(redis.redis, redis.keys, { role: 'bot', policy: () => 'v1' }),
    ]
    expect(inEnglish(await versionCheck(redis.redis, redis.keys))).toEqual({
      name: 'Versions',
      well: false,
      says: expect.stringMatching(
        /^1 of 2 processes can’t read .* newer version stored; their logs say what\. Run the newest version/,
      ),
    })
    await Promise.all(stops.map((stop) => stop()))
  })
})

describe('Other data from a newer version', () => {
  const request = requestOf.bind(null, {})

  async function put(key: string, text: string): Promise<void> {
    await redis.redis.set(key, text)
  }

  test('in a press leaves the request to newer processes', async () => {
    await worker.store.receive(request(), undefined)
    const text = redis.signer().sign(['press', request().id], JSON.stringify({ ...newPress(request()), format: 2 }))
    await redis.redis.rpush(redis.keys.presses(request().id), text)
    await advance(worker, request().id)
    await expectLeft(request())
  })

  test('about its messages leaves the request to newer processes', async () => {
    await worker.store.receive(request(), undefined)
    const text = redis.signer().sign(['posts', request().id], JSON.stringify({ format: 2, cards: [] }))
    await redis.redis.hset(redis.keys.request(request().id), 'posts', text)
    await advance(worker, request().id)
    await expectLeft(request())
  })

  test('in the root leaves the request to newer processes and locks nothing', async () => {
    await worker.store.receive(request(), undefined)
    await put(redis.keys.root, redis.signer().sign(['root'], JSON.stringify({ format: 2, seq: 3 })))
    await advance(worker, request().id)
    expect(town.platform.made).toEqual([])
    expect(town.announced).toEqual([])
    expect(await redis.redis.exists(redis.keys.lease(request().id))).toBe(0)
  })

  test('in the list of names is treated as no list', async () => {
    await put(redis.keys.names, redis.signer().sign(['names'], JSON.stringify({ format: 2, byName: {} })))
    expect(await worker.store.names()).toBeNull()
  })

  test('in the records keeps this process from deciding by the other records, and is kept', async () => {
    const quota = { kind: 'quota', endpoint: 'ep-0', by: actor, at: 1 } as unknown as Protection
    await redis.store().write({ put: [quota] }, [{ at: 1, what: 'limited', by: actor }])
    await worker.store.receive(request(), undefined)
    await advance(worker, request().id)
    await expectLeft(request())
    expect(await worker.store.records()).toEqual(new Map())
    expect(await redis.redis.hkeys(redis.keys.records)).toEqual(['quota:ep-0'])
  })

  test('about a stop that a rule announced leaves the rule to newer processes', async () => {
    const rule = weekly('w1', 'down daily', { endpoint: 'ep-0', owner: actor })
    await worker.store.write({ put: [rule] }, [{ at: redis.now, what: 'scheduled', by: actor }])
    await tick(worker)
    const [id = ''] = await worker.store.due(Number.MAX_SAFE_INTEGER, 10)
    expect(id).not.toBe('')
    await redis.redis.del(redis.keys.request(id))
    await forged(requestOf({ id, format: 3 }))
    pass(60_000)
    expect(await tick(worker)).toMatchObject({ looked: false })
    expect(worker.left.says()).toContain('(1×)')
    expect(town.complaints).toEqual([expect.stringContaining('left data of a newer version')])
  })

  test('in the audit leaves requests that it may concern to newer processes', async () => {
    const { mac } = await newerEntry()
    await worker.store.receive({ ...request(), receivedAt: redis.now - 120_000 }, undefined)
    await advance(worker, request().id)
    await expectLeft(request())
    expect(await redis.store().audit.head()).toEqual({ seq: 2, mac })
  })

  /** Writes an audit whose second entry has an unknown format. */
  async function newerEntry(): Promise<{ readonly mac: string }> {
    await redis.store().write({}, [{ at: 1, what: 'began', by: actor }])
    const [signer, head] = [redis.signer(), await redis.store().audit.head()]
    const text = JSON.stringify({ format: 3, did: ['something'] })
    const { mac } = signer.link(head, text)
    const root = { format: 1, seq: 2, mac, version: 0, count: 0, sum: '0' }
    await redis.redis.xadd(redis.keys.audit, '2-0', 'mac', mac, 'text', text)
    await put(redis.keys.root, signer.sign(['root'], JSON.stringify(root)))
    return { mac }
  }
})
