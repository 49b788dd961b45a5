import {
  assertMove,
  type Event,
  isEnded,
  type Press,
  type Request,
  wasCarriedOut,
} from '../../../src/core/model/request.ts'
import { type ClaimedRequest, type Clock, LeaseLost } from '../../../src/core/ports/services.ts'
import { commands } from './lines.ts'
import type { Mortal } from './mortal.ts'
import { chain, changeRecords, type Shelf, type Stored } from './shelf.ts'

export interface Leasing {
  readonly shelf: Shelf
  readonly clock: Clock
  readonly leaseMs: number
  readonly mortal: Mortal
}

/** How long Redis keeps ended requests, ms. */
const life = { query: 10 * 60_000, operation: 90 * 24 * 3_600_000 } as const

/** Returns a stored request, or null if there is none or it has expired. */
export function find({ shelf, clock }: Pick<Leasing, 'shelf' | 'clock'>, id: string): Stored | null {
  const stored = shelf.requests.get(id)
  if (stored === undefined) return null
  if (clock.monotonic() < stored.forgottenAt) return stored
  shelf.requests.delete(id)
  return null
}

/** Leases a request under a token, or notes for its holder that another worker tried. */
export function take(leasing: Leasing, id: string, token: string): Stored | null {
  const { shelf, clock, leaseMs } = leasing
  const stored = find(leasing, id)
  if (stored === null) {
    shelf.wake.delete(id)
    return null
  }
  const holder = holderOf(stored, clock)
  if (holder !== null && holder !== token) {
    stored.again = true
    return null
  }
  if (holder === null) stored.starts += 1
  stored.lease = { token, until: clock.monotonic() + leaseMs }
  stored.again = false
  shelf.wake.set(id, clock.now() + leaseMs)
  return stored
}

function holderOf({ lease }: Stored, clock: Clock): string | null {
  return lease !== null && clock.monotonic() < lease.until ? lease.token : null
}

/** Shared, because accessors made per request would keep its data alive until V8's next full collection. */
const parsing: Pick<ClaimedRequest, 'command' | 'query'> & ThisType<State> = {
  get command() {
    return commands.operation(this.request.line)
  },
  get query() {
    return commands.query(this.request.line)
  },
}

/** Returns a request that was just leased. Its lease is never renewed, because nothing takes time here. */
export function claimOf(leasing: Leasing, id: string, token: string, taken: Stored): ClaimedRequest {
  const { shelf, clock, leaseMs, mortal } = leasing
  let until = clock.monotonic() + leaseMs
  let moved: ((events: readonly Event[]) => void) | undefined
  let unsaved = false

  function mine(): Stored {
    const stored = find(leasing, id)
    if (stored === null || holderOf(stored, clock) !== token)
      throw new LeaseLost('Another worker has claimed this request.')
    return stored
  }

  const claim: State & ClaimedRequest = Object.assign(Object.create(parsing) as typeof parsing, stateOf(taken), {
    until: () => until,

    async move(next, events, options = {}) {
      const before = claim.request
      assertMove(before.status, next.status, events)
      await mortal.breath()
      const stored = mine()
      if (stored.version !== claim.version) throw new LeaseLost('Another worker has claimed this request.')
      const endpoint = next.endpoint?.id ?? ''
      const holder = shelf.locks.get(endpoint)
      if ((options.lock === 'take' || options.lock === 'free') && holder !== undefined && holder !== id)
        return { kind: 'taken', by: holder }
      if (options.records !== undefined && shelf.versions.get(options.records) !== shelf.recordsVersion)
        return { kind: 'outdated' }
      if (options.proposals !== undefined && options.proposals !== shelf.proposals) return { kind: 'outdated' }
      if (options.proposals !== undefined) shelf.proposals += 1
      if (options.lock === 'take') shelf.locks.set(endpoint, id)
      if (options.lock === 'drop' && holder === id) shelf.locks.delete(endpoint)
      stored.version += 1
      stored.request = next
      stored.starts = 0
      const told = next.stranger === true || options.stranger === true ? [] : events
      stored.events.push(...told)
      const { answered = 0, change } = options
      if (answered > 0) stored.presses = stored.presses.slice(answered)
      if (wasCarriedOut(next)) shelf.done.set(endpoint, id)
      if (next.kind === 'operation' && next.ending !== undefined && next.stranger !== true)
        remember(shelf, id, next.ending.at)
      chain(
        shelf,
        told.map((event) => () => ({ ...event, request: id, line: next.line, status: next.status })),
      )
      claim.request = next
      claim.version = stored.version
      claim.presses = claim.presses.slice(answered)
      // The listener judges by the records from before this move.
      shelf.onMove({ before, after: next, events, options })
      if (change !== undefined) changeRecords(shelf, change)
      await mortal.breath()
      moved?.(events)
      return { kind: 'moved' }
    },

    watch(listener) {
      moved = listener
    },

    async savePosts(posts, when) {
      unsaved = when === 'later'
      if (!unsaved) {
        await mortal.breath()
        mine().posts = posts
      }
      claim.posts = posts
    },

    async release(at) {
      await mortal.breath()
      const stored = find(leasing, id)
      if (stored === null || holderOf(stored, clock) !== token) return true
      if (unsaved) stored.posts = claim.posts
      unsaved = false
      if (stored.again) {
        stored.again = false
        stored.lease = { token, until: clock.monotonic() + leaseMs }
        return false
      }
      stored.starts = 0
      stored.lease = null
      if (at === null) shelf.wake.delete(id)
      else shelf.wake.set(id, at)
      const over = at === null && isEnded(claim.request.status)
      if (over)
        stored.forgottenAt = clock.monotonic() + life[claim.request.stranger === true ? 'query' : claim.request.kind]
      return true
    },

    async refresh() {
      await mortal.breath()
      const stored = take(leasing, id, token)
      if (stored === null) throw new LeaseLost('Another worker has claimed this request.')
      until = clock.monotonic() + leaseMs
      Object.assign(claim, stateOf(stored))
    },

    async leave() {
      const stored = find(leasing, id)
      if (stored === null || holderOf(stored, clock) !== token) return
      stored.starts -= 1
      stored.lease = null
      shelf.wake.set(id, clock.now())
    },

    abandon() {
      until = Number.NEGATIVE_INFINITY
    },
  } satisfies Omit<ClaimedRequest, keyof State | keyof typeof parsing>)
  return claim
}

function remember({ past }: Shelf, id: string, at: number): void {
  past.set(id, at)
  for (const [other, ended] of past) if (ended < at - life.operation) past.delete(other)
}

interface State {
  version: number
  request: Request
  posts: string | null
  starts: number
  presses: readonly Press[]
}

function stateOf({ version, request, posts, starts, presses }: Stored): State {
  return { version, request, posts, starts, presses: presses.map((press) => JSON.parse(press) as Press) }
}
