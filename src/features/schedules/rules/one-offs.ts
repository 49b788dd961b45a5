import type { OneOff, Rules } from '../../../core/model/rules.ts'
import { nextBoundary, weeklyWant } from './weekly.ts'

/** When a one-off decides: until before `to`, then with a stop of its own until before `trail`, never before `to`. */
export interface Spell {
  readonly rule: OneOff
  readonly to: number
  readonly trail: number
}

/** What a one-off comes to among the weekly rules. */
export function spellOf(rules: Rules, rule: OneOff): Spell {
  if (rule.until === undefined) {
    const to = openEnd(rules, rule.at)
    return { rule, to, trail: to }
  }
  return { rule, to: rule.until, trail: rule.want === 'up' ? openEnd(rules, rule.until) : rule.until }
}

function openEnd(rules: Rules, ms: number): number {
  const boundary = nextBoundary(rules, ms)
  if (boundary !== null) return boundary
  return weeklyWant(rules, ms) !== null ? Number.POSITIVE_INFINITY : ms + 86_400_000
}
