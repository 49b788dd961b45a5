import { beforeEach, describe, expect, test } from 'vitest'
import { inflated } from '../../../src/adapters/redis/integrity/sign.ts'
import type { Endpoint, Settings } from '../../../src/core/model/endpoint.ts'
import type { Freeze, Protection, ReconcileState, StandIn } from '../../../src/core/model/records.ts'
import type { Request, Status } from '../../../src/core/model/request.ts'
import { LeaseLost, type Store } from '../../../src/core/ports/services.ts'
import { createShelf } from '../../support/memory/shelf.ts'
import { createMemoryStore } from '../../support/memory/store.ts'
import { again, claimed, newPress, newRequest, openStore } from './support.ts'

/** One project with any number of processes. */
interface Ground {
  /** The wall clock of all processes, ms since 1970. */
  now: number
  store(options?: { readonly leaseMs?: number; readonly late?: boolean }): Store
  /** Ends the lease of the request, as if its worker had died. */
  lapse(request: Request): Promise<void>
  /** Raises the stored version, as if another worker had written the request. */
  overtake(request: Request): Promise<void>
  /** Makes a worker look alive. */
  beats(): Promise<void>
}

function inMemory(): Ground {
  const shelf = createShelf()
  const ground: Ground = {
    now: 1_800_000_000_000,
    store({ leaseMs = 30_000, late = false } = {}) {
      const clock = { now: () => ground.now, monotonic: () => performance.now() }
      return createMemoryStore({ clock, shelf, leaseMs, late })
    },
    async lapse({ id }) {
      const stored = shelf.requests.get(id)
      if (stored !== undefined) stored.lease = null
    },
    async overtake({ id }) {
      const stored = shelf.requests.get(id)
      if (stored !== undefined) stored.version += 1
    },
    async beats() {
      shelf.beating = true
    },
  }
  return ground
}

function inRedis(): Ground {
  const fixture = openStore()
  return {
    get now() {
      return fixture.now
    },
    set now(ms) {
      fixture.now = ms
    },
    store: ({ leaseMs = 30_000, late = false } = {}) => fixture.store({ leaseMs, ...(late && { skew: -10_000 }) }),
    lapse: async ({ id }) => void (await fixture.redis.del(fixture.keys.lease(id))),
    overtake: async ({ id }) => void (await fixture.redis.hincrby(fixture.keys.request(id), 'version', 1)),
    beats: async () => void (await fixture.redis.set(fixture.keys.heartbeat, 1, 'PX', 60_000)),
  }
}

const llm = { id: 'ep-llm', name: 'my-llm' }
const ana = { team: 'T0SANDBOX', user: 'U0ANA' }

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
])('In %s', (_, open) => {
  let ground: Ground
  let store: Store
  beforeEach(() => {
    ground = open()
    store = ground.store()
  })

  describe('an incoming request', () => {
    test('is stored once, however often and wherever it is delivered', async () => {
      const doors = [ground.store(), ground.store(), ground.store()]
      const request = newRequest()
      const times = Array.from({ length: 20 }, (_none, at) => at)
      const found = await Promise.all(
        times.flatMap((at) =>
          doors.map((door, nth) => door.receive({ ...request, line: `stop ${at * 3 + nth}` }, undefined)),
        ),
      )
      expect(found.filter((one) => one.kind === 'stored')).toHaveLength(1)
      expect(found.filter((one) => one.kind === 'known')).toHaveLength(59)
      const first = found.findIndex((one) => one.kind === 'stored')
      expect(await ground.store().load(request.id)).toEqual({ ...request, line: `stop ${first}` })
    })

    test('that is delivered again later undoes nothing', async () => {
      const request = newRequest()
      const claim = await claimed(store, request)
      await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])
      expect(await store.receive(request, undefined)).toMatchObject({ kind: 'known' })
      expect(await store.load(request.id)).toMatchObject({ status: 'running' })
    })

    test('that is too late is not stored unless it was stored in time before', async () => {
      const late = ground.store({ late: true })
      const request = newRequest()
      expect(await late.receive(request, 'https://hooks.example/1')).toEqual({ kind: 'nothing', why: 'slow' })
      expect(await store.load(request.id)).toBeNull()
      expect(await store.replyUrlOf(request.id)).toBeNull()
      expect(await store.due(ground.now + 1e9, 10)).toEqual([])
      await store.receive(request, 'https://hooks.example/1')
      expect(await late.receive(request, undefined)).toMatchObject({ kind: 'known' })
      expect(await store.replyUrlOf(request.id)).toBe('https://hooks.example/1')
    })

    test('is answered with whether a worker is alive', async () => {
      const request = newRequest()
      expect(await store.receive(request, undefined)).toEqual({ kind: 'stored', workers: false })
      await ground.beats()
      expect(await store.receive(request, undefined)).toEqual({ kind: 'known', workers: true })
      expect(await store.press(newPress(request), undefined)).toEqual({ kind: 'stored', workers: true })
    })

    test('is found by the sweep after 3 s if its job is lost', async () => {
      const request = newRequest()
      await store.receive(request, undefined)
      expect(await store.due(ground.now + 2_999, 10)).toEqual([])
      expect(await store.due(ground.now + 3_000, 10)).toEqual([request.id])
    })
  })

  describe('a press', () => {
    test('is stored once and in order, however often it is delivered', async () => {
      const request = newRequest()
      await store.receive(request, undefined)
      const presses = [newPress(request), newPress(request, { yes: false }), newPress(request)]
      for (const press of presses) {
        expect(await store.press(press, undefined)).toMatchObject({ kind: 'stored' })
        expect(await ground.store().press(press, undefined)).toMatchObject({ kind: 'known' })
      }
      expect((await again(store, request)).presses).toEqual(presses)
    })

    test('is not stored when it is too late or its request is unknown', async () => {
      const request = newRequest()
      const press = newPress(request)
      expect(await store.press(press, undefined)).toEqual({ kind: 'gone' })
      await store.receive(request, undefined)
      expect(await ground.store({ late: true }).press(press, undefined)).toEqual({ kind: 'nothing', why: 'slow' })
      expect((await again(store, request)).presses).toEqual([])
    })

    test('makes its request due within 3 s, and postpones nothing', async () => {
      const [resting, soon] = [newRequest(), newRequest()]
      await (await claimed(store, resting)).release(ground.now + 1_800_000)
      await (await claimed(store, soon)).release(ground.now + 500)
      for (const request of [resting, soon]) await store.press(newPress(request), undefined)
      ground.now += 500
      expect(await store.due(ground.now, 10)).toEqual([soon.id])
      expect(await store.due(ground.now + 2_499, 10)).toEqual([])
      expect(await store.due(ground.now + 2_500, 10)).toEqual([resting.id])
    })
  })

  describe('the lease of a request', () => {
    test('goes to one of many workers that claim it at once', async () => {
      const workers = Array.from({ length: 10 }, () => ground.store())
      const request = newRequest()
      await store.receive(request, undefined)
      const found = await Promise.all(workers.map((worker) => worker.claim(request.id)))
      const holders = found.filter((claim) => claim !== null)
      expect(holders).toHaveLength(1)
      holders[0]?.abandon()
    })

    test('stays claimed until it is released, and then goes to the next worker', async () => {
      const request = newRequest()
      const claim = await claimed(store, request)
      expect(await claim.release(null)).toBe(true)
      expect((await again(ground.store(), request)).request).toEqual(request)
    })

    test('is not released if another worker tried to claim the request, until the holder looks again', async () => {
      const other = ground.store()
      const claim = await claimed(store, newRequest())
      expect(await other.claim(claim.request.id)).toBeNull()
      expect(await claim.release(null)).toBe(false)
      expect(await other.claim(claim.request.id)).toBeNull()
      await claim.refresh()
      expect(await claim.release(null)).toBe(true)
      await again(other, claim.request)
    })

    test('is not released before the holder has seen every press, even if nobody was woken for it', async () => {
      const request = newRequest()
      const claim = await claimed(store, request)
      const press = newPress(request)
      await ground.store().press(press, undefined)
      expect(claim.presses).toEqual([])
      expect(await claim.release(null)).toBe(false)
      await claim.refresh()
      expect(claim.presses).toEqual([press])
      await claim.release(null)
      expect(await store.due(ground.now + 3_600_000, 10)).toEqual([])
    })

    test('once lost lets the former holder neither write nor release the new holder’s lease', async () => {
      const request = newRequest()
      const gone = await claimed(store, request)
      gone.abandon()
      await ground.lapse(request)
      await expect(gone.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])).rejects.toThrow(LeaseLost)
      const claim = await again(ground.store(), request)
      await expect(gone.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])).rejects.toThrow(LeaseLost)
      await expect(gone.savePosts('{}')).rejects.toThrow(LeaseLost)
      await expect(gone.refresh()).rejects.toThrow(LeaseLost)
      expect(await gone.release(null)).toBe(true)
      expect(await ground.store().claim(request.id)).toBeNull()
      await claim.refresh()
      expect(await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }])).toEqual({ kind: 'moved' })
      expect(claim.posts).toBeNull()
    })

    test('makes the request due for the sweep as soon as it can have expired', async () => {
      const claim = await claimed(store, newRequest())
      expect(await store.due(ground.now + 29_999, 10)).toEqual([])
      expect(await store.due(ground.now + 30_000, 10)).toEqual([claim.request.id])
    })

    test('counts how often it was taken without effect, until a move or a release', async () => {
      const request = newRequest()
      await store.receive(request, undefined)
      async function takenUp(): Promise<number> {
        const claim = await again(store, request)
        claim.abandon()
        await ground.lapse(request)
        return claim.starts
      }
      expect([await takenUp(), await takenUp(), await takenUp()]).toEqual([1, 2, 3])
      const claim = await again(store, request)
      await claim.move(request, [])
      claim.abandon()
      await ground.lapse(request)
      expect(await takenUp()).toBe(1)
      await (await again(store, request)).release(null)
      expect(await takenUp()).toBe(1)
    })
  })

  describe('a due request', () => {
    test('is given to one caller, and again only after a lease', async () => {
      const ids = Array.from({ length: 40 }, (_none, at) => `r${at}`)
      for (const id of ids) await store.receive(newRequest({ id }), undefined)
      ground.now += 3_000
      const stores = Array.from({ length: 8 }, () => ground.store())
      const given = (await Promise.all(stores.map((one) => one.due(ground.now, 10)))).flat()
      expect(given).toHaveLength(40)
      expect(new Set(given)).toEqual(new Set(ids))
      expect(await store.due(ground.now + 29_999, 100)).toEqual([])
      expect(await store.due(ground.now + 30_000, 100)).toHaveLength(40)
    })

    test('is not put off if it is asked for before its time, because that may be the end of a lease', async () => {
      const request = newRequest()
      await (await claimed(store, request)).release(ground.now + 5_000)
      expect(await store.due(ground.now + 3_600_000, 10)).toEqual([request.id])
      expect(await store.due(ground.now + 5_000, 10)).toEqual([request.id])
    })

    test('is given out in order of time, no more at once than asked for, and never while it rests', async () => {
      for (const [id, at] of [
        ['late', 300],
        ['early', 100],
        ['middle', 200],
        ['never', null],
      ] as const) {
        const claim = await claimed(store, newRequest({ id }))
        await claim.release(at === null ? null : ground.now + at)
      }
      expect(await store.due(ground.now + 99, 10)).toEqual([])
      ground.now += 1_000
      expect(await store.due(ground.now, 2)).toEqual(['early', 'middle'])
      expect(await store.due(ground.now, 2)).toEqual(['late'])
      expect(await store.due(ground.now + 28_000, 10)).toEqual([])
    })
  })

  describe('a move', () => {
    test('writes the state, the history, the audit and the answered presses together', async () => {
      const request = newRequest()
      const claim = await claimed(store, request)
      const presses = [newPress(request), newPress(request), newPress(request)]
      for (const press of presses) await store.press(press, undefined)
      await claim.refresh()
      const events = [
        { at: 1, what: 'answered', detail: 'No.' },
        { at: 2, what: 'awaiting', by: ana },
      ]
      const next: Request = { ...request, status: 'awaiting' }
      let seen = 0
      claim.watch(() => {
        seen += 1
      })
      expect(await claim.move(next, events, { answered: 2 })).toEqual({ kind: 'moved' })
      expect(seen).toBe(1)
      expect(claim).toMatchObject({ request: next, version: 2, presses: presses.slice(2) })
      expect(await ground.store().load(request.id)).toEqual(next)
      expect(await store.eventsOf(request.id)).toEqual(events)
      const links = await store.audit.read(1, 10)
      expect(links.map(({ seq }) => seq)).toEqual([1, 2])
      const about = { request: request.id, status: 'awaiting' }
      const [first, second] = events.map((event) => ({ ...event, ...about }))
      // A later entry leaves out what has not changed.
      const said = [{ ...first, line: request.line }, second]
      expect(links.map(({ text }) => JSON.parse(inflated(text)))).toMatchObject(said)
      expect(await store.audit.head()).toMatchObject({ seq: 2, mac: links[1]?.mac })
      await claim.release(ground.now)
      expect((await again(ground.store(), request)).presses).toEqual(presses.slice(2))
    })

    test('keeps every request and every post exactly as written', async () => {
      const body = { empty: [], none: null, big: 1e21, small: 1e-7, odd: '\ud800\u2028' }
      const plan = [
        { says: 'stop', call: { method: 'post', path: '/x', params: {}, body }, goal: 'stopped', repeatable: true },
      ] as const
      const request = newRequest({ nextAt: Number.MAX_SAFE_INTEGER, progress: [{ sends: [], looks: [] }], plan })
      const claim = await claimed(store, request)
      const next: Request = { ...request, status: 'running', line: 'stop "\\"“𝕊"' }
      const posts = '{"byKey":{},"empty":[],"detour":9007199254740993}'
      await claim.move(next, [{ at: 1, what: 'moved' }])
      await claim.savePosts(posts)
      await claim.release(ground.now)
      expect(await store.postsOf(request.id)).toBe(posts)
      expect(await again(ground.store(), request)).toMatchObject({ request: next, posts })
    })

    test('leaves posts marked “later” to the release, which saves them even if it is refused', async () => {
      const request = newRequest()
      const claim = await claimed(store, request)
      await claim.savePosts('{"first":1}')
      await claim.savePosts('{"second":2}', 'later')
      expect(claim.posts).toBe('{"second":2}')
      expect(await store.postsOf(request.id)).toBe('{"first":1}')
      expect(await ground.store().claim(request.id)).toBeNull()
      expect(await claim.release(ground.now)).toBe(false)
      await claim.refresh()
      expect(claim.posts).toBe('{"second":2}')
      await claim.savePosts('{"third":3}', 'later')
      await claim.savePosts('{"third":3,"fourth":4}')
      expect(await store.postsOf(request.id)).toBe('{"third":3,"fourth":4}')
      expect(await claim.release(ground.now)).toBe(true)
      expect(await store.postsOf(request.id)).toBe('{"third":3,"fourth":4}')
    })

    test('from an outdated state is refused and changes nothing', async () => {
      const request = newRequest({ endpoint: llm })
      const claim = await claimed(store, request)
      await ground.overtake(request)
      const put: Freeze = { kind: 'freeze', by: ana, at: 1, until: null }
      const event = { at: 1, what: 'x' }
      const move = claim.move({ ...request, status: 'running' }, [event], { lock: 'take', change: { put: [put] } })
      await expect(move).rejects.toThrow(LeaseLost)
      expect(await store.holderOf(llm.id)).toBeNull()
      expect(await store.records()).toEqual(new Map())
      expect(await store.eventsOf(request.id)).toEqual([])
      expect(await store.audit.head()).toEqual({ seq: 0, mac: '' })
    })

    test.each<[Status, Status]>([
      ['succeeded', 'running'],
      ['expired', 'awaiting'],
      ['received', 'declined'],
      ['awaiting', 'succeeded'],
    ])('from %s to %s throws and changes nothing', async (from, to) => {
      const request = newRequest({ status: from })
      const claim = await claimed(store, request)
      await expect(claim.move({ ...request, status: to }, [{ at: 1, what: 'moved' }])).rejects.toThrow(
        `A request that is ${from} cannot become ${to}.`,
      )
      expect(await store.load(request.id)).toEqual(request)
    })

    test('of a finished request may add a note', async () => {
      const request = newRequest({ status: 'succeeded' })
      const claim = await claimed(store, request)
      const note = { id: 'n1', to: request.actor, channel: 'C0OPS', says: 'This request has ended.' }
      expect(await claim.move({ ...request, notes: [note] }, [])).toEqual({ kind: 'moved' })
    })
  })

  describe('an endpoint', () => {
    test('is locked by one request until that request lets go, and the others are told which one', async () => {
      const [one, other] = [newRequest({ endpoint: llm }), newRequest({ endpoint: llm })]
      const [first, second] = [await claimed(store, one), await claimed(store, other)]
      expect(await first.move({ ...one, status: 'awaiting' }, [{ at: 1, what: 'moved' }], { lock: 'take' })).toEqual({
        kind: 'moved',
      })
      const event = { at: 1, what: 'x' }
      const taken = { kind: 'taken', by: one.id }
      expect(await second.move({ ...other, status: 'running' }, [event], { lock: 'take' })).toEqual(taken)
      expect(second).toMatchObject({ version: 1, request: other })
      expect(await store.eventsOf(other.id)).toEqual([])
      await first.move({ ...one, status: 'running' }, [{ at: 1, what: 'moved' }])
      await first.move({ ...one, status: 'awaiting' }, [{ at: 1, what: 'moved' }], { lock: 'take' })
      await second.move({ ...other, status: 'refused' }, [{ at: 1, what: 'moved' }], { lock: 'drop' })
      expect(await store.holderOf(llm.id)).toBe(one.id)
      await first.move({ ...one, status: 'expired' }, [{ at: 1, what: 'moved' }], { lock: 'drop' })
      expect(await store.holderOf(llm.id)).toBeNull()
    })

    test('is locked by one of many requests that want it at once', async () => {
      const requests = Array.from({ length: 20 }, () => newRequest({ endpoint: llm }))
      const holders = await Promise.all(requests.map((request) => claimed(ground.store(), request)))
      const found = await Promise.all(
        holders.map((claim) =>
          claim.move({ ...claim.request, status: 'awaiting' }, [{ at: 1, what: 'moved' }], { lock: 'take' }),
        ),
      )
      expect(found.filter(({ kind }) => kind === 'moved')).toHaveLength(1)
      const winner = requests[found.findIndex(({ kind }) => kind === 'moved')]
      expect(new Set(found.flatMap((one) => (one.kind === 'taken' ? [one.by] : [])))).toEqual(new Set([winner?.id]))
    })

    test('is identified by its id, not by its name', async () => {
      const [one, other] = [newRequest({ endpoint: llm }), newRequest({ endpoint: { ...llm, id: 'ep-tts' } })]
      for (const request of [one, other]) {
        const claim = await claimed(store, request)
        expect(
          await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }], { lock: 'take' }),
        ).toEqual({ kind: 'moved' })
      }
    })

    test('remembers its last change, its settings and its name', async () => {
      expect([await store.lastDone(llm.id), await store.settingsOf(llm.id), await store.names()]).toEqual([
        null,
        null,
        null,
      ])
      const plan = [
        { says: 'stop', call: { method: 'post', path: '/stop' }, goal: 'stopped', repeatable: true },
      ] as const
      const request = newRequest({ endpoint: llm, plan })
      const claim = await claimed(store, request)
      const done: Request = { ...request, status: 'succeeded' }
      await claim.move(done, [{ at: 1, what: 'moved' }])
      const refused = await claimed(store, newRequest({ endpoint: llm, plan }))
      await refused.move({ ...refused.request, status: 'refused' }, [{ at: 1, what: 'moved' }])
      // A change of our own records carries nothing out at the platform.
      const recorded = await claimed(store, newRequest({ endpoint: llm, plan: [] }))
      await recorded.move({ ...recorded.request, status: 'succeeded' }, [{ at: 1, what: 'moved' }])
      expect(await store.lastDone(llm.id)).toEqual(done)
      const settings = { ...llm, active: false, container_port: 80 } as Settings
      await store.rememberSettings(settings)
      expect(await ground.store().settingsOf(llm.id)).toEqual(settings)
      await store.forgetSettings(llm.id)
      expect(await store.settingsOf(llm.id)).toBeNull()
      const listed: Endpoint = { ...llm, active: true, status: 'DEPLOYING', replicas: 3, tags: ['prod'] }
      await store.rememberNames([listed], ground.now)
      await store.rememberState({ id: llm.id, active: true, status: 'DEPLOY_FAILED' })
      await store.rememberState({ id: 'ep-other', active: true })
      expect(await ground.store().names()).toEqual({
        at: ground.now,
        endpoints: [{ ...listed, status: 'DEPLOY_FAILED' }],
      })
      await store.rememberState({ id: llm.id, active: false })
      expect(await ground.store().names()).toEqual({
        at: ground.now,
        endpoints: [{ ...llm, active: false, replicas: 3, tags: ['prod'] }],
      })
    })

    test('gets its state stored while other states keep arriving', async () => {
      await store.rememberNames([{ ...llm, active: true }], ground.now)
      const noted: Promise<void>[] = []
      const others = setInterval(() => noted.push(store.rememberState({ id: 'ep-other', active: true })), 20)
      await store.rememberState({ id: llm.id, active: false }).finally(() => clearInterval(others))
      await Promise.all(noted)
      expect((await ground.store().names())?.endpoints).toEqual([{ ...llm, active: false }])
    })

    test('keeps the state of a newer list over one noted before it', async () => {
      await store.rememberNames([{ ...llm, active: true }], ground.now)
      await store.rememberState({ id: llm.id, active: false })
      const noted = store.rememberState({ id: llm.id, active: true })
      await Promise.all([store.rememberNames([{ ...llm, active: false }], ground.now + 1), noted])
      expect((await ground.store().names())?.endpoints).toEqual([{ ...llm, active: false }])
    })
  })

  describe('records', () => {
    const protection: Protection = { kind: 'protection', endpoint: llm.id, by: ana, at: 1 }
    const standIn: StandIn = { kind: 'away', who: ana, to: { ...ana, user: 'U0BEN' }, at: 1, until: 2 }
    const [protects, away] = [`protection:${llm.id}`, `away:${ana.team}:${ana.user}`]

    test('change with a move, or on their own with their audit entries', async () => {
      const request = newRequest()
      const claim = await claimed(store, request)
      const protecting = [{ at: 4, what: 'succeeded' }]
      await claim.move({ ...request, status: 'succeeded' }, protecting, { change: { put: [protection, standIn] } })
      expect(await ground.store().records()).toEqual(
        new Map<string, unknown>([
          [protects, protection],
          [away, standIn],
        ]),
      )
      const longer: StandIn = { ...standIn, until: 3 }
      await store.write({ put: [longer], drop: [protects] }, [{ at: 5, what: 'thawed', by: ana }])
      expect(await store.records()).toEqual(new Map([[away, longer]]))
      const [link] = await store.audit.read(2, 1)
      expect(JSON.parse(inflated(link?.text ?? ''))).toMatchObject({ at: 5, what: 'thawed', by: ana })
      expect(await store.audit.verify([])).toMatchObject({ well: true, head: { seq: 2 } })
    })

    test('do not change with a move that finds the endpoint locked', async () => {
      const [one, other] = [newRequest({ endpoint: llm }), newRequest({ endpoint: llm })]
      await (await claimed(store, one)).move({ ...one, status: 'running' }, [{ at: 1, what: 'moved' }], {
        lock: 'take',
      })
      const claim = await claimed(store, other)
      const options = { lock: 'take', change: { put: [protection] } } as const
      expect(await claim.move({ ...other, status: 'running' }, [{ at: 1, what: 'moved' }], options)).toMatchObject({
        kind: 'taken',
      })
      expect(await store.records()).toEqual(new Map())
    })
  })

  describe('a move planned on certain records', () => {
    const protection: Protection = { kind: 'protection', endpoint: llm.id, by: ana, at: 1 }
    const begun = [{ at: 1, what: 'running' }]

    test('is made while those records are unchanged, whatever else is written', async () => {
      const request = newRequest({ endpoint: llm })
      const claim = await claimed(store, request)
      const records = await store.records()
      await ground.store().write({}, [{ at: 5, what: 'anchored' }])
      await ground.store().write({}, [{ at: 6, what: 'anchored' }])
      const moved = await claim.move({ ...request, status: 'running' }, begun, { lock: 'take', records })
      expect(moved).toEqual({ kind: 'moved' })
    })

    test.each([
      ['another process', () => ground.store()],
      ['the same one', () => store],
    ])('is refused and locks nothing once %s has changed them, until it is planned again', async (_who, writer) => {
      const request = newRequest({ endpoint: llm })
      const claim = await claimed(store, request)
      const running = { ...request, status: 'running' } as const
      const records = await store.records()
      await writer().write({ put: [protection] }, [{ at: 5, what: 'protected', by: ana }])
      expect(await claim.move(running, begun, { lock: 'take', records })).toEqual({ kind: 'outdated' })
      expect([await store.holderOf(llm.id), await store.load(request.id)]).toEqual([null, request])
      expect(claim.request).toEqual(request)
      const newer = await store.records()
      expect(await claim.move(running, begun, { lock: 'take', records: newer })).toEqual({ kind: 'moved' })
      expect(await store.holderOf(llm.id)).toBe(request.id)
    })

    test('leaves the records alone when it is refused', async () => {
      const request = newRequest()
      const claim = await claimed(store, request)
      const records = await store.records()
      await ground.store().write({ put: [protection] }, [{ at: 5, what: 'protected', by: ana }])
      const thawed = { change: { drop: [`protection:${llm.id}`] }, records }
      expect(await claim.move({ ...request, status: 'succeeded' }, begun, thawed)).toEqual({ kind: 'outdated' })
      expect((await store.records()).size).toBe(1)
    })
  })

  test('the second of two simultaneous proposals has to check again', async () => {
    const [first, second] = [newRequest({ endpoint: llm }), newRequest({ endpoint: llm })]
    const [one, two] = [await claimed(store, first), await claimed(store, second)]
    const proposals = await store.proposals()
    const asked = { status: 'running' } as const
    const begun = [{ at: 1, what: 'running' }]
    expect(await one.move({ ...first, ...asked }, begun, { proposals })).toEqual({ kind: 'moved' })
    expect(await two.move({ ...second, ...asked }, begun, { proposals })).toEqual({ kind: 'outdated' })
    expect(await store.load(second.id)).toEqual(second)
    const now = await store.proposals()
    expect(now).toBe(proposals + 1)
    expect(await two.move({ ...second, ...asked }, begun, { proposals: now })).toEqual({ kind: 'moved' })
  })

  describe('the rest of the store', () => {
    async function over(id: string, more: Partial<Request> = {}): Promise<void> {
      const claim = await claimed(store, newRequest({ id, receivedAt: ground.now, ...more }))
      const ending = { at: ground.now, says: 'Done.' }
      await claim.move({ ...claim.request, status: 'succeeded', ending }, [{ at: ground.now, what: 'succeeded' }])
      await claim.release(null)
    }
    async function idsSince(since: number, skip = 0, most = 10): Promise<readonly string[]> {
      return (await store.past(since, skip, most)).requests.map(({ id }) => id)
    }

    test('lists open operations by waiting time, and past ones newest first and in pages', async () => {
      const began = ground.now
      await store.receive(newRequest({ id: 'later', receivedAt: began + 2 }), undefined)
      await store.receive(newRequest({ id: 'sooner', receivedAt: began + 1 }), undefined)
      await store.receive(newRequest({ id: 'query', kind: 'query', line: 'list' }), undefined)
      for (const id of ['r1', 'r2', 'r3']) {
        ground.now += 1_000
        await over(id)
      }
      await over('q1', { kind: 'query', line: 'list' })
      expect((await store.open()).map(({ id }) => id)).toEqual(['sooner', 'later'])
      const more = Array.from({ length: 250 }, (_, n) => newRequest({ id: `r-${n}`, receivedAt: began + 10 + n }))
      await Promise.all(more.map((one) => store.receive(one, undefined)))
      expect(await store.open()).toHaveLength(252)
      expect(await idsSince(0)).toEqual(['r3', 'r2', 'r1'])
      expect(await idsSince(began + 2_000)).toEqual(['r3', 'r2'])
      expect(await store.past(0, 0, 2)).toMatchObject({ requests: [{ id: 'r3' }, { id: 'r2' }], more: true })
      expect(await store.past(0, 2, 2)).toMatchObject({ requests: [{ id: 'r1' }], more: false })
      expect(await store.eventsOf('r1')).toEqual([{ at: began + 1_000, what: 'succeeded' }])
    })

    test('has the last ten planned and not refused requests of an endpoint, each once', async () => {
      const on = (id: string, more: Partial<Request> = {}) =>
        over(id, { endpoint: { id: 'ep-1', name: 'my-llm' }, plan: [], ...more })
      await on('r0')
      await on('elsewhere', { endpoint: { id: 'ep-2', name: 'my-tts' } })
      await over('unplanned', { endpoint: { id: 'ep-1', name: 'my-llm' } })
      ground.now += 1
      const claim = await claimed(store, newRequest({ id: 'noted' }))
      const ended = { ...claim.request, endpoint: { id: 'ep-1', name: 'my-llm' }, plan: [], status: 'failed' } as const
      await claim.move({ ...ended, ending: { at: ground.now, says: 'No.' } }, [{ at: ground.now, what: 'failed' }])
      await claim.move({ ...claim.request, notes: [] }, [])
      await claim.release(null)
      expect((await store.recentOn('ep-1')).map(({ id }) => id)).toEqual(['noted', 'r0'])
      for (let at = 1; at <= 12; at += 1) {
        ground.now += 1
        await on(`r${at}`)
      }
      expect((await store.recentOn('ep-1')).map(({ id }) => id)).toEqual(
        Array.from({ length: 10 }, (_, at) => `r${12 - at}`),
      )
    })

    test('removes a request from the index when another one ends more than 90 days later', async () => {
      await over('r1')
      ground.now += 91 * 24 * 3_600_000
      await over('r2')
      expect(await idsSince(0)).toEqual(['r2'])
    })

    test('keeps files beside their answer', async () => {
      await store.keepFiles('q1', ['first', 'second'])
      const found = await Promise.all([0, 1, 2].map((at) => ground.store().fileOf('q1', at)))
      expect(found).toEqual(['first', 'second', null])
    })

    test('gives a turn to one caller at a time, until it is given back', async () => {
      const back = await store.takeTurn('rules', 60_000)
      expect(await ground.store().takeTurn('rules', 60_000)).toBeNull()
      expect(await ground.store().takeTurn('watch', 60_000)).not.toBeNull()
      await back?.()
      expect(await ground.store().takeTurn('rules', 60_000)).not.toBeNull()
    })

    test('keeps the reconcileState of rules until it is forgotten', async () => {
      const reconcileState: ReconcileState = { occurrence: 'one', state: 'met', attempts: 1, at: 1 }
      await store.noteReconcileStates(
        new Map([
          ['ep-llm', reconcileState],
          ['ep-tts', reconcileState],
        ]),
      )
      await store.noteReconcileStates(
        new Map([
          ['ep-llm', { ...reconcileState, state: 'left' }],
          ['ep-tts', null],
        ]),
      )
      expect(await ground.store().reconcileStates()).toEqual(
        new Map([['ep-llm', { ...reconcileState, state: 'left' }]]),
      )
    })

    test('begins the audit where it was pruned and continues from there', async () => {
      const events = [1, 2, 3].map((at) => ({ at, what: `${at}` }))
      await store.write({}, events)
      const [first, second] = await store.audit.read(1, 2)
      if (first === undefined || second === undefined) throw new Error('There are no entries.')
      await store.audit.prune(second)
      await store.write({}, [{ at: 4, what: '4' }])
      expect(await store.audit.start()).toEqual({ seq: second.seq, mac: second.mac })
      expect((await store.audit.read(1, 10)).map(({ seq }) => seq)).toEqual([3, 4])
    })

    test('keeps a hint until there is a newer one', async () => {
      expect(await store.hint()).toBeNull()
      expect(await store.hint('num_replicas')).toBe('num_replicas')
      expect(await ground.store().hint()).toBe('num_replicas')
    })
  })
})
