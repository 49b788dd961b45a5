import { randomUUID } from 'node:crypto'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import { isEnded, type Request, wasPlanned } from '../../../src/core/model/request.ts'
import type { Head } from '../../../src/core/ports/audit.ts'
import type { Clock, Received, Store } from '../../../src/core/ports/services.ts'
import { claimOf, find, type Leasing, take } from './claim.ts'
import { createMortal, type Mortal } from './mortal.ts'
import { createMemoryReadings } from './readings.ts'
import { createMemoryRulings } from './rulings.ts'
import { chain, changeRecords, createShelf, recordsOn, type Shelf } from './shelf.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  /** The data shared by several stores. */
  readonly shelf?: Shelf
  readonly leaseMs?: number
  /** The worker whose store this is. */
  readonly mortal?: Mortal
  /** Requests and presses arrive only after their sender has given up. */
  readonly late?: boolean
}

/** How long the queue's wake-up has before the sweep takes over, ms. */
const headStart = 3_000

/** Behaves like the store in Redis. `test/adapters/redis/contract.test.ts` tests both against one contract. */
export function createMemoryStore(options: MemoryStoreOptions): Store {
  const { clock, shelf = createShelf(), leaseMs = 20_000, mortal = createMortal(), late = false } = options
  const leasing: Leasing = { shelf, clock, leaseMs, mortal }
  const { requests, wake } = shelf

  function requestOf(id: string): Request | null {
    const stored = find(leasing, id)
    return stored === null ? null : stored.request
  }

  function reply(id: string, url: string | undefined): void {
    if (url !== undefined) shelf.replies.set(id, url)
  }

  return {
    // No messages are shown here, so none are grouped.
    joinGroup: async (name) => name,
    claimGroup: async () => null,
    prices: async () => shelf.prices,
    async rememberPrices(prices) {
      mortal.moment()
      shelf.prices = prices
    },

    async receive(request, replyUrl): Promise<Received> {
      mortal.moment()
      const workers = shelf.beating
      if (find(leasing, request.id) !== null) return { kind: 'known', workers }
      if (late) return { kind: 'nothing', why: 'slow' }
      requests.set(request.id, {
        version: 1,
        request,
        posts: null,
        starts: 0,
        again: false,
        presses: [],
        events: [],
        lease: null,
        forgottenAt: Number.POSITIVE_INFINITY,
      })
      wake.set(request.id, clock.now() + headStart)
      reply(request.id, replyUrl)
      return { kind: 'stored', workers }
    },

    async press(press, replyUrl): Promise<Received> {
      mortal.moment()
      const workers = shelf.beating
      if (shelf.presses.has(press.id)) return { kind: 'known', workers }
      const stored = find(leasing, press.request)
      if (stored === null) return { kind: 'gone' }
      if (late) return { kind: 'nothing', why: 'slow' }
      shelf.presses.add(press.id)
      stored.presses.push(JSON.stringify(press))
      stored.again = true
      wake.set(press.request, Math.min(wake.get(press.request) ?? Number.POSITIVE_INFINITY, clock.now() + headStart))
      reply(press.id, replyUrl)
      return { kind: 'stored', workers }
    },

    async claim(id) {
      mortal.moment()
      const token = randomUUID()
      const stored = take(leasing, id, token)
      return stored === null ? null : claimOf(leasing, id, token, stored)
    },

    load: async (id) => requestOf(id),
    postsOf: async (id) => find(leasing, id)?.posts ?? null,
    replyUrlOf: async (id) => shelf.replies.get(id) ?? null,

    async due(until, most, except = []) {
      const now = clock.now()
      const ids = alarms(shelf)
        .filter(([id, at]) => at <= until && !except.includes(id))
        .slice(0, most)
      for (const [id, at] of ids) if (at <= now || now + leaseMs < at) wake.set(id, now + leaseMs)
      return ids.map(([id]) => id)
    },

    proposals: async () => shelf.proposals,
    async open() {
      return alarms(shelf)
        .map(([id]) => requestOf(id))
        .filter((request) => request !== null)
        .filter(({ kind, status }) => kind === 'operation' && !isEnded(status))
        .toSorted((a, b) => a.receivedAt - b.receivedAt)
    },

    records: async () => recordsOn(shelf),
    async write(change, events) {
      mortal.moment()
      changeRecords(shelf, change)
      chain(
        shelf,
        events.map((event) => () => event),
      )
    },
    audit: {
      head: async () => headOf(shelf),
      start: async () => shelf.start,
      async read(from, most) {
        const links = shelf.audit.filter(({ seq }) => seq >= from).slice(0, most)
        return links.map(({ seq, mac, entry }) => ({ seq, mac, text: JSON.stringify(entry()) }))
      },
      expect: () => undefined,
      async verify() {
        return { well: true, says: 'A list in memory.', head: headOf(shelf), gaps: [], acknowledged: [] }
      },
      async prune(last) {
        shelf.start = { seq: last.seq, mac: last.mac }
        shelf.audit.splice(0, shelf.audit.findIndex(({ seq }) => seq === last.seq) + 1)
      },
    },

    holderOf: async (endpoint) => shelf.locks.get(endpoint) ?? null,
    lastDone: async (endpoint) => requestOf(shelf.done.get(endpoint) ?? ''),
    settingsOf: async (endpoint) => shelf.settings.get(endpoint) ?? null,
    async rememberSettings(settings) {
      shelf.settings.set(settings.id, settings)
    },
    async forgetSettings(endpoint) {
      shelf.settings.delete(endpoint)
    },
    lateOf: async (endpoint) => shelf.late.get(endpoint) ?? null,
    async rememberLate(endpoint, late) {
      mortal.moment()
      shelf.late.set(endpoint, late)
    },
    pressableSince: async () => 0,
    async hint(field) {
      shelf.hint = field ?? shelf.hint
      return shelf.hint
    },

    async names() {
      return shelf.names
    },
    async rememberNames(endpoints, at) {
      shelf.names = { at, endpoints: endpoints.map(keptOf) }
    },
    async rememberState({ id, active, status }) {
      const { names } = shelf
      if (names === null) return
      const seen = (one: Endpoint) => keptOf({ ...one, active, status })
      shelf.names = { ...names, endpoints: names.endpoints.map((one) => (one.id === id ? seen(one) : one)) }
    },

    async past(since, skip, most) {
      const ended = [...shelf.past].filter(([, at]) => at >= since)
      const ids = ended.toSorted(newestFirst).slice(skip, skip + most)
      const found = ids.map(([id]) => requestOf(id)).filter((request) => request !== null)
      return { requests: found, more: ids.length === most }
    },
    recentOn: async (endpoint) =>
      [...shelf.past]
        .toSorted(newestFirst)
        .flatMap(([id]) => requestOf(id) ?? [])
        .filter((request) => request.endpoint?.id === endpoint && wasPlanned(request))
        .slice(0, 10),
    eventsOf: async (id) => find(leasing, id)?.events.slice() ?? [],
    async keepFiles(id, texts) {
      for (const [at, text] of texts.entries()) shelf.files.set(`${id}:${at}`, text)
    },
    fileOf: async (id, at) => shelf.files.get(`${id}:${at}`) ?? null,
    // These spreads come last so that V8 reuses the shape of the properties before them: many stores are made.
    ...createMemoryRulings(shelf, clock),
    ...createMemoryReadings(shelf),
  }
}

type Timed = readonly [string, number]

/** Returns the due times sorted as Redis does: by time, then by id. */
function alarms({ wake }: Shelf): readonly Timed[] {
  return [...wake].sort(([a, one], [b, other]) => one - other || (a < b ? -1 : 1))
}

function newestFirst([a, one]: Timed, [b, other]: Timed): number {
  return other - one || (a < b ? 1 : -1)
}

function headOf({ audit, start }: Shelf): Head {
  const { seq, mac } = audit.at(-1) ?? start
  return { seq, mac }
}

type Listed = Omit<Endpoint, 'status'> & { readonly status?: string | undefined }

/** Returns the part of an endpoint that the stored list keeps. */
function keptOf({ id, name, active, status, gpu, replicas, autoscaled, tags = [] }: Listed): Endpoint {
  return {
    id,
    name,
    active,
    ...(status !== undefined && { status }),
    ...(gpu !== undefined && { gpu }),
    ...(replicas !== undefined && { replicas }),
    ...(autoscaled !== undefined && { autoscaled }),
    ...(tags.length > 0 && { tags }),
  }
}
