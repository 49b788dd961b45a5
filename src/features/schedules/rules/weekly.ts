import type { Rules, WeeklyRule } from '../../../core/model/rules.ts'
import { type Day, dayMs, weekdayOf } from '../../../core/time/calendar.ts'
import { instantOf, reachedAt, shiftsBetween } from '../../../core/time/zone.ts'
import { type Course, changeAfter, earliest, latest } from './timeline.ts'

interface WeeklyOpinion {
  readonly want: 'up' | 'down'
  readonly by: WeeklyRule
}

/** Returns what weekly rules want at an instant (ms), in order: the endpoint's before the team's, up before down. */
export function weeklyAt(rules: Rules, ms: number): readonly WeeklyOpinion[] {
  const own: WeeklyRule[] = []
  const teams: WeeklyRule[] = []
  for (const rule of rules.weekly) if (rule.made <= ms) (rule.endpoint === null ? teams : own).push(rule)
  return [...levelAt(own, rules.skip, ms), ...levelAt(teams, rules.skip, ms)]
}

/** Windows of one level add up: an up-window wants down only outside all up-windows. */
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

/** Makes the same rule decide each time, in whatever order the rules are stored. */
function byId(a: WeeklyOpinion, b: WeeklyOpinion): number {
  return a.by.id < b.by.id ? -1 : 1
}

/** Returns the first want of `weeklyAt`; null means hands off. */
export function weeklyWant(rules: Rules, ms: number): 'up' | 'down' | null {
  return weeklyAt(rules, ms)[0]?.want ?? null
}

/** Returns the first instant after `ms` at which the weekly rules want something else; null if they never will. */
export function nextBoundary(rules: Rules, ms: number): number | null {
  if (rules.weekly.length === 0) return null
  return changeAfter({ ...edgesOf(rules), at: (at) => weeklyWant(rules, at) ?? 'hands off' }, ms)
}

export function edgesOf({ weekly, skip }: Rules): Omit<Course, 'at'> {
  const edges = (edge: typeof edgeAfter, ms: number) => weekly.map((rule) => edge(rule, skip, ms))
  return {
    before: (ms) => latest(edges(edgeBefore, ms), ms),
    after: (ms) => earliest(edges(edgeAfter, ms), ms),
    marks: (ms) => marksOf(weekly, skip, ms),
  }
}

function marksOf(weekly: readonly WeeklyRule[], skip: Rules['skip'], ms: number): number[] {
  const marks = weekly.map(({ made }) => made)
  const zones = new Set(weekly.map(({ zone }) => zone))
  if (zones.size > 1) {
    // When clocks change, windows in several zones shift against each other.
    const [from, to] = [Math.min(...marks), Math.max(...marks, ms) + 400 * dayMs]
    for (const zone of zones) marks.push(...shiftsBetween(from, to, zone))
  }
  // Each date in any zone, and the night that begins on it.
  for (const day of skip) marks.push((day - 1) * dayMs, (day + 3) * dayMs)
  return marks
}

/** Days: more holidays in a row than anybody lists. */
const longestBreak = 400

/** Whether an instant (ms) is inside a rule's window. */
function isInside(rule: WeeklyRule, skip: Rules['skip'], ms: number): boolean {
  const reached = reachedAt(ms, rule.zone)
  const day = Math.floor(reached / 1440)
  const minute = reached - day * 1440
  for (const { from, to } of rule.window.spans) {
    if (from <= minute && minute < to && begins(rule, skip, day)) return true
    if (minute + 1440 < to && begins(rule, skip, day - 1)) return true
  }
  return false
}

/** Returns the last instant up to `ms` at which the window or rule began, or the window ended; null if none did. */
function edgeBefore(rule: WeeklyRule, skip: Rules['skip'], ms: number): number | null {
  if (ms < rule.made) return null
  const reached = reachedAt(ms, rule.zone)
  const edge = isAlways(rule) ? latest(holidayEdges(rule, skip), reached) : wallBefore(rule, skip, reached)
  return edge === null ? rule.made : Math.max(rule.made, instantOf(0, edge, rule.zone))
}

/** Returns the first instant after `ms` when the window or rule begins, or the window ends; null if none is near. */
function edgeAfter(rule: WeeklyRule, skip: Rules['skip'], ms: number): number | null {
  if (ms < rule.made) return rule.made
  const reached = reachedAt(ms, rule.zone)
  const edge = isAlways(rule) ? earliest(holidayEdges(rule, skip), reached) : wallAfter(rule, skip, reached)
  return edge === null ? null : instantOf(0, edge, rule.zone)
}

/** Returns the last edge reached, in wall minutes since 1970; null if it is before the rule. */
function wallBefore(rule: WeeklyRule, skip: Rules['skip'], reached: number): number | null {
  // In every zone, the rule was made after this day.
  const first = Math.floor(rule.made / dayMs) - 2
  let best: number | null = null
  for (let day = Math.floor(reached / 1440); day >= first && (best === null || (day + 2) * 1440 > best); day--) {
    if (!begins(rule, skip, day)) continue
    for (const { from, to } of rule.window.spans) {
      const edge = day * 1440 + (day * 1440 + to <= reached ? to : from)
      if (edge <= reached && (best === null || edge > best)) best = edge
    }
  }
  return best
}

/** Returns the first edge not reached yet, in wall minutes since 1970; null if none is near. */
function wallAfter(rule: WeeklyRule, skip: Rules['skip'], reached: number): number | null {
  const today = Math.floor(reached / 1440)
  let best: number | null = null
  for (let day = today - 1; day < today + longestBreak && (best === null || day * 1440 < best); day++) {
    if (!begins(rule, skip, day)) continue
    for (const { from, to } of rule.window.spans) {
      const edge = day * 1440 + (day * 1440 + from > reached ? from : to)
      if (edge > reached && (best === null || edge < best)) best = edge
    }
  }
  return best
}

/** Whether the window has no edges but holidays, so that a search day by day would not end. */
function isAlways({ window: { days, spans } }: WeeklyRule): boolean {
  return days.length === 7 && spans.length === 1 && spans[0]?.from === 0 && spans[0].to === 1440
}

function holidayEdges({ direction }: WeeklyRule, skip: Rules['skip']): number[] {
  return direction === 'down' ? [] : [...skip].flatMap((day) => [day * 1440, (day + 1) * 1440])
}

function begins(rule: WeeklyRule, skip: Rules['skip'], day: Day): boolean {
  return rule.window.days.includes(weekdayOf(day)) && !(rule.direction === 'up' && skip.has(day))
}
