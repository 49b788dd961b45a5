import type { OneOff, Rules } from '../../../core/model/rules.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import { nextBoundary, weeklyWant } from './weekly.ts'

/** A one-off decides until before `to` (ms), and after a start wants the endpoint down until before `trail`. */
export interface OneOffSpan {
  readonly rule: OneOff
  readonly to: number
  readonly trail: number
}

export function spanOfOneOff(rules: Rules, rule: OneOff): OneOffSpan {
  if (rule.until === undefined) {
    const to = openEnd(rules, rule.at)
    return { rule, to, trail: to }
  }
  return { rule, to: rule.until, trail: rule.want === 'up' ? openEnd(rules, rule.until) : rule.until }
}

function openEnd(rules: Rules, ms: number): number {
  const boundary = nextBoundary(rules, ms)
  if (boundary !== null) return boundary
  return weeklyWant(rules, ms) !== null ? Number.POSITIVE_INFINITY : ms + dayMs
}
