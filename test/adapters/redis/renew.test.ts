import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { prunerOf } from '../../../src/adapters/redis/audit/files.ts'
import { checkSigned } from '../../../src/adapters/redis/integrity/records.ts'
import { renewerOn } from '../../../src/adapters/redis/integrity/renew.ts'
import { type Store, Tampered } from '../../../src/core/ports/services.ts'
import { inspect } from '../../../src/features/history/audit-rounds.ts'
import { connected, openStore, type StoreFixture } from './support.ts'

const [fresh, old] = [randomBytes(32), randomBytes(32)]
const ana = { team: 'T0SANDBOX', user: 'U0ANA' }
const day = 24 * 3_600_000
const endpoint = { id: 'ep-tts', name: 'my-tts', active: true } as const

let fixture: StoreFixture
let directory: string
beforeEach(async () => {
  fixture = openStore()
  directory = await mkdtemp(join(tmpdir(), 'renew-'))
  return () => rm(directory, { recursive: true })
})

/** Stores everything that may never be written again, with the old key. */
async function fill(): Promise<void> {
  const store = fixture.store({ secrets: [old] })
  await store.write({ put: [{ kind: 'protection', endpoint: 'ep-llm', by: ana, at: 1 }] }, [
    { at: fixture.now, what: 'succeeded', by: ana },
  ])
  await store.rememberSettings({ id: endpoint.id, updatedAt: 'then', env_keys: ['A'] } as never)
  await store.noteReconcileStates(new Map([['ep-llm', { state: 'met', at: 1 } as never]]))
  const evidence = { servers: ['vLLM'], requests: 0, open: 0, replicas: 1, seen: 1, logs: 0 }
  const segments = Array.from({ length: 60 }, (_, from) => {
    const state = from % 2 === 0 ? 'quiet' : 'busy'
    return { state, why: '', evidence, from, to: from + 1 }
  })
  await store.keepWatched(new Map([['ep-tts', { at: 60, kept: null, segments } as never]]))
  await store.rememberPrices({ currency: 'EUR', perHour: new Map([['h100', 3]]) })
}

/** Returns everything that was stored with the old key, as this process reads it. */
function everything(store: Store) {
  const { id } = endpoint
  const reading = [store.records(), store.settingsOf(id), store.reconcileStates(), store.watchedOf(id), store.prices()]
  return Promise.all(reading)
}

function renewer(store: Store) {
  const place = { redis: connected(), keys: fixture.keys, signer: fixture.signer([fresh, old]) }
  return renewerOn(place, store, { now: () => fixture.now })
}

/** Does the daily round of a worker that has both keys. */
async function round(store = fixture.store({ secrets: [fresh, old] })): Promise<void> {
  await store.rememberNames([endpoint] as never, fixture.now)
  const clock = { now: () => fixture.now, monotonic: () => performance.now() }
  const services = { project: 'default', store, clock, announce: expect.unreachable, log: { error: () => undefined } }
  await inspect(services as never, async () => true, {
    renew: renewer(store),
    prune: prunerOf(store.audit, clock, 'default', directory),
    witness: async () => undefined,
  })
}

describe('A worker with a new and an old key', () => {
  test('signs again what may never be rewritten, so that the old key can be dropped after 400 days', async () => {
    await fill()
    const before = await everything(fixture.store({ secrets: [old] }))
    await round()
    expect(await everything(fixture.store({ secrets: [fresh] }))).toEqual(before)
    expect(await checkSigned(fixture.redis, fixture.keys, fixture.signer([fresh]))).toBe(true)
    fixture.now += 401 * day
    await round()
    const store = fixture.store({ secrets: [fresh] })
    expect(await store.audit.verify([])).toMatchObject({ well: true, head: { seq: 2 } })
    expect((await store.audit.start()).seq).toBe(1)
    expect(await everything(store)).toEqual(before)
  })

  test('writes nothing when nothing is signed with the old key', async () => {
    await fill()
    const both = fixture.store({ secrets: [fresh, old] })
    await round(both)
    const other = fixture.store({ secrets: [fresh] })
    const [root, records] = [await other.audit.head(), await other.records()]
    await round(both)
    expect(await other.audit.head()).toEqual(root)
    expect(await other.records()).toBe(records)
  })

  test('does not sign what it does not believe', async () => {
    await fill()
    const both = fixture.store({ secrets: [fresh, old] })
    await both.rememberNames([endpoint] as never, fixture.now)
    const { redis, keys } = fixture
    const settings = await redis.get(keys.settings(endpoint.id))
    await redis.set(keys.settings(endpoint.id), `${settings} `)
    await expect(renewer(both)()).rejects.toThrow(Tampered)
    expect(await redis.get(keys.settings(endpoint.id))).toBe(`${settings} `)
    await redis.hset(keys.records, 'protection:ep-llm', 'forged')
    await expect(renewer(fixture.store({ secrets: [fresh, old] }))()).rejects.toThrow(Tampered)
    expect(await redis.hget(keys.records, 'protection:ep-llm')).toBe('forged')
  })
})
