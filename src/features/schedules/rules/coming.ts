import type { OneOff, Rules } from '../../../core/model/rules.ts'
import {
  type DecidedSpan,
  type Decider,
  desired,
  isLeftOutAfter,
  isPause,
  segments,
  stopperOf,
} from './desired-state.ts'

/** More changes of the decider than rules make in a row without changing the desired state. */
const most = 20

/** Returns the next change of the desired state after `now` (ms), and what decides until then; or null. */
export function nextChange(
  rules: Rules,
  now: number,
): (Pick<DecidedSpan, 'want' | 'by'> & { readonly at: number; readonly after: Decider }) | null {
  const { want, until, by } = desired(rules, now)
  let [at, after] = [until, by]
  for (let looks = 0; at !== null && looks < most; looks += 1) {
    const next = desired(rules, at)
    const isLeftOut = next.want === 'down' && isLeftOutAfter(after, rules, at, next.until)
    if (next.want !== want && !isLeftOut) return { at, want: next.want, by: stopperOf(rules, next), after }
    at = next.until
    after = next.by
  }
  return null
}

/** Whether a stop that is wanted now is not made, because a start would undo it while it is announced. */
export function comesTooLate(rules: Rules, now: number): boolean {
  const { want, until } = desired(rules, now)
  return want === 'down' && until !== null && until <= now + (rules.notice ?? 0) && desired(rules, until).want === 'up'
}

/** Returns the one-off that alone stops or starts an endpoint at `due` (ms), and the rules without it; otherwise null. */
export function onlyOneOffAt(
  rules: Rules,
  due: number,
  wants: OneOff['want'],
): { readonly rule: OneOff; readonly rest: Rules } | null {
  const free = { ...rules, holds: [], freeze: null }
  const { want, by } = desired(free, due)
  if (want !== wants || by.kind !== 'once') return null
  const once = rules.once.filter((one) => one !== by)
  return desired({ ...free, once }, due).want === wants ? null : { rule: by, rest: { ...rules, once } }
}

/** Returns when the rules decide again, ms: now if nothing is paused, null if that is unknown. */
export function pausedUntil(rules: Rules, now: number): number | null {
  const { by, until } = desired(rules, now)
  if (!isPause(by)) return now
  return until === null ? null : pausedUntil(rules, until)
}

/** Returns how long an endpoint stopped at `from` stays stopped before `to` (ms), until its rules start it again. */
export function stoppedFor(rules: Rules, from: number, to: number): number {
  let [isUp, length] = [false, 0]
  for (const span of segments(rules, from, to)) {
    if (span.want !== 'hands off') isUp = span.want === 'up'
    if (!isUp) length += span.to - span.from
  }
  return length
}

/** Leaves out the planned stops that the question about another one does not show: all but the first before it. */
export function shownBeside({ id, want, at }: OneOff, once: readonly OneOff[]): readonly OneOff[] {
  const others = want === 'up' ? [] : once.filter((one) => one.want === 'down' && one.id !== id)
  const [first] = others.filter((one) => one.at < at).sort((a, b) => a.at - b.at)
  return once.filter((one) => one === first || !others.includes(one))
}
