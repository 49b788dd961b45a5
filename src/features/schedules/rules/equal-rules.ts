import type { Rules, WeeklyRule } from '../../../core/model/rules.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import { type Decider, type Desired, desired } from './desired-state.ts'

/** Days. A decision that begins and ends this close to an instant does not depend on when older rules were made. */
const near = 14

/** A decision by `weekly` that all endpoints with the same windows share. */
interface Model {
  readonly weekly: readonly WeeklyRule[]
  readonly decision: Desired
}

/** The cache is cleared when it has more. */
const most = 10_000
/** By holidays, then by instant and windows. */
const models = new WeakMap<Rules['skip'], Map<string, Model>>()

/** Returns `desired` for an instant (ms) from a cache: thousands of endpoints follow the same few weekly windows. */
export function desiredAs(rules: Rules): (ms: number) => Desired {
  const { once, holds, freeze, skip } = rules
  if (rules.weekly.length === 0 || once.length + holds.length > 0 || freeze !== null) return (ms) => desired(rules, ms)
  const weekly = rules.weekly.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const windows = weekly.reduce((key, rule) => `${key};${numberOf(rule)}`, rules.protected ? 'protected' : '')
  const cached = models.get(skip) ?? new Map<string, Model>()
  models.set(skip, cached)
  const newest = Math.max(...weekly.map(({ made }) => made))
  return (ms) => {
    const key = `${ms}${windows}`
    const known = cached.get(key)
    const model = known ?? modelAt({ ...rules, weekly }, ms)
    if (known === undefined && cached.size >= most) cached.clear()
    if (known === undefined) cached.set(key, model)
    const { by, opener, since, until } = model.decision
    const isNear = ms - since < near * dayMs && until !== null && until - ms < near * dayMs
    if (!isNear || newest >= since) return desired(rules, ms)
    // The same decision with our rules in place of theirs.
    const ours = (one: Decider) => weekly[model.weekly.findIndex(({ id }) => 'id' in one && id === one.id)] ?? one
    return { ...model.decision, by: ours(by), opener: ours(opener) }
  }
}

/** By windows and by rule: at each look, short keys are compared for thousands of rules. */
const numbers = new Map<string, number>()
const numbered = new WeakMap<WeeklyRule, number>()

function numberOf(rule: WeeklyRule): number {
  const known = numbered.get(rule)
  if (known !== undefined) return known
  const key = windowKey(rule)
  const number = numbers.get(key) ?? numbers.size
  numbers.set(key, number)
  numbered.set(rule, number)
  return number
}

/** Returns everything that makes one weekly rule decide differently from another. */
function windowKey({ endpoint, direction, zone, window: { days, spans } }: WeeklyRule): string {
  let key = `;${endpoint === null ? 'team ' : ''}${direction} ${zone}`
  for (const day of days) key += ` ${day}`
  for (const { from, to } of spans) key += ` ${from}-${to}`
  return key
}

function modelAt(rules: Rules, ms: number): Model {
  const weekly = rules.weekly.map((rule) => ({ ...rule, made: ms - 2 * near * dayMs }))
  return { weekly, decision: desired({ ...rules, weekly }, ms) }
}
