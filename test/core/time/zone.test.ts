import { describe, expect, test } from 'vitest'
import { dateText, readClock, readDate } from '../../../src/core/time/calendar.ts'
import { instantOf, localAt, reachedAt, shiftsBetween } from '../../../src/core/time/zone.ts'

/** Converts local time such as "2026-03-08 02:30" in a zone to an ISO instant in UTC. */
function instant(text: string, zone: string): string {
  const [date = '', clock = ''] = text.split(' ')
  return new Date(instantOf(readDate(date)!, readClock(clock)!, zone)).toISOString()
}

describe('A local time in a skipped hour means the first instant after the gap', () => {
  test.each([
    ['America/New_York', '2026-03-08 02:30', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '2026-03-08 02:00', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '2026-03-08 03:00', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '2026-03-08 01:59', '2026-03-08T06:59:00.000Z'],
    ['Africa/Cairo', '2026-04-24 00:00', '2026-04-23T22:00:00.000Z'],
    ['America/Havana', '2026-03-08 00:00', '2026-03-08T05:00:00.000Z'],
    ['America/Santiago', '2026-09-06 00:00', '2026-09-06T04:00:00.000Z'],
    ['Asia/Beirut', '2026-03-29 00:00', '2026-03-28T22:00:00.000Z'],
    ['Atlantic/Azores', '2026-03-29 00:00', '2026-03-29T01:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:30:00.000Z'],
    // Samoa skipped this whole day.
    ['Pacific/Apia', '2011-12-30 12:00', '2011-12-30T10:00:00.000Z'],
  ])('%s, %s', (zone, wall, utc) => {
    expect(instant(wall, zone)).toBe(utc)
  })
})

describe('A local time in a repeated hour means its first pass', () => {
  test.each([
    ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
    ['America/New_York', '2026-11-01 02:00', '2026-11-01T07:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25 02:00', '2026-10-25T00:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:45', '2026-04-04T14:45:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05 09:00', '2026-04-04T22:30:00.000Z'],
  ])('%s, %s', (zone, wall, utc) => {
    expect(instant(wall, zone)).toBe(utc)
  })

  test('reachedAt stays at the end of the first pass while the hour repeats', () => {
    const first = instantOf(readDate('2026-11-01')!, 0, 'America/New_York')
    const reached = [60, 119, 120, 179, 180].map((minutes) => reachedAt(first + minutes * 60_000, 'America/New_York'))
    expect(reached.map((minute) => minute % 1440)).toEqual([60, 119, 119, 119, 120])
  })

  test('localAt shows the same time in both passes', () => {
    const first = instantOf(readDate('2026-11-01')!, 90, 'America/New_York')
    expect(localAt(first, 'America/New_York')).toEqual(localAt(first + 3_600_000, 'America/New_York'))
  })
})

test('local time has no seconds', () => {
  const { day, minute } = localAt(Date.UTC(2026, 10, 20, 18, 59, 59, 999), 'Asia/Kolkata')
  expect([dateText(day), minute]).toEqual(['2026-11-21', 29])
})

test('a minute past the end of a day belongs to the next day', () => {
  const day = readDate('2026-11-20')!
  expect(instantOf(day, 1440 + 360, 'Asia/Seoul')).toBe(instantOf(day + 1, 360, 'Asia/Seoul'))
})

test('the clock changes of a year are found in any order of queries', () => {
  const year = (y: number) => shiftsBetween(Date.UTC(y, 0), Date.UTC(y + 1, 0), 'Australia/Lord_Howe')
  const written = [2040, 2019, 2027].map((y) => year(y).map((at) => new Date(at).toISOString()))
  expect(written).toEqual([
    ['2040-03-31T15:00:00.000Z', '2040-10-06T15:30:00.000Z'],
    ['2019-04-06T15:00:00.000Z', '2019-10-05T15:30:00.000Z'],
    ['2027-04-03T15:00:00.000Z', '2027-10-02T15:30:00.000Z'],
  ])
  expect(shiftsBetween(Date.UTC(2026, 0), Date.UTC(2036, 0), 'Asia/Seoul')).toEqual([])
})
