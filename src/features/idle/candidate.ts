import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Idle } from '../../core/model/reading.ts'
import type { IdleRule, ReconcileState } from '../../core/model/records.ts'
import type { Words } from '../../core/model/words.ts'
import { lookInstant, type WatchedEndpoint } from '../../core/ports/metrics.ts'
import type { Services } from '../../core/ports/services.ts'
import type { LookContext } from '../schedules/look.ts'
import { bookFor } from '../schedules/rules/rulebook.ts'
import { idleClock } from './idle-clock.ts'
import { earlyRestartsOf, floorOf, idleRuleOf, idleTimeOf, whySpared } from './idle-rules.ts'

export interface IdleCandidate {
  readonly endpoint: Endpoint
  readonly rule: IdleRule
  readonly watched: WatchedEndpoint
  /** The idle time, ms, and how many early restarts have made it longer. */
  readonly idleMs: number
  readonly earlyRestarts: number
  readonly clock: Idle
  /** The id of this time of quiet, which leads to one stop at most. */
  readonly occurrence: string
  /** Why it is not stopped whatever its clock says, as the end of a sentence; or null. */
  readonly spared: Words | null
  readonly reconcileState: ReconcileState | undefined
  readonly now: number
}

export type IdleContext = Omit<LookContext, 'listed' | 'acting'>

/** What idle clocks are read from. */
export type IdleSources = Pick<Services, 'policy' | 'clock'> & {
  readonly store: Pick<Services['store'], 'records' | 'reconcileStates' | 'watchedOf' | 'lastDone'>
}

export async function idleContextNow(services: IdleSources): Promise<IdleContext> {
  const [records, reconcileStates] = await Promise.all([services.store.records(), services.store.reconcileStates()])
  return {
    records,
    policy: services.policy(),
    book: bookFor(services, records),
    reconcileStates,
    now: services.clock.now(),
  }
}

export function idlingKey(endpoint: string): string {
  return `idle ${endpoint}`
}

/** The idle clock of an endpoint as of its last look. `rule` null: as it would run without limits of a rule. */
export function clockOf(
  { book, reconcileStates, now }: IdleContext,
  endpoint: Endpoint,
  watched: WatchedEndpoint,
  rule: IdleRule | null,
  idleMs: number,
): Idle {
  const { segments, newest } = watched
  const floor = floorOf(reconcileStates.get(idlingKey(endpoint.id)), rule, book.of(endpoint).holds, now).since
  return idleClock(segments, { floor, newestReplica: newest }, idleMs, lookInstant(watched, now))
}

/** Null if the endpoint is not watched for idleness. */
export function idleCandidateOf(
  context: IdleContext,
  endpoint: Endpoint,
  watched: WatchedEndpoint,
): IdleCandidate | null {
  const { records, policy, book, reconcileStates, now } = context
  const rule = idleRuleOf(records, policy, endpoint)
  if (rule === null) return null
  const earlyRestarts = earlyRestartsOf(records, endpoint.id, now).length
  const idleMs = idleTimeOf(rule, earlyRestarts, policy.automation.idle.most)
  const clock = clockOf(context, endpoint, watched, rule, idleMs)
  const occurrence = `${endpoint.id}.idle.${clock.since}`
  const spared = whySpared(book.of(endpoint), endpoint, rule, now)
  const reconcileState = reconcileStates.get(idlingKey(endpoint.id))
  return { endpoint, rule, watched, idleMs, earlyRestarts, clock, occurrence, spared, reconcileState, now }
}

/** Saves from when on quiet counts, if that has changed, and returns the context with it. */
export async function noteFloors(
  services: Services,
  context: IdleContext,
  active: readonly Endpoint[],
): Promise<IdleContext> {
  const { records, policy, book, reconcileStates, now } = context
  const changes = new Map(active.flatMap(floorNow))
  if (changes.size === 0) return context
  await services.store.noteReconcileStates(changes)
  return { ...context, reconcileStates: new Map([...reconcileStates, ...changes]) }

  function floorNow(endpoint: Endpoint): readonly [string, ReconcileState][] {
    const key = idlingKey(endpoint.id)
    const noted = reconcileStates.get(key)
    const rule = idleRuleOf(records, policy, endpoint)
    // Without a rule only `after` matters: a policy rule that comes back counts as a new one.
    if (rule === null && noted?.after === undefined) return []
    const floor = floorOf(noted, rule, book.of(endpoint).holds, now)
    if (floor.since === noted?.since && floor.after === noted?.after) return []
    const { after: _, ...rest } = noted ?? { occurrence: '', state: 'held', attempts: 0, at: now }
    return [[key, { ...rest, ...floor }]]
  }
}
