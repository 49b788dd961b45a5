import type { Hold, OneOff, Rules } from '../../../core/model/rules.ts'
import { desired, occurrenceOf } from './desired-state.ts'
import { spanOfOneOff } from './one-offs.ts'

/**
 * Holds and one-offs that will never decide anything again, and without which the decision at `now` (ms) keeps its id. A
 * decision may begin at the end of one; its id must not change, or a stop that was skipped would be made.
 */
export function expiredIn(rules: Rules, now: number): readonly (OneOff | Hold)[] {
  const expired: (OneOff | Hold)[] = []
  let left = rules
  // The newest one-off overrides the older ones, so those expire first.
  for (const rule of [...rules.once.toSorted(oldestFirst), ...rules.holds]) {
    if (!isOver(rule, left, now)) continue
    const rest = without(left, rule)
    if (decisionAt(rest, now) !== decisionAt(left, now)) continue
    expired.push(rule)
    left = rest
  }
  return expired
}

function isOver(rule: OneOff | Hold, rules: Rules, now: number): boolean {
  if (rule.kind === 'hold') return rule.until <= now
  const others = rules.once.filter(({ id }) => id !== rule.id)
  if (others.some((other) => other.at <= now && oldestFirst(rule, other) < 0)) return true
  return spanOfOneOff(rules, rule).trail <= now && others.every((other) => oldestFirst(rule, other) < 0)
}

/** The id of the decision without freeze, protection or a current hold. */
function decisionAt({ holds, ...rules }: Rules, now: number): string {
  const ended = holds.filter(({ until }) => until <= now)
  const decision = desired({ ...rules, holds: ended, freeze: null, protected: false }, now)
  return decision.want === 'hands off' ? '' : occurrenceOf('', decision)
}

function without({ once, holds, ...rules }: Rules, one: OneOff | Hold): Rules {
  return { ...rules, once: once.filter((rule) => rule !== one), holds: holds.filter((rule) => rule !== one) }
}

function oldestFirst(a: OneOff, b: OneOff): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1)
}
