import { type WeeklyRule, weeklyText } from '../../../core/model/rules.ts'
import { type Sentence, say } from '../../../core/model/words.ts'
import { weekdayOf } from '../../../core/time/calendar.ts'
import { windowText } from '../../../core/time/weekly-window.ts'
import { instantOf, localAt } from '../../../core/time/zone.ts'

/** Why a weekly rule cannot be made beside these, or null: up wins where both apply, so down never would. */
export function clash(
  rules: readonly WeeklyRule[],
  candidate: Omit<WeeklyRule, 'kind' | 'id' | 'owner'>,
): Sentence | null {
  const text = weeklyText(candidate)
  for (const rule of rules) {
    if (rule.endpoint !== candidate.endpoint) continue
    if (weeklyText(rule) === text) return say('schedule.twice', { rule: text })
    if (rule.direction === candidate.direction || !overlaps(rule, candidate)) continue
    const [up, down] = rule.direction === 'up' ? [rule, candidate] : [candidate, rule]
    const window = windowText(down.window)
    return say('schedule.clash', { one: weeklyText(rule), other: text, window, up: weeklyText(up) })
  }
  return null
}

/** Whether two windows share a minute in the week after the candidate is made. */
function overlaps(rule: WeeklyRule, candidate: Pick<WeeklyRule, 'window' | 'zone' | 'made'>): boolean {
  const others = weekOf(rule, candidate.made)
  return weekOf(candidate, candidate.made).some(([from, to]) => others.some(([begin, end]) => from < end && begin < to))
}

/** The spans of a window in the week after an instant (ms). */
function weekOf(
  { window, zone }: Pick<WeeklyRule, 'window' | 'zone'>,
  ms: number,
): readonly (readonly [number, number])[] {
  const { day: first } = localAt(ms, zone)
  const days = Array.from({ length: 10 }, (_, index) => first - 1 + index)
  return days
    .filter((day) => window.days.includes(weekdayOf(day)))
    .flatMap((day) =>
      window.spans.map(({ from, to }) => [instantOf(day, from, zone), instantOf(day, to, zone)] as const),
    )
}
