import { idleRuleOf } from '../../core/model/automation.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Idle } from '../../core/model/reading.ts'
import { type IdleRule, type ReconcileState, type Records, recordOn } from '../../core/model/records.ts'
import { isSame, policyFile } from '../../core/model/roles.ts'
import type { Hold, Rules } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { lookInstant, type WatchedEndpoint } from '../../core/ports/endpoint-use.ts'
import type { BotServices, Services } from '../../core/ports/services.ts'
import { dayMs } from '../../core/time/calendar.ts'
import type { LookContext } from '../schedules/look.ts'
import { desired } from '../schedules/rules/desired-state.ts'
import { bookFor } from '../schedules/rules/rulebook.ts'
import { idleClock } from './idle-clock.ts'

/** How long an early restart counts, ms. */
const remembered = 30 * dayMs
/** Each early restart multiplies the idle time by 1.5, all of them together by 4 at most. */
const growth = 1.5
const mostGrowth = 4

/** Returns the instants (ms) of early restarts that still count. */
export function earlyRestartsOf(records: Records, endpoint: string, now: number): readonly number[] {
  return recordOn(records, 'regrets', endpoint)?.at.filter((at) => now - at < remembered) ?? []
}

/** Returns the idle time (ms), which grows with each early restart up to what the policy allows. */
export function idleTimeOf({ after }: Pick<IdleRule, 'after'>, earlyRestarts: number, most: number): number {
  return Math.max(after, Math.min(after * Math.min(growth ** earlyRestarts, mostGrowth), most))
}

/** Says why an endpoint is not stopped for idleness at `now` (ms), as the end of a sentence; or null. */
export function whySpared(rules: Rules, { autoscaled }: Endpoint, rule: IdleRule, now: number): Words | null {
  if (rules.protected) return say('spared.protected')
  if (autoscaled === true && rule.autoscaled !== true) return say('spared.autoscaled')
  const { want, by } = desired(rules, now)
  if (by.kind === 'freeze') return say('spared.frozen')
  if (by.kind === 'hold') return say('spared.kept')
  if (by.kind === 'once' && want === 'up' && by.until !== undefined)
    return say('spared.run', { until: { at: by.until } })
  return want === 'hands off' ? null : say('spared.schedule', { want })
}

/**
 * `since`: the instant from which quiet counts at `now` (ms): the end of a hold, a stop that was not made, or the
 * creation of the rule. A policy rule counts as created at the first look that sees its idle time, `after`. `since`
 * never goes back, so a period of quiet keeps its id.
 */
export function floorOf(
  noted: Pick<ReconcileState, 'state' | 'at' | 'since' | 'after'> | undefined,
  rule: IdleRule | null,
  holds: readonly Pick<Hold, 'until'>[],
  now: number,
): Pick<ReconcileState, 'since' | 'after'> {
  const after = rule !== null && isSame(rule.owner, policyFile) ? rule.after : undefined
  const bounds = [
    // A hold that was ended early counts only until now.
    ...(noted?.since === undefined ? [] : [Math.min(noted.since, now)]),
    ...(noted?.state === 'left' ? [noted.at] : []),
    ...holds.map(({ until }) => until),
    ...(after !== undefined && after !== noted?.after ? [now] : []),
    ...(rule !== null ? [rule.at] : []),
  ]
  return { ...(bounds.length > 0 && { since: Math.max(...bounds) }), ...(after !== undefined && { after }) }
}

export type IdleContext = Omit<LookContext, 'listed' | 'acting'>

export async function idleContextNow(services: BotServices): Promise<IdleContext> {
  const [records, reconcileStates] = await Promise.all([services.store.records(), services.store.reconcileStates()])
  const [policy, now] = [services.policy(), services.clock.now()]
  return { records, policy, book: bookFor(services, records), reconcileStates, now }
}

export function idlingKey(endpoint: string): string {
  return `idle ${endpoint}`
}

/** Returns an endpoint's idle clock as of its last look. `rule` null: as it would run without a rule's limits. */
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

export type IdleCandidate = Readonly<NonNullable<ReturnType<typeof idleCandidateOf>>>

/** Returns null if the endpoint is not watched for idleness. `earlyRestarts`: how many have made `idleMs` longer. */
export function idleCandidateOf(context: IdleContext, endpoint: Endpoint, watched: WatchedEndpoint) {
  const { records, policy, book, reconcileStates, now } = context
  const rule = idleRuleOf(records, policy, endpoint)
  if (rule === null) return null
  const earlyRestarts = earlyRestartsOf(records, endpoint.id, now).length
  const idleMs = idleTimeOf(rule, earlyRestarts, policy.automation.idle.most)
  const clock = clockOf(context, endpoint, watched, rule, idleMs)
  // This period of quiet leads to one stop at most.
  const occurrence = `${endpoint.id}.idle.${clock.since}`
  const spared = whySpared(book.of(endpoint), endpoint, rule, now)
  const reconcileState = reconcileStates.get(idlingKey(endpoint.id))
  return { endpoint, rule, watched, idleMs, earlyRestarts, clock, occurrence, spared, reconcileState, now }
}

/** Saves the instants from which quiet counts, if they have changed, and returns the context with them. */
export async function noteFloors(services: Services, context: IdleContext, active: readonly Endpoint[]) {
  const { records, policy, book, reconcileStates, now } = context
  const changes = new Map(active.flatMap(floorNow))
  if (changes.size === 0) return context
  await services.store.noteReconcileStates(changes)
  return { ...context, reconcileStates: new Map([...reconcileStates, ...changes]) }

  function floorNow(endpoint: Endpoint): readonly [string, ReconcileState][] {
    const key = idlingKey(endpoint.id)
    const noted = reconcileStates.get(key)
    const rule = idleRuleOf(records, policy, endpoint)
    // Without a rule, only `after` matters: a policy rule that comes back counts as a new one.
    if (rule === null && noted?.after === undefined) return []
    const floor = floorOf(noted, rule, book.of(endpoint).holds, now)
    if (floor.since === noted?.since && floor.after === noted?.after) return []
    const { after: _, ...rest } = noted ?? { occurrence: '', state: 'held', attempts: 0, at: now }
    return [[key, { ...rest, ...floor }]]
  }
}
