import type { Rules, WeeklyRule } from '../../../core/model/rules.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import { shiftsBetween } from '../../../core/time/zone.ts'
import { type Course, changeAfter, earliest, latest } from './timeline.ts'
import { edgeAfter, edgeBefore, isInside } from './window-edges.ts'

interface WeeklyOpinion {
  readonly want: 'up' | 'down'
  readonly by: WeeklyRule
}

/** What weekly rules want at an instant (ms), as they decide: the endpoint's before the team's, up before down. */
export function weeklyAt(rules: Rules, ms: number): readonly WeeklyOpinion[] {
  const own: WeeklyRule[] = []
  const teams: WeeklyRule[] = []
  for (const rule of rules.weekly) if (rule.made <= ms) (rule.endpoint === null ? teams : own).push(rule)
  return [...levelAt(own, rules.skip, ms), ...levelAt(teams, rules.skip, ms)]
}

/** Windows of one level add up: outside one up-window means down only outside all of them. */
function levelAt(level: readonly WeeklyRule[], skip: Rules['skip'], ms: number): readonly WeeklyOpinion[] {
  const up: WeeklyOpinion[] = []
  const down: WeeklyOpinion[] = []
  const outside: WeeklyOpinion[] = []
  for (const rule of level) {
    if (!isInside(rule, skip, ms)) {
      if (rule.direction === 'up') outside.push({ want: 'down', by: rule })
    } else if (rule.direction === 'up') up.push({ want: 'up', by: rule })
    else down.push({ want: 'down', by: rule })
  }
  return [...up.sort(byId), ...down.sort(byId), ...(up.length > 0 ? [] : outside.sort(byId))]
}

/** So that the same rule is named each time, in whatever order they are stored. */
function byId(a: WeeklyOpinion, b: WeeklyOpinion): number {
  return a.by.id < b.by.id ? -1 : 1
}

/** The first want of `weeklyAt`; null: hands off. */
export function weeklyWant(rules: Rules, ms: number): 'up' | 'down' | null {
  return weeklyAt(rules, ms)[0]?.want ?? null
}

/** The first instant after `ms` at which the weekly rules want something else; null if they never will. */
export function nextBoundary(rules: Rules, ms: number): number | null {
  if (rules.weekly.length === 0) return null
  return changeAfter({ ...edgesOf(rules), at: (at) => weeklyWant(rules, at) ?? 'hands off' }, ms)
}

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
    // When clocks change, windows of several zones move against each other.
    const [from, to] = [Math.min(...marks), Math.max(...marks, ms) + 400 * dayMs]
    for (const zone of zones) marks.push(...shiftsBetween(from, to, zone).map(({ at }) => at))
  }
  // Each date in any zone, and the night that begins on it.
  for (const day of skip) marks.push((day - 1) * dayMs, (day + 3) * dayMs)
  return marks
}
