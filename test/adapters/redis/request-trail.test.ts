import { beforeEach, describe, expect, test } from 'vitest'
import type { Request } from '../../../src/core/model/request.ts'
import { type Store, Tampered } from '../../../src/core/ports/services.ts'
import { Unproven } from '../../../src/core/requests/claim-other.ts'
import { lossTold } from '../../../src/features/safeguards/lockdown.ts'
import { again, claimed, newRequest, openStore, type StoreFixture } from './support.ts'

/** Attacks by somebody who can write to Redis and restores an older state. */

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

const moved = [{ at: 1_800_000_000_000, what: 'moved' }]
const day = 86_400_000

type Stored = Record<string, string>

/** Returns what was stored while the request waited, after its approval and after its call; it has ended since. */
async function lived(store: Store, request = newRequest()): Promise<Record<'waiting' | 'agreed' | 'called', Stored>> {
  const claim = await claimed(store, request)
  const stored = () => fixture.redis.hgetall(fixture.keys.request(request.id))
  await claim.move({ ...request, status: 'awaiting' }, moved)
  const waiting = await stored()
  await claim.move({ ...request, status: 'running' }, moved)
  const agreed = await stored()
  const send = { at: fixture.now, before: { at: fixture.now, active: true, replicas: 1 } }
  await claim.move({ ...request, status: 'running', progress: [{ sends: [send], looks: [] }] }, moved)
  const called = await stored()
  await claim.move({ ...request, status: 'succeeded' }, moved)
  await claim.release(null)
  return { waiting, agreed, called }
}

async function done(store: Store, request = newRequest()): Promise<Stored> {
  return (await lived(store, request)).waiting
}

async function putBack(request: Request, stored: Record<string, string>): Promise<void> {
  await fixture.redis.del(fixture.keys.request(request.id), fixture.keys.lease(request.id))
  await fixture.redis.hset(fixture.keys.request(request.id), stored)
}

/** Writes `many` audit entries about something else. */
async function others(store: Store, many: number): Promise<void> {
  const events = Array.from({ length: many }, () => moved[0]!)
  if (many > 0) await store.write({}, events)
}

describe('The request that meets it is left until the project is locked, and goes on after that', () => {
  test.each(['all data are lost', 'the root is overwritten'])('%s', async (what) => {
    const { redis, keys, now } = fixture
    const store = fixture.store()
    const endpoint = { id: 'ep-llm', name: 'my-llm' }
    const request = newRequest({ endpoint })
    const claim = await claimed(store, request)
    await claim.move({ ...request, status: 'running' }, moved, { lock: 'take' })
    await claim.release(now)
    if (what === 'all data are lost') await redis.del(keys.root, keys.audit, keys.records)
    else await redis.set(keys.root, 'x'.repeat(60))
    await expect(store.claim(request.id)).rejects.toThrow(Tampered)
    expect(await redis.exists(keys.aside(request.id), keys.lease(request.id))).toBe(0)
    expect(await redis.get(keys.lock(endpoint.id))).toBe(request.id)
    expect(await store.due(now, 10)).toEqual([request.id])
    await store.write({ put: [{ kind: 'lockdown', at: now, why: 'Lost.' }] }, moved)
    expect((await store.claim(request.id))?.request).toEqual({ ...request, status: 'running' })
  })
})

test('A forged beginning of the audit counts as none: nothing is lost if nothing was pruned', async () => {
  const store = fixture.store()
  const request = newRequest()
  await (await claimed(store, request)).release(fixture.now)
  await fixture.redis.set(fixture.keys.beginning, 'x'.repeat(60))
  for (const other of [store, fixture.store()]) {
    const claim = await other.claim(request.id)
    expect(claim?.request).toEqual(request)
    await claim?.release(fixture.now)
  }
  expect((await store.audit.verify([])).well).toBe(true)
})

describe('A request restored to an older state', () => {
  test.each(['waiting', 'agreed', 'called'] as const)(
    'from when it was %s is not carried out again by any process',
    async (when) => {
      const request = newRequest()
      const old = fixture.store()
      const stored = (await lived(old, request))[when]
      for (const store of [old, fixture.store()]) {
        await putBack(request, stored)
        await expect(store.claim(request.id)).rejects.toThrow('put back')
      }
    },
  )

  test('is rejected by a process that started later, and is set aside', async () => {
    const request = newRequest()
    const waiting = await done(fixture.store(), request)
    await putBack(request, waiting)
    const later = fixture.store()
    await expect(later.claim(request.id)).rejects.toThrow(
      'old state of the request “stop my-llm” by @U0ANA was put back',
    )
    expect(await fixture.redis.exists(fixture.keys.request(request.id))).toBe(0)
    expect(await fixture.redis.hget(fixture.keys.aside(request.id), 'text')).toBe(waiting['text'])
  })

  test('as it was first received is not taken for a new one', async () => {
    const request = newRequest()
    const store = fixture.store()
    await store.receive(request, undefined)
    const received = await fixture.redis.hgetall(fixture.keys.request(request.id))
    const claim = await again(store, request)
    await claim.move({ ...request, status: 'running' }, moved)
    await claim.release(0)
    await putBack(request, received)
    await expect(fixture.store().claim(request.id)).rejects.toThrow(Tampered)
  })

  test('is rejected by a process that saw that state but not what happened elsewhere later', async () => {
    const [here, there] = [fixture.store(), fixture.store()]
    const request = newRequest()
    const claim = await claimed(here, request)
    await claim.move({ ...request, status: 'awaiting' }, moved)
    const waiting = await fixture.redis.hgetall(fixture.keys.request(request.id))
    await claim.release(fixture.now)
    const elsewhere = await again(there, request)
    await elsewhere.move({ ...request, status: 'running' }, moved)
    await elsewhere.release(fixture.now)
    await putBack(request, waiting)
    await expect(here.claim(request.id)).rejects.toThrow(Tampered)
  })

  test.each([0, 1, 998, 999, 1_000, 1_001, 2_500])('is recognized after %i later entries', async (many) => {
    const store = fixture.store()
    const request = newRequest()
    const waiting = await done(store, request)
    await others(store, many)
    await putBack(request, waiting)
    await expect(fixture.store().claim(request.id)).rejects.toThrow(Tampered)
  })

  test('is recognized days later, for as long as it could be answered', async () => {
    const store = fixture.store()
    const request = newRequest()
    const waiting = await done(store, request)
    fixture.now += 6 * day
    await others(store, 50)
    await putBack(request, waiting)
    const later = fixture.store()
    const fresh = newRequest({ receivedAt: fixture.now })
    await claimed(later, fresh)
    await expect(later.claim(request.id)).rejects.toThrow(Tampered)
  })

  test.each([
    ['the entries since', (seq: number) => fixture.redis.xtrim(fixture.keys.audit, 'MINID', `${seq}-0`)],
    ['one of the entries since', (seq: number) => fixture.redis.xdel(fixture.keys.audit, `${seq - 1}-0`)],
  ])('is rejected even with %s removed', async (_, take) => {
    const store = fixture.store()
    const request = newRequest()
    const waiting = await done(store, request)
    await others(store, 10)
    await take((await store.audit.head()).seq)
    await putBack(request, waiting)
    await expect(fixture.store().claim(request.id)).rejects.toThrow('is missing or was changed')
  })

  test('is rejected even with the whole audit removed', async () => {
    const request = newRequest()
    const waiting = await done(fixture.store(), request)
    await fixture.redis.del(fixture.keys.audit, fixture.keys.root)
    await putBack(request, waiting)
    await expect(fixture.store().claim(request.id)).rejects.toThrow('put back')
  })
})

describe('A request in its latest state', () => {
  test.each([0, 1, 997, 998, 999, 1_000, 2_000])('is claimed by a new process after %i later entries', async (many) => {
    const store = fixture.store()
    const request = newRequest()
    const claim = await claimed(store, request)
    await claim.move({ ...request, status: 'awaiting' }, moved)
    await claim.move({ ...request, status: 'awaiting', nextAt: 5 }, [])
    await claim.release(fixture.now)
    await others(store, many)
    expect(await again(fixture.store(), request)).toMatchObject({ version: 3 })
  })

  test('is claimed after the audit was pruned', async () => {
    const store = fixture.store()
    await others(store, 30)
    const [, , last] = await store.audit.read(1, 3)
    await store.audit.prune(last!)
    const request = newRequest()
    const claim = await claimed(store, request)
    await claim.move({ ...request, status: 'awaiting' }, moved)
    await claim.release(fixture.now)
    expect((await again(fixture.store(), request)).version).toBe(2)
  })

  test('is passed around among processes that all write', async () => {
    const stores = Array.from({ length: 4 }, () => fixture.store())
    const request = newRequest()
    await stores[0]!.receive(request, undefined)
    for (let times = 1; times <= 40; times += 1) {
      const claim = await again(stores[times % 4]!, request)
      await Promise.all([
        claim.move({ ...request, status: 'running', nextAt: times }, moved),
        others(stores[(times + 1) % 4]!, 3),
      ])
      expect(claim.version).toBe(times + 1)
      await claim.release(fixture.now)
    }
  })

  test('is claimed together with many others by a new process', async () => {
    const store = fixture.store()
    const requests = Array.from({ length: 50 }, () => newRequest())
    for (const request of requests) {
      const claim = await claimed(store, request)
      await claim.move({ ...request, status: 'awaiting' }, moved)
      await claim.release(fixture.now)
    }
    const later = fixture.store()
    const taken = await Promise.all(requests.map((request) => later.claim(request.id)))
    expect(taken.map((claim) => claim?.version)).toEqual(requests.map(() => 2))
    for (const claim of taken) claim?.abandon()
  })

  describe('is claimed although the audit has lost entries', () => {
    const waits = async (store: Store, request: Request): Promise<void> => {
      const claim = await claimed(store, request)
      await claim.move({ ...request, status: 'awaiting' }, [{ at: fixture.now, what: 'awaiting' }])
      await claim.release(fixture.now)
    }
    /** Removes entries 5 and 6 of the audit. */
    const lose = async (store: Store): Promise<void> => {
      await others(store, 10)
      await fixture.redis.xdel(fixture.keys.audit, '5-0', '6-0')
      fixture.now += 3_600_000
    }

    test('that were written before it, by a new process', async () => {
      const store = fixture.store()
      await lose(store)
      const request = newRequest({ receivedAt: fixture.now })
      await waits(store, request)
      expect((await again(fixture.store(), request)).version).toBe(2)
      const fresh = newRequest({ receivedAt: fixture.now })
      await store.receive(fresh, undefined)
      await store.write({}, [{ at: fixture.now - 120_000, what: 'told' }])
      expect((await again(fixture.store(), fresh)).version).toBe(1)
    })

    test('that were written before it, by a running process that reports the loss once', async () => {
      const [store, there] = [fixture.store(), fixture.store()]
      const early = newRequest()
      await waits(store, early)
      await again(there, early)
      await lose(store)
      const requests = [newRequest({ receivedAt: fixture.now }), newRequest({ receivedAt: fixture.now })]
      for (const request of requests) await waits(store, request)
      await expect(there.claim(requests[0]!.id)).rejects.toThrow('Entry 5 of the audit trail in Redis is missing')
      expect((await again(there, requests[1]!)).version).toBe(2)
    })

    test.each([
      ['the newest entries', [4, 5]],
      ['some in the middle', [2, 3]],
      ['all entries', [1, 2, 3, 4, 5]],
    ])('that an admin has accepted as lost (%s), unlike earlier requests', async (_, lost) => {
      const store = fixture.store()
      const early = newRequest()
      await waits(store, early)
      for (let times = 0; times < 4; times += 1) await waits(store, newRequest())
      for (const seq of lost) await fixture.redis.xdel(fixture.keys.audit, `${seq}-0`)
      await fixture.redis.del(fixture.keys.root)
      await expect(store.records('all')).rejects.toThrow(Tampered)
      await store.write({ put: [{ kind: 'lockdown', at: 1, why: 'lost' }] }, [{ at: fixture.now, what: 'lockdown' }])
      const { acknowledges } = await lossTold({ store })
      fixture.now += 1
      const thawed = { at: fixture.now, what: 'thawed', by: { team: 'T0SANDBOX', user: 'U0ANA' } }
      await store.write({ drop: ['lockdown'], ...(acknowledges && { acknowledges }) }, [thawed])
      const late = newRequest({ receivedAt: fixture.now })
      await waits(store, late)
      const later = fixture.store()
      expect((await again(later, late)).version).toBe(2)
      await expect(later.claim(early.id)).rejects.toThrow(Unproven)
      expect(await fixture.redis.exists(fixture.keys.request(early.id))).toBe(1)
    })

    test('but not if its own later entries may be among them', async () => {
      const store = fixture.store()
      const request = newRequest()
      await store.receive(request, undefined)
      await lose(store)
      await expect(fixture.store().claim(request.id)).rejects.toThrow('is missing or was changed')
    })
  })
})
