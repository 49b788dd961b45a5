import { expect, test } from 'vitest'
import { readDate } from '../../../src/core/time/calendar.ts'
import { segments } from '../../../src/features/schedules/rules/desired-state.ts'
import { at, nothing, wall, weekly } from '../../features/schedules/schedule.ts'

const zone = 'America/New_York'
const made = at('2026-01-01 00:00', zone)

test('the segments of a week have no gaps and skip holidays', () => {
  const skip = new Set(['2026-10-27', '2026-10-30', '2026-11-05'].map((text) => readDate(text)!))
  const rules = { ...nothing, weekly: [weekly('r1', 'up weekdays 09:00-20:00', { zone, made })], skip }
  const from = at('2026-10-29 12:34', zone)
  const week = segments(rules, from, from + 7 * 86_400_000)
  expect(week.map((one) => [wall(one.from, zone), one.want])).toEqual([
    ['2026-10-29 12:34', 'up'],
    ['2026-10-29 20:00', 'down'],
    ['2026-11-02 09:00', 'up'],
    ['2026-11-02 20:00', 'down'],
    ['2026-11-03 09:00', 'up'],
    ['2026-11-03 20:00', 'down'],
    ['2026-11-04 09:00', 'up'],
    ['2026-11-04 20:00', 'down'],
  ])
  expect(week.map(({ to }) => to)).toEqual([...week.slice(1).map((one) => one.from), from + 7 * 86_400_000])
})

test('without rules, a week is one segment of hands off', () => {
  const to = 1_000 + 7 * 86_400_000
  expect(segments(nothing, 1_000, to)).toEqual([{ from: 1_000, to, want: 'hands off', by: { kind: 'nothing' } }])
})
