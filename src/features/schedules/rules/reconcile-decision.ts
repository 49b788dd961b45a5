import type { ReconcileState } from '../../../core/model/records.ts'
import { terms } from '../../../core/model/request.ts'
import type { Rules } from '../../../core/model/rules.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import { type Decider, type Desired, isLeftOutAfter, occurrenceOf, stopperOf } from './desired-state.ts'
import { desiredAs } from './equal-rules.ts'

/** The current decision about an endpoint. What comes next is found out only if it is asked for, as it seldom is. */
export interface CurrentDecision {
  readonly decision: Desired
  readonly occurrence: string
  /** The stop that the end of the decision brings, if any. `at` in ms. */
  stop(): (Pick<CurrentDecision, 'decision' | 'occurrence'> & { readonly at: number }) | null
  /** When a stop that is wanted now is no longer wanted, ms; null if that is unknown, or no stop is wanted. */
  wantedUntil(): number | null
}

/** A start or stop to hand in. Instants in ms; `nominal`: when the rule wanted it. */
export interface DueChange {
  readonly want: 'up' | 'down'
  readonly due: number
  readonly nominal: number
  readonly by: Decider
  /** The change would be undone before it comes, so it is not handed in again. */
  readonly tooLate?: true
}

/** What to do about an endpoint at a look. Instants in ms. */
export type ReconcileAction =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'forget' }
  | { readonly kind: 'note'; readonly state: 'met' | 'held' }
  | ({ readonly kind: 'ask' } & DueChange)
  /** A request was handed in: check what became of it, and hand it in again if necessary. */
  | ({ readonly kind: 'follow' } & DueChange)
  /** A start that is too late to be worthwhile. */
  | { readonly kind: 'missed'; readonly nominal: number; readonly until: number | null; readonly by: Decider }
  /** A person changed the endpoint against its rules: it stays so until `until`. */
  | { readonly kind: 'moved'; readonly want: 'up' | 'down'; readonly until: number }

export interface ReconcileOutcome {
  /** The current decision or the next stop; null if there is nothing to pursue. */
  readonly occurrence: string | null
  readonly what: ReconcileAction
}

/** A clock that goes back by more was wrong before, ms. */
const mostBack = 2 * 3_600_000
const nothing = { kind: 'nothing' } as const

/** Returns the current decision as `reconcileAction` takes it; valid until the decision ends. */
export function currentDecisionOf(id: string, rules: Rules, now: number): CurrentDecision {
  const desiredAt = desiredAs(rules)
  const decision = desiredAt(now)
  const { want, by, until } = decision
  return {
    decision: { ...decision, by: stopperOf(rules, decision) },
    occurrence: occurrenceOf(id, decision),
    stop() {
      const next = want === 'down' || until === null ? null : desiredAt(until)
      if (next?.want !== 'down' || until === null || isLeftOutAfter(by, rules, until, next.until)) return null
      return { decision: { ...next, by: stopperOf(rules, next) }, occurrence: occurrenceOf(id, next), at: until }
    },
    wantedUntil: () => (want === 'down' && until !== null && desiredAt(until).want !== 'down' ? until : null),
  }
}

/** Compares the desired and the actual state. `notice`: ms before a stop. `reconcileState`: what was done before. */
export function reconcileAction(
  current: CurrentDecision,
  active: boolean,
  now: number,
  notice: number,
  reconcileState: ReconcileState | undefined,
): ReconcileOutcome {
  const { want, by, since, until } = current.decision
  const { occurrence } = current
  // The clock has gone back, so there was already a look at this instant, except for what somebody has asked for since.
  const isNew = by.kind === 'once' && stateOf(reconcileState, occurrence) === undefined
  if (reconcileState !== undefined && now < reconcileState.at && reconcileState.at - now <= mostBack && !isNew)
    return { occurrence: null, what: nothing }
  const stop = active && until !== null && until - shortened(notice, by) <= now ? current.stop() : null
  if (stop !== null) {
    const { since: nominal, by: stopper } = stop.decision
    const asking = { want: 'down', due: stop.at, nominal, by: stopper } as const
    return { occurrence: stop.occurrence, what: announcing(asking, stateOf(reconcileState, stop.occurrence), now) }
  }
  if (want === 'hands off') return { occurrence: null, what: handsOff(by, now, reconcileState) }
  const known = stateOf(reconcileState, occurrence)
  // Noted again if a stop was announced in the meantime and then dropped, or if this was met before its time.
  if (active === (want === 'up'))
    return {
      occurrence,
      what:
        known?.state === 'met' && known === reconcileState && known.at >= since
          ? nothing
          : { kind: 'note', state: 'met' },
    }
  const asking = { want, due: want === 'up' ? now : now + notice, nominal: since, by }
  const wantedUntil = current.wantedUntil()
  const tooLate = wantedUntil !== null && wantedUntil <= asking.due
  switch (known?.state) {
    case 'asked':
      return { occurrence, what: { kind: 'follow', ...asking, ...(tooLate && ({ tooLate } as const)) } }
    case 'left':
      return { occurrence, what: nothing }
    case 'met':
      // A read may lag behind.
      if (now - known.at < terms.lag) return { occurrence, what: nothing }
      // Stopped before its time, and started again since.
      if (known.at < since) return { occurrence, what: { kind: 'ask', ...asking } }
      return { occurrence, what: { kind: 'moved', want, until: until ?? now + dayMs } }
    default:
      if (known === undefined && want === 'up' && !isWorthStarting(since, until, now))
        return { occurrence, what: { kind: 'missed', nominal: since, until, by } }
      if (tooLate) return { occurrence, what: nothing }
      return { occurrence, what: { kind: 'ask', ...asking } }
  }
}

/** Returns how long before the end of a run its stop is announced, ms: a short run only after half of it. */
function shortened(notice: number, by: Decider): number {
  if (by.kind !== 'once' || by.want !== 'up' || by.until === undefined) return notice
  // The next look comes a minute later, and the stop may not be late for that.
  return Math.min(notice, Math.max(2 * terms.scheduleWarning, (by.until - by.at) / 2))
}

/** Returns the state of an occurrence. If it was met, it stays so while the stop after it is announced. */
function stateOf(reconcileState: ReconcileState | undefined, occurrence: string): ReconcileState | undefined {
  if (reconcileState?.occurrence === occurrence) return reconcileState
  return reconcileState?.before === occurrence
    ? { ...reconcileState, occurrence, state: 'met', attempts: 0 }
    : undefined
}

/** Announces the next stop of a running endpoint, again if it was stopped before its time and started since. */
function announcing(asking: DueChange, known: ReconcileState | undefined, now: number): ReconcileAction {
  if (known?.state === 'left' || (known?.state === 'met' && now - known.at < terms.lag)) return nothing
  return { kind: known?.state === 'asked' ? 'follow' : 'ask', ...asking }
}

/** A freeze keeps a finished state; a hold or a protection pauses any state. */
function handsOff({ kind: by }: Decider, now: number, reconcileState: ReconcileState | undefined): ReconcileAction {
  if (reconcileState === undefined || reconcileState.state === 'held')
    return by === 'nothing' && reconcileState ? { kind: 'forget' } : nothing
  const isDone = reconcileState.state === 'met' || reconcileState.state === 'left'
  if (by === 'nothing') return isDone && now - reconcileState.at <= mostBack ? nothing : { kind: 'forget' }
  return by === 'freeze' && isDone ? nothing : { kind: 'note', state: 'held' }
}

/** Whether a late start still has half an hour or a quarter of its time. Instants in ms; `until` null: no end. */
export function isWorthStarting(nominal: number, until: number | null, now: number): boolean {
  if (until === null) return true
  const left = until - now
  return left > 0 && (left >= 30 * 60_000 || left >= (until - nominal) / 4)
}
