import type { Hold, OneOff, Rules } from '../../../core/model/rules.ts'
import { desired, occurrenceOf } from './desired-state.ts'
import { spellOf } from './one-offs.ts'

/**
 * Holds and one-offs that can be forgotten: they will never decide anything again, and what decides now (ms) would keep
 * its id without them. As long as a beginning is reckoned from the end of one, whoever has skipped it has skipped that.
 */
export function spentIn(rules: Rules, now: number): readonly (OneOff | Hold)[] {
  const spent: (OneOff | Hold)[] = []
  let left = rules
  // Of several one-offs the one begun last silences those before it, so those go first.
  for (const rule of [...rules.once.toSorted(oldestFirst), ...rules.holds]) {
    if (!isOver(rule, left, now)) continue
    const rest = without(left, rule)
    if (standing(rest, now) !== standing(left, now)) continue
    spent.push(rule)
    left = rest
  }
  return spent
}

function isOver(rule: OneOff | Hold, rules: Rules, now: number): boolean {
  if (rule.kind === 'hold') return rule.until <= now
  const others = rules.once.filter(({ id }) => id !== rule.id)
  if (others.some((other) => other.at <= now && oldestFirst(rule, other) < 0)) return true
  return spellOf(rules, rule).trail <= now && others.every((other) => oldestFirst(rule, other) < 0)
}

/** What decides once nothing stands in its way any more; the same text is the same occurrence. */
function standing({ holds, ...rules }: Rules, now: number): string {
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
