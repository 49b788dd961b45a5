import type { Rules, WeeklyRule } from '../../../core/model/rules.ts'
import { shiftsBetween } from '../../../core/time/zone.ts'
import { type Course, changeAfter, earliest, latest } from './timeline.ts'
import { edgeAfter, edgeBefore, isInside } from './window-edges.ts'

interface Opinion {
  readonly want: 'up' | 'down'
  readonly by: WeeklyRule
}

/**
 * What the weekly rules want at an instant (ms), the ones that decide first: the endpoint's own before the team's, and
 * within a level up before down. Empty: they leave it alone.
 */
export function weeklyAt(rules: Rules, ms: number): readonly Opinion[] {
  const own: WeeklyRule[] = []
  const teams: WeeklyRule[] = []
  for (const rule of rules.weekly) if (rule.made <= ms) (rule.endpoint === null ? teams : own).push(rule)
  return [...levelAt(own, rules.skip, ms), ...levelAt(teams, rules.skip, ms)]
}

/** Windows of one level add up, so it is outside that counts only where no up-window is inside. */
function levelAt(level: readonly WeeklyRule[], skip: Rules['skip'], ms: number): readonly Opinion[] {
  const up: Opinion[] = []
  const down: Opinion[] = []
  const outside: Opinion[] = []
  for (const rule of level) {
    if (!isInside(rule, skip, ms)) {
      if (rule.direction === 'up') outside.push({ want: 'down', by: rule })
    } else if (rule.direction === 'up') up.push({ want: 'up', by: rule })
    else down.push({ want: 'down', by: rule })
  }
  return [...up.sort(byId), ...down.sort(byId), ...(up.length > 0 ? [] : outside.sort(byId))]
}

/** The order in which rules are kept says nothing; by their ids the same one is named each time. */
function byId(a: Opinion, b: Opinion): number {
  return a.by.id < b.by.id ? -1 : 1
}

/** What the weekly rules come to at an instant (ms): the first of `weeklyAt`, found without a list, as it is asked often. */
export function weeklyWant({ weekly, skip }: Rules, ms: number): 'up' | 'down' | null {
  let own: 'up' | 'down' | null = null
  let teams: 'up' | 'down' | null = null
  for (const rule of weekly) {
    if (ms < rule.made || (rule.endpoint === null ? teams : own) === 'up') continue
    const inside = isInside(rule, skip, ms)
    if (!inside && rule.direction === 'down') continue
    const want = inside ? rule.direction : 'down'
    if (rule.endpoint === null) teams = want
    else own = want
  }
  return own ?? teams
}

/** The first instant after `ms` at which the weekly rules change their mind; null when they will not. A hold ends there. */
export function nextBoundary(rules: Rules, ms: number): number | null {
  if (rules.weekly.length === 0) return null
  return changeAfter({ ...edgesOf(rules), at: (at) => weeklyWant(rules, at) ?? 'hands off' }, ms)
}

const dayMs = 86_400_000

/** When weekly rules may change their mind. */
export function edgesOf({ weekly, skip }: Rules): Omit<Course, 'at'> {
  return {
    before: (ms) =>
      latest(
        weekly.map((rule) => edgeBefore(rule, skip, ms)),
        ms,
      ),
    after: (ms) =>
      earliest(
        weekly.map((rule) => edgeAfter(rule, skip, ms)),
        ms,
      ),
    marks: (ms) => marksOf(weekly, skip, ms),
  }
}

function marksOf(weekly: readonly WeeklyRule[], skip: Rules['skip'], ms: number): number[] {
  const marks = weekly.map(({ made }) => made)
  const zones = new Set(weekly.map(({ zone }) => zone))
  if (zones.size > 1) {
    // Windows of several zones move against each other when clocks change.
    const [from, to] = [Math.min(...marks), Math.max(...marks, ms) + 400 * dayMs]
    for (const zone of zones) marks.push(...shiftsBetween(from, to, zone).map(({ at }) => at))
  }
  // Around each date in whatever zone, with the night that begins on it.
  for (const day of skip) marks.push((day - 1) * dayMs, (day + 3) * dayMs)
  return marks
}
