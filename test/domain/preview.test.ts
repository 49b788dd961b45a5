import { expect, test } from 'vitest'
import { dateText, readDate } from '../../src/core/time/calendar.ts'
import { preview } from '../../src/features/schedules/rules/preview.ts'
import { at, nothing, wall, weekly } from './schedule.ts'

const zone = 'America/New_York'
const made = at('2026-01-01 00:00', zone)

test('a week is shown without a hole, with the change of the clocks in it and the dates that are skipped', () => {
  const skip = new Set(['2026-10-27', '2026-10-30', '2026-11-05'].map((text) => readDate(text)!))
  const rules = { ...nothing, weekly: [weekly('r1', 'up weekdays 09:00-20:00', { zone, made })], skip }
  const from = at('2026-10-29 12:34', zone)
  const week = preview(rules, from, 7)
  expect(week.segments.map((one) => [wall(one.from, zone), one.want])).toEqual([
    ['2026-10-29 12:34', 'up'],
    ['2026-10-29 20:00', 'down'],
    ['2026-11-02 09:00', 'up'],
    ['2026-11-02 20:00', 'down'],
    ['2026-11-03 09:00', 'up'],
    ['2026-11-03 20:00', 'down'],
    ['2026-11-04 09:00', 'up'],
    ['2026-11-04 20:00', 'down'],
  ])
  expect(week.segments.map(({ to }) => to)).toEqual([
    ...week.segments.slice(1).map((one) => one.from),
    from + 7 * 86_400_000,
  ])
  expect(week.skipped.map(dateText)).toEqual(['2026-10-30', '2026-11-05'])
  expect(week.shifts).toEqual([{ at: Date.UTC(2026, 10, 1, 6), by: -3_600_000, zone }])
})

test('where nothing decides, a week is one piece of hands off', () => {
  expect(preview(nothing, 1_000, 7)).toEqual({
    segments: [{ from: 1_000, to: 1_000 + 7 * 86_400_000, want: 'hands off', by: 'nothing' }],
    skipped: [],
    shifts: [],
  })
})
