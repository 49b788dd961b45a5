import type { Hold, OneOff, Rules } from '../../../core/model/rules.ts'
import { desired, occurrenceOf, spanOfOneOff } from './desired-state.ts'

/**
 * Returns holds and one-offs that decide nothing now and whose removal keeps the id of the decision at `now` (ms), and
 * stops that are due and `isDone`, unless something else would then be wanted.
 */
export function expiredIn(
  rules: Rules,
  now: number,
  isDone: (rule: OneOff) => boolean = () => false,
): readonly (OneOff | Hold)[] {
  const expired: (OneOff | Hold)[] = []
  let left = rules
  // The newest one-off overrides the others, so the oldest expire first.
  for (const rule of [...rules.once.toSorted(oldestFirst), ...rules.holds]) {
    const isMade = rule.kind === 'once' && stopOf(rule) <= now && isDone(rule)
    if (!isMade && !isOver(rule, left, now)) continue
    const [once, holds] = [left.once.filter((one) => one !== rule), left.holds.filter((one) => one !== rule)]
    const rest = { ...left, once, holds }
    const wanted = decisionAt(rest, now)
    if (wanted !== decisionAt(left, now) && !(isMade && wanted === '')) continue
    expired.push(rule)
    left = rest
  }
  return expired
}

/** Returns when a one-off begins to want the endpoint down, ms. */
export function stopOf({ want, at, until = Number.POSITIVE_INFINITY }: OneOff): number {
  return want === 'down' ? at : until
}

function isOver(rule: OneOff | Hold, rules: Rules, now: number): boolean {
  if (rule.kind === 'hold') return rule.until <= now
  const others = rules.once.filter(({ id }) => id !== rule.id)
  if (others.some((other) => other.at <= now && oldestFirst(rule, other) < 0)) return true
  return spanOfOneOff(rules, rule).trail <= now && others.every((other) => oldestFirst(rule, other) < 0)
}

/** Returns the id of the decision without freeze, protection or a current hold. */
function decisionAt({ holds, ...rules }: Rules, now: number): string {
  const ended = holds.filter(({ until }) => until <= now)
  const decision = desired({ ...rules, holds: ended, freeze: null, protected: false }, now)
  return decision.want === 'hands off' ? '' : occurrenceOf('', decision)
}

function oldestFirst(a: OneOff, b: OneOff): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1)
}
