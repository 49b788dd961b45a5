import {
  type Goal,
  isUnclear,
  type LateCall,
  looksSame,
  type Progress,
  type Seen,
  type Send,
  type Step,
  showsEffect,
} from '../../core/model/plan.ts'
import { terms } from '../../core/model/request.ts'

/** How often a start or stop is sent in total while its answers are unclear. */
const mostUnclear = 3
/** How often a call that was not applied is sent again. */
const mostTurnedAway = 5
/** The first and the longest pause before a call is sent again, ms. Each pause is twice the previous one. */
const [firstPause, longestPause] = [5_000, 60_000]

/** What to do about a call without a success from the platform. */
export type ResendDecision =
  /** A read shows its effect, so it counts as answered. */
  | { readonly kind: 'applied' }
  | { readonly kind: 'send'; readonly before: Seen }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Not applied and not sent again: the platform refused it or did not take it, or someone changed the endpoint. */
  | { readonly kind: 'over'; readonly why: 'refused' | 'turned away' | 'changed' }
  /** May have been applied, or may still be, and is not sent again. */
  | { readonly kind: 'unknown' }

/** A step whose last call has no success, as of `now` (ms since 1970). */
export interface UnclearCall {
  readonly step: Pick<Step, 'goal' | 'repeatable' | 'needs' | 'always'>
  readonly progress: Progress
  /** What a read has just shown; null if the read failed. */
  readonly seen: Seen | null
  readonly now: number
  /** The time limit of a call, ms. */
  readonly timeoutMs: number
  /** A later step of the plan does the opposite, which a late call would undo. */
  readonly undoneLater: boolean
}

/**
 * What is sent again, when and how often:
 *
 * - a definite no, and a patch or scale without a clear answer: never;
 * - a call that the platform did not take: five times, after the pause it asked for or a growing one;
 * - a start or stop without a clear answer: three times in total, after growing pauses and two equal reads without an
 *   effect or any other change;
 * - a start that restores what we stopped: for half an hour, after growing pauses and two reads that show it stopped;
 *   any other restoring step: for half an hour too, while it is not taken; both once more after a longer outage of ours.
 */
export function resendDecision(call: UnclearCall): ResendDecision {
  const { step, progress, now } = call
  const { sends } = progress
  const last = sends.at(-1)
  if (last === undefined) throw new Error('There is no call to send again.')
  const kind = last.outcome === undefined || last.outcome.doubted === true ? 'unknown' : last.outcome.kind
  const rest = waitBeforeResend(sends, now)
  if (rest > 0) return { kind: 'wait', ms: rest }
  const seen = call.seen?.active == null ? null : call.seen
  const isThere = seen !== null && showsEffect(step.goal, seen)
  // A refusal concerns only the last call. An earlier unclear one may have been applied.
  if (kind === 'refused' && !(isThere && sends.some(isUnclear))) return { kind: 'over', why: 'refused' }
  if (isThere) {
    const isOurs = kind === 'failed' || step.always === true || sends.some(isUnclear)
    return isOurs ? { kind: 'applied' } : { kind: 'over', why: 'changed' }
  }
  // No read shows whether settings were applied.
  if (step.goal === 'answered' && kind !== 'unreached') return { kind: 'unknown' }
  if (seen === null) return unread(call, last)
  if (kind === 'unreached') return turnedAway(call, last, seen)
  if (!isSeenTwice(call, seen)) return late(call, last) ? { kind: 'unknown' } : { kind: 'wait', ms: terms.apart }
  return kind === 'failed' ? { kind: 'over', why: 'refused' } : unanswered(call, last, seen)
}

/** How much longer to wait before resending a call that the platform did not take, ms; 0: send now. */
export function waitBeforeResend(sends: readonly Send[], now: number): number {
  return sends.at(-1)?.outcome?.kind === 'unreached' ? Math.max(0, dueAgain(sends) - now) : 0
}

/** When the last call could be sent again, ms since 1970: after the pause that the platform asked for or a growing one. */
export function dueAgain(sends: readonly Send[]): number {
  const { at = 0, outcome } = sends.at(-1) ?? {}
  if (outcome?.kind !== 'unreached') return outcome?.at ?? at
  return outcome.at + (outcome.pause ?? growing(sends.filter(isTurnedAway).length))
}

export function isRestoringStart({ always, repeatable }: Pick<Step, 'always' | 'repeatable'>): boolean {
  return always === true && repeatable
}

/** Returns a step's call that may still arrive and undo the next one, or null. `timeoutMs`: the limit of one call. */
export function lateCallOf(goal: Goal, sends: readonly Send[], timeoutMs: number): LateCall | null {
  if (goal !== 'serving' && goal !== 'stopped') return null
  const unclear = sends.filter(isUnclear)
  // The only unclear call has arrived, because its effect was seen.
  if (unclear.length === 0 || (unclear.length === 1 && unclear[0]?.outcome?.inferred === true)) return null
  return { goal, until: Math.max(...unclear.map((one) => givenUpAt(one, timeoutMs))) + terms.quarantine }
}

function unread({ step, progress, now, timeoutMs }: UnclearCall, last: Send): ResendDecision {
  const { unreadSince = now } = progress
  const isLong = isRestoringStart(step) ? isTooLong(progress, now) : now - givenUpAt(last, timeoutMs) > terms.settle
  // The first reads after an outage of ours may fail.
  if (!isLong || now - unreadSince < terms.decided) return { kind: 'wait', ms: terms.apart }
  return progress.sends.some(isUnclear) ? { kind: 'unknown' } : { kind: 'over', why: 'turned away' }
}

function turnedAway({ step, progress, now }: UnclearCall, last: Send, seen: Seen): ResendDecision {
  const { sends } = progress
  const over =
    step.always === true ? isTooLong(progress, now, seen) : sends.filter(isTurnedAway).length > mostTurnedAway
  if (over) return sends.some(isUnclear) ? { kind: 'unknown' } : { kind: 'over', why: 'turned away' }
  const fits = step.always === true ? step.needs !== 'active' || seen.active === true : looksSame(seen, last.before)
  return fits ? { kind: 'send', before: seen } : { kind: 'over', why: 'changed' }
}

function unanswered(call: UnclearCall, last: Send, seen: Seen): ResendDecision {
  const { step, progress, now, timeoutMs, undoneLater } = call
  const waited = now - givenUpAt(last, timeoutMs)
  if (!step.repeatable) return waited < terms.decided ? wait(terms.decided - waited) : { kind: 'unknown' }
  const untilItRuns = isRestoringStart(step)
  if (!untilItRuns && !looksSame(seen, last.before)) return { kind: 'unknown' }
  const count = progress.sends.filter(isUnclear).length
  // A late stop could still arrive after the start, so the start waits. Until then the endpoint stays up.
  const pause = undoneLater ? terms.quarantine : growing(count)
  if (waited < pause) return wait(pause - waited)
  const over = untilItRuns ? isTooLong(progress, now, seen) : count >= mostUnclear
  return over ? { kind: 'unknown' } : { kind: 'send', before: seen }
}

/** Whether it has taken too long. Reads that keep changing decide nothing. The first after an outage needs a second. */
function late({ step, progress, now, timeoutMs, undoneLater }: UnclearCall, last: Send): boolean {
  const most = terms.decided + (undoneLater ? terms.quarantine : 0)
  return !isRestoringStart(step) && progress.looks.length > 0 && now - givenUpAt(last, timeoutMs) > most
}

function isSeenTwice({ step, progress, now }: UnclearCall, seen: Seen): boolean {
  // After our own stop, everything except `active` may still be settling.
  const isSame = (one: Seen): boolean => (step.always === true ? one.active === seen.active : looksSame(one, seen))
  return progress.looks.some((earlier) => now - earlier.at >= terms.apart && isSame(earlier))
}

/** When a call timed out, or would have if its worker had not crashed, ms since 1970. */
function givenUpAt({ at, outcome }: Send, timeoutMs: number): number {
  return outcome?.at ?? at + timeoutMs
}

/** After an outage of ours one more call is owed, unless somebody has changed the endpoint. */
function isTooLong({ sends }: Progress, now: number, seen?: Seen): boolean {
  const { at = now, before } = sends.at(-1) ?? {}
  const isOwed = now - at > terms.settle && before && seen?.updatedAt !== undefined && looksSame(seen, before)
  return !isOwed && now - (sends[0]?.at ?? now) > terms.putBack
}

function isTurnedAway({ outcome }: Send): boolean {
  return outcome?.kind === 'unreached'
}

function growing(count: number): number {
  return Math.min(longestPause, firstPause * 2 ** (count - 1))
}

/** Keeps reading while it waits, because the call may still arrive. */
function wait(ms: number): ResendDecision {
  return { kind: 'wait', ms: Math.min(2 * terms.apart, Math.max(terms.apart, ms)) }
}
