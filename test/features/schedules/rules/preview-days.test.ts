import { describe, expect, test } from 'vitest'
import type { Rules } from '../../../../src/core/model/rules.ts'
import { readDate } from '../../../../src/core/time/calendar.ts'
import { previewDays } from '../../../../src/features/schedules/rules/preview-days.ts'
import { english } from '../../../support/words.ts'
import { at, hold, nothing, once, seoul, weekly } from '../schedule.ts'

function linesOf(rules: Partial<Rules>, from: number, zone = seoul): readonly string[] {
  return (
    previewDays({ ...nothing, ...rules }, from, zone)
      .find((one) => one.zone === zone)
      ?.lines.map(english) ?? []
  )
}

describe('The preview of the next days', () => {
  test('shows when a window is up, and that a day without one is down', () => {
    const rules = { weekly: [weekly('r1', 'up weekdays 09:00-20:00')] }
    expect(linesOf(rules, at('2026-11-20 14:10'))).toEqual([
      'Fri 20 Nov  running 14:10–20:00',
      'Sat 21 Nov  stopped all day',
      'Sun 22 Nov  stopped all day',
      'Mon 23 Nov  running 09:00–20:00',
      'Tue 24 Nov  running 09:00–20:00',
      'Wed 25 Nov  running 09:00–20:00',
      'Thu 26 Nov  running 09:00–20:00',
    ])
  })

  test('shows a running endpoint as running until its warning ends', () => {
    const rules = { ...nothing, weekly: [weekly('r1', 'up weekdays 09:00-20:00')] }
    const saturday = at('2026-11-21 14:10')
    const [shown] = previewDays(rules, saturday, seoul, saturday + 600_000)
    expect(shown?.lines.slice(0, 3).map(english)).toEqual([
      'Sat 21 Nov  running until 14:20',
      'Sun 22 Nov  stopped all day',
      'Mon 23 Nov  running 09:00–20:00',
    ])
    const down = { ...nothing, weekly: [weekly('r1', 'down sat-sun')] }
    expect(
      previewDays(down, saturday, seoul, saturday + 600_000)[0]
        ?.lines.slice(0, 4)
        .map(english),
    ).toEqual([
      'Sat 21 Nov  running until 14:20',
      '            stopped from 14:20',
      'Sun 22 Nov  stopped all day',
      'Mon 23 Nov  left alone',
    ])
  })

  test('shows when a down-window stops the endpoint, and leaves the rest alone', () => {
    const lines = linesOf({ weekly: [weekly('r1', 'down sat-sun')] }, at('2026-11-20 14:10'))
    expect(lines.slice(0, 4)).toEqual([
      'Fri 20 Nov  left alone',
      'Sat 21 Nov  stopped all day',
      'Sun 22 Nov  stopped all day',
      'Mon 23 Nov  left alone',
    ])
  })

  test('shows a night on the day it begins, and holds and one-offs too', () => {
    const rules = {
      weekly: [weekly('r1', 'up daily 22:00-06:00')],
      holds: [hold('h1', '2026-11-20 14:00', '2026-11-21 10:00')],
      once: [once('o1', 'up', '2026-11-22 12:00', '2026-11-22 15:00')],
    }
    expect(linesOf(rules, at('2026-11-20 14:10')).slice(0, 4)).toEqual([
      'Fri 20 Nov  left alone from 14:10',
      'Sat 21 Nov  left alone until 10:00',
      '            running 22:00–06:00',
      'Sun 22 Nov  running 12:00–15:00',
    ])
  })

  test('shows the stop after a one-off start, and how long it lasts', () => {
    const lines = linesOf({ once: [once('o1', 'up', '2026-11-24 11:04', '2026-11-24 13:04')] }, at('2026-11-24 11:04'))
    expect(lines.slice(0, 4)).toEqual([
      'Tue 24 Nov  running 11:04–13:04',
      '            stopped from 13:04',
      'Wed 25 Nov  stopped until 13:04',
      'Thu 26 Nov  left alone',
    ])
  })

  test('marks holidays', () => {
    const skip = new Set([readDate('2026-11-24') ?? 0])
    const lines = linesOf({ weekly: [weekly('r1', 'up weekdays 09:00-20:00')], skip }, at('2026-11-23 00:00'))
    expect(lines[1]).toBe('Tue 24 Nov  stopped all day (holiday)')
  })

  test('follows clock changes of a rule’s own zone', () => {
    const zone = 'America/New_York'
    const rules = { weekly: [weekly('r1', 'up daily 09:00-20:00', { zone })] }
    const from = at('2026-10-31 00:00', zone)
    expect(linesOf(rules, from, zone)[1]).toBe('Sun  1 Nov  running 09:00–20:00')
    expect(linesOf(rules, from, 'UTC').slice(0, 4)).toEqual([
      'Sat 31 Oct  running 13:00–24:00',
      'Sun  1 Nov  running 14:00–01:00',
      'Mon  2 Nov  running 14:00–01:00',
      'Tue  3 Nov  running 14:00–01:00',
    ])
  })

  test('shows since when an endpoint is stopped after a night, and repeats longer states every day', () => {
    const rules = { weekly: [weekly('r1', 'up fri 22:00-06:00')] }
    expect(linesOf(rules, at('2026-11-20 14:10')).slice(0, 3)).toEqual([
      'Fri 20 Nov  running 22:00–06:00',
      'Sat 21 Nov  stopped from 06:00',
      'Sun 22 Nov  stopped all day',
    ])
    const long = { holds: [hold('h1', '2026-11-21 10:00', '2026-11-23 18:00')], weekly: [weekly('r1', 'down daily')] }
    expect(linesOf(long, at('2026-11-20 14:10')).slice(1, 4)).toEqual([
      'Sat 21 Nov  left alone from 10:00',
      'Sun 22 Nov  left alone',
      'Mon 23 Nov  stopped from 18:00',
    ])
  })

  test('fits on a phone, in lines of at most 38 characters', () => {
    const rules = {
      weekly: [weekly('r1', 'up daily 22:00-06:00'), weekly('r2', 'up weekdays 09:00-12:00,13:00-18:00')],
      holds: [hold('h1', '2026-11-21 10:00', '2026-11-22 09:00')],
    }
    const lengths = linesOf(rules, at('2026-11-20 14:10')).map(({ length }) => length)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(38)
  })

  test('is shown once for zones with the same local time', () => {
    const zones = [seoul, 'Asia/Tokyo', 'UTC'].map((zone, at) => weekly(`r${at}`, 'up weekdays 09:00-20:00', { zone }))
    const shown = previewDays({ ...nothing, weekly: zones }, at('2026-11-20 14:10'), seoul)
    expect(shown.map(({ zone }) => zone)).toEqual([seoul, 'UTC'])
  })
})
