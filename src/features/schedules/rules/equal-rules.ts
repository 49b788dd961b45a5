import type { Rules, WeeklyRule } from '../../../core/model/rules.ts'
import { type Decider, type Desired, desired } from './desired-state.ts'

const dayMs = 86_400_000
/** Within so many days of an instant it plays no part since when a rule has been in force, if all were by then. */
const near = 14

/** What some windows come to at an instant, whoever's they are. Rules are those of `weekly`. */
interface Model {
  readonly weekly: readonly WeeklyRule[]
  readonly decision: Desired
}

/** Of so many windows, and so many instants of each; then those are forgotten. */
const most = { windows: 1_000, instants: 10 }
/** By the dates that are skipped, by windows, by instant. */
const models = new WeakMap<Rules['skip'], Map<string, Map<number, Model>>>()

/**
 * `desired` of these rules at an instant (ms). Thousands of endpoints follow the same few windows, so what those come to
 * is found out once for all of them, where nothing else is laid down.
 */
export function desiredAs(rules: Rules): (ms: number) => Desired {
  const { once, holds, freeze } = rules
  if (rules.weekly.length === 0 || once.length + holds.length > 0 || freeze !== null) return (ms) => desired(rules, ms)
  const weekly = rules.weekly.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const known = modelsOf(
    rules.skip,
    weekly.reduce((key, rule) => key + windowKey(rule), rules.protected ? 'protected' : ''),
  )
  const newest = Math.max(...weekly.map(({ made }) => made))
  return (ms) => {
    const { decision, weekly: theirs } = known.get(ms) ?? modelIn(known, { ...rules, weekly }, ms)
    const { since, until } = decision
    const isNear = ms - since < near * dayMs && until !== null && until - ms < near * dayMs
    return isNear && newest < since ? translated(decision, theirs, weekly) : desired(rules, ms)
  }
}

/** What can make a difference between two rules at the same place among those of an endpoint. */
function windowKey({ endpoint, direction, zone, window: { days, spans } }: WeeklyRule): string {
  let key = `;${endpoint === null ? 'team ' : ''}${direction} ${zone}`
  for (const day of days) key += ` ${day}`
  for (const { from, to } of spans) key += ` ${from}-${to}`
  return key
}

function modelsOf(skip: Rules['skip'], key: string): Map<number, Model> {
  const all = models.get(skip) ?? new Map<string, Map<number, Model>>()
  models.set(skip, all)
  const known = all.get(key)
  if (known !== undefined) return known
  const fresh = new Map<number, Model>()
  if (all.size >= most.windows) all.clear()
  all.set(key, fresh)
  return fresh
}

function modelIn(known: Map<number, Model>, rules: Rules, ms: number): Model {
  const weekly = rules.weekly.map((rule) => ({ ...rule, made: ms - 2 * near * dayMs }))
  const model: Model = { weekly, decision: desired({ ...rules, weekly }, ms) }
  if (known.size >= most.instants) known.clear()
  known.set(ms, model)
  return model
}

/** The same decision by an endpoint's own rules. */
function translated(decision: Desired, theirs: readonly WeeklyRule[], ours: readonly WeeklyRule[]): Desired {
  const { by, opener, shadowed } = decision
  return {
    ...decision,
    by: ownOf(by, theirs, ours),
    opener: ownOf(opener, theirs, ours),
    shadowed: shadowed.map((one) => ownOf(one, theirs, ours)),
  }
}

function ownOf<One extends Decider>(
  one: One,
  theirs: readonly WeeklyRule[],
  ours: readonly WeeklyRule[],
): One | WeeklyRule {
  return ours[theirs.findIndex((rule) => typeof one !== 'string' && rule.id === one.id)] ?? one
}
