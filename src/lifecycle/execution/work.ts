import { defined } from '../../core/model/defined.ts'
import { type Endpoint, stateOfWord } from '../../core/model/endpoint.ts'
import type { Progress, Seen, Send } from '../../core/model/plan.ts'
import type { Event, Request } from '../../core/model/request.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'

/** A step of a request's plan, its progress and last call, and the endpoint's id and name. `at`: the step's index. */
export type Work = Readonly<ReturnType<typeof currentStep>> & {
  /** The operation that was done to the endpoint before this one; null: none, undefined: not read yet. */
  readonly earlier?: Request | null | undefined
}

/** A read that is later than planned by this comes after an outage of ours, ms. On a busy machine, many are late. */
const outage = 5 * 60_000

export function currentStep(services: Services, claim: ClaimedRequest, request = claim.request) {
  const at = request.progress?.findIndex(({ done }) => done !== true) ?? -1
  const step = request.plan?.[at]
  const progress = request.progress?.[at]
  if (step === undefined || progress === undefined || request.endpoint === undefined) {
    throw new Error('A running request has no step left.')
  }
  const now = services.clock.now()
  const { unreadSince: _, goneSince: __, ...read } = progress
  // It breaks a run of reads: those before it say nothing about the first one after it.
  const past = pastOf(now - (request.nextAt ?? now) > outage ? read : progress, now)
  return { services, claim, request, at, step, progress: past, last: past.sends.at(-1), ...request.endpoint }
}

/** Brings times after `now` (ms), stored before the clock was set back, to `now`. Otherwise the step waits for them. */
function pastOf(progress: Progress, now: number): Progress {
  const { sends, looks, unreadSince = now, goneSince = now } = progress
  if ([...sends, ...looks].every(({ at }) => at <= now) && Math.max(unreadSince, goneSince) <= now) return progress
  const early = <T extends { readonly at: number }>(one: T): T => ({ ...one, at: Math.min(one.at, now) })
  return {
    ...progress,
    sends: sends.map(({ outcome, ...send }) => ({ ...early(send), ...(outcome && { outcome: early(outcome) }) })),
    looks: looks.map(early),
    ...(progress.unreadSince !== undefined && { unreadSince: Math.min(unreadSince, now) }),
    ...(progress.goneSince !== undefined && { goneSince: Math.min(goneSince, now) }),
  }
}

/** Replaces the progress of one step. With a null `nextAt`, the work continues at once. */
export function withProgress(request: Request, at: number, progress: Progress, nextAt: number | null = null): Request {
  return { ...request, progress: (request.progress ?? []).with(at, progress), nextAt }
}

export async function saveProgress(work: Work, progress: Progress, events: readonly Event[]): Promise<void> {
  await work.claim.move(withProgress(work.claim.request, work.at, progress), events)
}

/** Keeps the last two reads and reads again after `wait` ms. */
export async function lookAgain(work: Work, seen: Seen | null, wait: number, kept = work.progress.looks) {
  const { services, claim, request, at } = work
  const { goneSince, unreadSince, ...progress } = work.progress
  const gone = seen === null && goneSince !== undefined && { goneSince }
  const unread = seen?.active == null && unreadSince !== undefined && { unreadSince }
  const looks = seen === null ? kept : [...kept, seen].slice(-2)
  await claim.move(
    withProgress(request, at, { ...progress, looks, ...gone, ...unread }, services.clock.now() + wait),
    [],
  )
}

/** Returns the platform's answer to a call, to be quoted in the request's ending. */
export function platformQuote(send: Send | undefined): { readonly quote?: string } {
  const says = send?.outcome?.says
  return typeof says !== 'string' || says === '' ? {} : { quote: says }
}

/** Returns our own sentence about a call to which the platform gave none. */
export function ownWords(send: Send | undefined): Words {
  const says = send?.outcome?.says
  return says === undefined || typeof says === 'string' ? '' : says
}

/** Returns the part of a read that is stored with a request. `at` in ms. */
export function seenIn(endpoint: Endpoint, at: number): Seen {
  const { active, status, replicas, replicasByState, updatedAt } = endpoint
  return defined({ at, active, status, replicas, running: replicasByState?.['RUNNING'], updatedAt })
}

/** "It’s running (DEPLOYING, 1 of 3 replicas running).": the state in the platform's words, for the history. */
export function lastSeen(seen: Seen | undefined): Words {
  if (seen === undefined || seen.active === null) return say('seen.unknown')
  if (!seen.active) return say('seen.stopped')
  const details = detailsOf(seen)
  return details === '' ? say('seen.running') : say('seen.up', { details })
}

function detailsOf({ status, ...seen }: Seen): Words {
  const counts = countsOf(seen)
  if (counts === '') return status ?? ''
  return status === undefined ? counts : say('seen.both', { status, counts })
}

function countsOf({ running, replicas }: Pick<Seen, 'running' | 'replicas'>): Words {
  return running === undefined || replicas === undefined ? '' : say('seen.replicas', { running, replicas })
}

/** "It’s starting (1 of 3 replicas running).": the state in our words, for cards. Failures keep the platform's. */
export function stateSeen(seen: Seen | undefined): Words {
  if (seen === undefined || seen.active !== true) return lastSeen(seen)
  const state = seen.status === undefined ? 'running' : stateOfWord(seen.status)
  const counts = state === 'failed' ? detailsOf(seen) : countsOf(seen)
  return state === undefined ? lastSeen(seen) : say('seen.state', { state, counts: counts === '' ? 'none' : counts })
}

/** "1 of 3 replicas running", and failures. The card itself says whether the endpoint is starting or stopping. */
export function progressSeen(seen: Seen): Words {
  const state = stateOfWord(seen.status ?? '')
  if (state === undefined || state === 'failed') return detailsOf(seen)
  const counts = countsOf(seen)
  return state === 'starting' && counts === '' ? say('seen.coming') : counts
}
