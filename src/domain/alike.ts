import { type Desired, desired } from './desired.ts'
import type { Rule, Rules, WeeklyRule } from './rules.ts'

const dayMs = 86_400_000
/** Within so many days of an instant it plays no part since when a rule has been in force, if all were by then. */
const near = 14

/** What some windows come to at an instant, whoever's they are. Rules are those of `weekly`. */
interface Model {
  readonly weekly: readonly WeeklyRule[]
  readonly decision: Desired
}

/** So many are kept; then all are forgotten. */
const most = 1_000
/** By the dates that are skipped. */
const models = new WeakMap<Rules['skip'], Map<string, Model>>()

/**
 * `desired` of these rules at an instant (ms). Thousands of endpoints follow the same few windows, so what those come to
 * is found out once for all of them, where nothing else is laid down.
 */
export function desiredAs(rules: Rules): (ms: number) => Desired {
  const { once, holds, freeze } = rules
  if (rules.weekly.length === 0 || once.length + holds.length > 0 || freeze !== null) return (ms) => desired(rules, ms)
  const weekly = rules.weekly.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const key = [rules.protected, ...weekly.map(windowKey)].join(' ')
  const newest = Math.max(...weekly.map(({ made }) => made))
  return (ms) => {
    const { decision, weekly: theirs } = modelOf(`${ms} ${key}`, { ...rules, weekly }, ms)
    const { since, until } = decision
    const isNear = ms - since < near * dayMs && until !== null && until - ms < near * dayMs
    return isNear && newest < since ? translated(decision, theirs, weekly) : desired(rules, ms)
  }
}

/** What can make a difference between two rules at the same place among those of an endpoint. */
function windowKey({ endpoint, direction, zone, window: { days, spans } }: WeeklyRule): string {
  let key = `${endpoint === null ? 'team ' : ''}${direction} ${zone} ${days.join()}`
  for (const { from, to } of spans) key += ` ${from}-${to}`
  return key
}

function modelOf(key: string, rules: Rules, ms: number): Model {
  const found = models.get(rules.skip) ?? new Map<string, Model>()
  const known = found.get(key)
  if (known !== undefined) return known
  const weekly = rules.weekly.map((rule) => ({ ...rule, made: ms - 2 * near * dayMs }))
  const model: Model = { weekly, decision: desired({ ...rules, weekly }, ms) }
  if (found.size >= most) found.clear()
  models.set(rules.skip, found.set(key, model))
  return model
}

/** The same decision by an endpoint's own rules. */
function translated(decision: Desired, theirs: readonly WeeklyRule[], ours: readonly WeeklyRule[]): Desired {
  function own(one: Rule): Rule {
    return ours[theirs.findIndex(({ id }) => id === one.id)] ?? one
  }
  const { by, opener, shadowed } = decision
  return {
    ...decision,
    by: typeof by === 'string' ? by : own(by),
    opener: typeof opener === 'string' ? opener : own(opener),
    shadowed: shadowed.map(own),
  }
}
