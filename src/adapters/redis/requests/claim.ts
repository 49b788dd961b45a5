import { randomUUID } from 'node:crypto'
import { parseOnce } from '../../../core/commands/commands.ts'
import { jsonIn, Newer, written } from '../../../core/model/formats.ts'
import {
  assertMove,
  type Event,
  isEnded,
  type Request,
  wasCarriedOut,
  wasPlanned,
} from '../../../core/model/request.ts'
import { say } from '../../../core/model/words.ts'
import { unmetered } from '../../../core/ports/meter.ts'
import { type ClaimedRequest, LeaseLost, type Moved, type MoveOptions, Tampered } from '../../../core/ports/services.ts'
import { Unproven } from '../../../core/requests/claim-other.ts'
import { orLeaseLost, scriptOn } from '../connection/calls.ts'
import { entryOf } from '../integrity/chain.ts'
import { type Answer, type Proven, provenArgs, type StoreContext } from '../integrity/proof.ts'
import { deflated, macLength } from '../integrity/sign.ts'
import type { IntakeOptions } from './intake.ts'
import { logMove } from './log-move.ts'
import { misled } from './remembered.ts'
import * as scripts from './scripts.ts'
import { loadReadable, requestText, type StoredState, stateIn } from './state.ts'

interface Leases extends StoreContext, Pick<IntakeOptions, 'clock' | 'commands' | 'log' | 'meter'> {
  /** The length of a lease, ms. It is renewed after each third of that. */
  readonly leaseMs: number
}

/** Claims a request; null while another worker has claimed it. Throws Tampered, Newer, Unproven. */
export function claiming(leases: Leases): (id: string) => Promise<ClaimedRequest | null> {
  const { redis, keys, clock, commands, leaseMs, meter = unmetered, log, signer, trail, proof } = leases
  const claim = scriptOn(redis, 'lamplighterClaim', scripts.claim)
  const renew = scriptOn(redis, 'lamplighterRenew', scripts.renew)
  const savePosts = scriptOn(redis, 'lamplighterSavePosts', scripts.savePosts)
  const leave = scriptOn(redis, 'lamplighterLeave', scripts.leave)
  const release = scriptOn(redis, 'lamplighterRelease', scripts.release)
  const setAside = scriptOn(redis, 'lamplighterSetAside', scripts.setAside)
  const move = moverOn(leases)

  /** Takes or keeps the lease and reads the stored request; null if another worker has claimed it. */
  async function take(id: string, token: string) {
    const since = clock.monotonic()
    const rootIn = proof.beginRead()
    const places = [keys.request(id), keys.lease(id), keys.presses(id), keys.wake, keys.root]
    const answer = await claim(places, [token, leaseMs, id, clock.now() + leaseMs])
    const [kind, ...fields] = answer as unknown[]
    if (kind !== 'yours') return null
    const read = () => ({ root: rootIn(String(fields[5])), state: stateIn(signer, id, fields) })
    return { until: since + leaseMs, text: String(fields[1]), read }
  }

  /** Gives the lease back. A newer process can read the request, or this one once the project is locked. */
  async function leaveForLater(id: string, token: string): Promise<void> {
    await leave([keys.lease(id), keys.request(id), keys.wake], [token, id, clock.now()])
  }

  function claimOf(id: string, token: string, claimedUntil: number, claimed: StoredState): ClaimedRequest {
    const parsed = parseOnce(commands)
    let until = claimedUntil
    let extending = false
    const renewal = setInterval(() => void extend(), leaseMs / 3)

    async function extend(): Promise<void> {
      // One at a time: a connection that sends but gets no answers must not keep the lease forever.
      if (extending) return
      extending = true
      const asked = clock.monotonic()
      const kept = await renew([keys.lease(id)], [token, leaseMs]).catch(() => 0)
      // A lease that cannot be renewed ends at its time, and no call is made that would outlive it.
      if (kept === 1) until = asked + leaseMs
      extending = false
    }

    function abandon(): void {
      clearInterval(renewal)
      until = Number.NEGATIVE_INFINITY
    }

    let moved: (() => void) | undefined
    /** Posts that have changed since the last save. */
    let unsaved: string | undefined

    /** Posts are packed only when they are final, because they are soon written again until then. */
    function postsText(posts: string): string {
      const lasts = isEnded(claim.request.status) && !posts.includes('"sending"')
      return signer.sign(['posts', id], lasts ? deflated(posts) : posts)
    }

    function endOf({ project, line, via = 'typed', status, ask, receivedAt, ending, through }: Request) {
      const verb = commands.find(line.split(' ', 1)[0] ?? '')?.name ?? 'unknown'
      const seconds = Math.max(0, (ending?.at ?? clock.now()) - receivedAt) / 1_000
      return { project, verb, via, end: status, asked: ask !== undefined, seconds, token: through?.token }
    }

    const claim = {
      ...claimed,
      get command() {
        return parsed.operation(claim.request.line)
      },
      get query() {
        return parsed.query(claim.request.line)
      },
      until: () => until,

      async move(next, events, options = {}) {
        const answer = await move(claim, token, next, events, options)
        if (answer.kind !== 'moved') return answer
        if (!isEnded(claim.request.status) && isEnded(next.status)) meter.happened('ended', endOf(next))
        const presses = claim.presses.slice(options.answered ?? 0)
        Object.assign(claim, { request: next, version: claim.version + 1, presses })
        logMove(log, next, events)
        moved?.()
        return answer
      },

      watch(listener) {
        moved = listener
      },

      async savePosts(posts, when) {
        const places = [keys.request(id), keys.lease(id)]
        if (when === undefined && (await orLeaseLost(savePosts(places, [token, postsText(posts)]))) !== 1)
          throw leaseLost()
        unsaved = when === 'later' ? posts : undefined
        Object.assign(claim, { posts })
      },

      async release(at) {
        const over = at === null && isEnded(claim.request.status)
        const places = [keys.request(id), keys.lease(id), keys.wake, keys.presses(id)]
        const kind = claim.request.stranger === true ? 'query' : claim.request.kind
        const last = [over ? life[kind] : '', claim.presses.length, unsaved === undefined ? '' : postsText(unsaved)]
        const words = [token, randomUUID(), leaseMs, id, at ?? '', ...last]
        const kept = await orLeaseLost(release(places, words))
        unsaved = undefined
        if (kept !== 0) clearInterval(renewal)
        return kept !== 0
      },

      async refresh() {
        const again = await orLeaseLost(take(id, token))
        if (again === null) throw leaseLost()
        until = again.until
        const { root, state } = again.read()
        if (state.version < claim.version) throw new Tampered(say('lockdown.oldRequest', { id }))
        await trail.prove(root, state.version, state.request)
        Object.assign(claim, state)
      },

      async leave() {
        abandon()
        await leaveForLater(id, token)
      },

      abandon,
    } satisfies ClaimedRequest as ClaimedRequest
    return claim
  }

  return async (id) => {
    const token = randomUUID()
    const taken = await take(id, token)
    if (taken === null) return null
    try {
      const { root, state } = taken.read()
      const claim = () => claimOf(id, token, taken.until, state)
      if (await trail.prove(root, state.version, state.request)) return claim()
      throw new Unproven(id, claim)
    } catch (error) {
      const isLost = error instanceof Tampered && error.of === 'all'
      if (error instanceof Newer || isLost) await leaveForLater(id, token)
      // The request is set aside for inspection, so that it fails only once. It releases only a lock that names it.
      else if (error instanceof Tampered) {
        const lock = keys.lock(endpointIn(taken.text))
        await setAside([keys.request(id), keys.lease(id), keys.wake, keys.aside(id), lock], [token, id, life.operation])
      }
      throw error
    }
  }
}

function leaseLost(): LeaseLost {
  return new LeaseLost('Another worker has claimed this request.')
}

/** Returns the endpoint that an untrusted text seems to be about, or ''. */
function endpointIn(stored: string): string {
  const about = jsonIn(stored.slice(macLength)) as { readonly endpoint?: { readonly id?: unknown } } | null | undefined
  const id = about?.endpoint?.id
  return typeof id === 'string' ? id : ''
}

/** How long an ended request is remembered, ms: a query's answer is soon stale, an operation is history. */
const life = { query: 10 * 60_000, operation: 90 * 24 * 3_600_000 } as const

/** Moves a request to its next state, for the holder of the lease. Throws LeaseLost, Tampered, Newer. */
function moverOn(context: StoreContext) {
  const { redis, keys, signer, proof, policy } = context
  const script = scriptOn(redis, 'lamplighterMove', scripts.move)

  return async (
    { version, request }: Pick<StoredState, 'version' | 'request'>,
    token: string,
    next: Request,
    events: readonly Event[],
    { lock, answered = 0, stranger, unaudited, change, records, proposals }: MoveOptions,
  ): Promise<Moved> => {
    const { id, status } = request
    assertMove(status, next.status, events)
    if (records !== undefined) proof.understand(records)
    const endpoint = next.endpoint?.id ?? ''
    // Lines of strangers get no entries. The same write stores them to be counted later.
    const isCounted = next.stranger === true || stranger === true
    const places = [
      keys.request(id),
      keys.lease(id),
      keys.strangers,
      keys.presses(id),
      keys.lock(endpoint),
      keys.done(endpoint),
      keys.past,
      keys.root,
      keys.audit,
      keys.records,
      keys.recent(endpoint),
      keys.proposals,
      ...(isCounted ? [keys.stranger(events[0]?.by?.user ?? '')] : []),
    ]
    const isOver = !isEnded(status) && wasPlanned(next) && !isCounted
    const done = isOver ? (wasCarriedOut(next) ? 'done' : 'planned') : ''
    const text = requestText(signer, next, version + 1)
    const words = [token, randomUUID(), version, text, lock ?? '', id, answered, done, ...indexed(next)]
    const counted = isCounted ? events.map((event) => signer.sign(['stranger'], written('event', event))) : []
    async function send(proven?: Proven): Promise<Answer> {
      const entries = (proven?.links ?? []).map(({ seq }) => seq).join(',')
      return (await script(places, [...words, entries, proposals ?? '', ...provenArgs(proven), ...counted])) as Answer
    }
    const decided = { project: next.project, policy: policy()?.version ?? next.policy }
    const told = isCounted || unaudited === true ? [] : events
    const entries = told.map((event, nth) => {
      const about = { ...untold(next, nth === 0 ? request : next), version: version + 1 }
      return entryOf(decided, event, change === undefined ? about : { ...next, ...about }, change)
    })
    const proving = entries.length > 0 || change !== undefined || records !== undefined
    const [answer, by = ''] = await orLeaseLost(proving ? proof.carry({ entries, change, records }, send) : send())
    if (answer === 'taken') return takenBy(by, endpoint)
    if (answer === 'outdated') return { kind: answer }
    if (answer !== 'moved') throw leaseLost()
    return { kind: 'moved' }
  }

  /** A lock is only an id, so the request itself must say which endpoint it is about. */
  async function takenBy(by: string, endpoint: string): Promise<Moved> {
    const holder = await loadReadable(context, by)
    if (holder !== null && holder.endpoint?.id !== endpoint) throw misled('lock', endpoint)
    return { kind: 'taken', by }
  }
}

/** Fields that the entries of a request contain once, and again after a change. */
const saidOnce = ['line', 'actor', 'via', 'through', 'place', 'endpoint', 'digest'] as const

/** Returns what no entry says yet about a request. `before`: the request at its last entry, if it has one. */
function untold(next: Request, before: Request): Pick<Request, 'id' | 'status'> & Partial<Request> {
  if (before.status === 'received') return next
  const changed = saidOnce.filter((field) => next[field] !== before[field]).map((field) => [field, next[field]])
  return { id: next.id, status: next.status, ...Object.fromEntries(changed) }
}

/** Returns when an operation ended, or '', and the time before which operations are forgotten; ms since 1970. */
function indexed({ kind, ending, stranger }: Request): readonly [number | '', number] {
  return kind === 'operation' && ending !== undefined && stranger !== true
    ? [ending.at, ending.at - life.operation]
    : ['', 0]
}
