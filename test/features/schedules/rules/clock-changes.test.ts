import { expect, test } from 'vitest'
import type { Rules } from '../../../../src/core/model/rules.ts'
import { desired, segments } from '../../../../src/features/schedules/rules/desired-state.ts'
import { at, nothing, wall, weekly } from '../schedule.ts'

function ruled(text: string, zone: string): Rules {
  return { ...nothing, weekly: [weekly('r1', text, { zone })] }
}

/** When the endpoint is up in the two days from a date, in the zone's local time, and for how many hours. */
function ups(text: string, zone: string, date: string): string[] {
  const from = at(`${date} 00:00`, zone) - 6 * 3_600_000
  return segments(ruled(text, zone), from, from + 2 * 86_400_000)
    .filter(({ want }) => want === 'up')
    .map(({ from, to }) => `${wall(from, zone)} for ${(to - from) / 3_600_000} h`)
}

test.each([
  ['Africa/Cairo', '2026-04-24'],
  ['America/Havana', '2026-03-08'],
  ['America/Santiago', '2026-09-06'],
  ['Asia/Beirut', '2026-03-29'],
  ['Atlantic/Azores', '2026-03-29'],
])('In %s, where %s has no midnight, a window from midnight begins at one', (zone, date) => {
  const next = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
  expect(ups('up daily 00:00-06:00', zone, date)).toEqual([`${date} 01:00 for 5 h`, `${next} 00:00 for 6 h`])
})

test('A window on Fridays survives in Cairo when that Friday has no midnight', () => {
  expect(ups('up fri', 'Africa/Cairo', '2026-04-24')).toEqual(['2026-04-24 01:00 for 23 h'])
})

test.each([
  ['02:30-03:30', ['2026-03-08 03:00 for 0.5 h', '2026-03-09 02:30 for 1 h']],
  ['02:00-03:00', ['2026-03-09 02:00 for 1 h']],
  ['02:15-02:45', ['2026-03-09 02:15 for 0.5 h']],
  ['01:30-02:30', ['2026-03-08 01:30 for 0.5 h', '2026-03-09 01:30 for 1 h']],
  ['22:00-06:00', ['2026-03-07 22:00 for 7 h', '2026-03-08 22:00 for 8 h']],
])('In New York in spring, only the existing part of %s counts', (times, expected) => {
  expect(ups(`up daily ${times}`, 'America/New_York', '2026-03-08')).toEqual(expected)
})

test.each([
  ['01:30-02:30', ['2026-11-01 01:30 for 2 h', '2026-11-02 01:30 for 1 h']],
  ['00:30-01:30', ['2026-11-01 00:30 for 1 h', '2026-11-02 00:30 for 1 h']],
  ['01:15-01:45', ['2026-11-01 01:15 for 0.5 h', '2026-11-02 01:15 for 0.5 h']],
])('In New York in autumn, %s begins once and ends once', (times, expected) => {
  expect(ups(`up daily ${times}`, 'America/New_York', '2026-11-01')).toEqual(expected)
})

test('A rule made in the second pass of an hour does not begin again in it', () => {
  const second = Date.UTC(2026, 10, 1, 6, 5) // 01:05 in New York, for the second time
  const rules = {
    ...nothing,
    weekly: [weekly('r1', 'up daily 01:30-01:45', { zone: 'America/New_York', made: second })],
  }
  const { want, until } = desired(rules, second)
  expect([want, wall(until, 'America/New_York')]).toEqual(['down', '2026-11-02 01:30'])
})

test('On Lord Howe, where clocks change by half an hour, windows keep their local times', () => {
  expect(ups('up daily 09:00-17:00', 'Australia/Lord_Howe', '2026-04-05')).toEqual([
    '2026-04-05 09:00 for 8 h',
    '2026-04-06 09:00 for 8 h',
  ])
  expect(ups('up daily 02:15-03:00', 'Australia/Lord_Howe', '2026-10-04')).toEqual([
    '2026-10-04 02:30 for 0.5 h',
    '2026-10-05 02:15 for 0.75 h',
  ])
})
