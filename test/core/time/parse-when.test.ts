import { describe, expect, test } from 'vitest'
import { dateText } from '../../../src/core/time/calendar.ts'
import { absolute, absoluteIn, instant } from '../../../src/core/time/format.ts'
import { readWhen, whenWords } from '../../../src/core/time/parse-when.ts'
import { localAt } from '../../../src/core/time/zone.ts'
import { english } from '../../support/words.ts'

const seoul = 'Asia/Seoul'
/** Friday 2026-11-20, 13:00 in Seoul. */
const now = Date.UTC(2026, 10, 20, 4)

/** Returns the parsed time as local time in the zone, or the error sentence. */
function shown(text: string, from = now, zone = seoul): string {
  const read = readWhen(text, from, zone)
  if ('wrong' in read) return english(read.wrong)
  const { day, minute } = localAt(read.at, zone)
  return `${dateText(day)} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

describe('On a Friday at 13:00', () => {
  test.each([
    ['19:00', '2026-11-20 19:00'],
    ['9:00', '2026-11-21 09:00'],
    ['13:00', '2026-11-21 13:00'],
    ['24:00', '2026-11-21 00:00'],
    ['today 19:00', '2026-11-20 19:00'],
    ['tomorrow', '2026-11-21 09:00'],
    ['Tomorrow 7:30', '2026-11-21 07:30'],
    ['fri 18:00', '2026-11-20 18:00'],
    ['fri 12:00', '2026-11-27 12:00'],
    ['fri', '2026-11-27 09:00'],
    ['mon', '2026-11-23 09:00'],
    ['Thursday 08:00', '2026-11-26 08:00'],
    ['2026-12-24', '2026-12-24 09:00'],
    ['2026-12-24 18:00', '2026-12-24 18:00'],
    ['2026-12-24T18:00', '2026-12-24 18:00'],
    ['2026-11-20T20:30Z', '2026-11-21 05:30'],
    ['4h', '2026-11-20 17:00'],
    ['90m', '2026-11-20 14:30'],
    ['2d', '2026-11-22 13:00'],
    ['1w', '2026-11-27 13:00'],
    ['overnight', '2026-11-21 09:00'],
  ])('“%s” is %s', (text, wall) => {
    expect(shown(text)).toBe(wall)
  })

  test.each([
    [4, '2026-11-20 09:00'],
    [8, '2026-11-21 09:00'],
    [23, '2026-11-21 09:00'],
  ])('the night ends at 09:00, the coming one from 05:00 on: at %i:30', (hour, wall) => {
    expect(shown('overnight', Date.UTC(2026, 10, 20, hour - 9, 30))).toBe(wall)
  })

  test.each([
    ['today 12:00', 'That time has passed: today 12:00. Give a later one.'],
    ['today', 'That time has passed: today. Give a later one.'],
    ['2026-11-19', 'That time has passed: 2026-11-19. Give a later one.'],
    ['2025-12-24 18:00', 'That time has passed: 2025-12-24 18:00. Give a later one.'],
    ['2028-01-01', '2028-01-01 is more than a year away. Give a time within a year.'],
    ['2026-11-20T03:59Z', `That time has passed: ${instant(Date.UTC(2026, 10, 20, 3, 59))}. Give a later one.`],
    ['2027-02-29T10:00Z', /isn’t a valid time/],
    ['99999h', '99999h is more than a year. Give a shorter time.'],
    ['9000d', '9000d is more than a year. Give a shorter time.'],
    ['fri18:00', /^I don’t understand the time “fri18:00”\. Write 19:00/],
    ['25:00', /^“25:00” isn’t a valid time/],
    ['tomorrow 25:00', /^“25:00” isn’t a valid time/],
    ['fri noon', /^“noon” isn’t a valid time/],
    ['18:00 fri', 'Write the day first: fri 18:00.'],
    ['4h 18:00', /“4h 18:00” names more than one time/],
    ['0h', '0h is zero. Give a longer time.'],
    ['2027-02-29', /^“2027-02-29” isn’t a date/],
    ['2026-13-40 10:00', /^“2026-13-40” isn’t a date/],
    ['soon', /^I don’t understand the time “soon”/],
    ['fri 18:00 sharp', /^I don’t understand/],
    ['', /^I don’t understand/],
  ])('“%s” is refused', (text, wrong) => {
    if (typeof wrong === 'string') expect(shown(text)).toBe(wrong)
    else expect(shown(text)).toMatch(wrong)
  })
})

test('the same words mean different instants in different zones', () => {
  expect(readWhen('19:00', now, seoul)).toEqual({ at: Date.UTC(2026, 10, 20, 10) })
  expect(readWhen('19:00', now, 'America/New_York')).toEqual({ at: Date.UTC(2026, 10, 21, 0) })
})

test('an absolute instant is the same in all zones, and is rounded up to the minute', () => {
  const at = Date.UTC(2026, 10, 20, 20, 30)
  expect([absolute(at), absolute(at - 59_999)]).toEqual(['2026-11-20T20:30Z', '2026-11-20T20:30Z'])
  for (const zone of [seoul, 'America/New_York']) expect(readWhen('2026-11-20t20:30z', now, zone)).toEqual({ at })
  expect(absoluteIn('2026-11-20T20:30')).toBeNull()
})

test('“tomorrow” follows the clock change, but “1d” is always 24 hours', () => {
  const before = Date.UTC(2026, 9, 31, 16) // 12:00 in New York, the day before the clocks go back.
  expect(shown('tomorrow 12:00', before, 'America/New_York')).toBe('2026-11-01 12:00')
  expect(readWhen('tomorrow 12:00', before, 'America/New_York')).toEqual({ at: before + 25 * 3_600_000 })
  expect(readWhen('1d', before, 'America/New_York')).toEqual({ at: before + 24 * 3_600_000 })
})

test('a time in a skipped hour means the first instant after it', () => {
  const before = Date.UTC(2026, 2, 8, 5) // 00:00 in New York
  expect(readWhen('02:30', before, 'America/New_York')).toEqual({ at: Date.UTC(2026, 2, 8, 7) })
})

test('in the second pass of a repeated hour, its times have passed', () => {
  const second = Date.UTC(2026, 10, 1, 6, 10) // 01:10 in New York, for the second time
  expect(shown('01:30', second, 'America/New_York')).toBe('2026-11-02 01:30')
  expect(shown('sun 01:30', second, 'America/New_York')).toBe('2026-11-08 01:30')
  expect(shown('today 01:30', second, 'America/New_York')).toMatch(/^That time has passed/)
})

test.each([
  [['fri', '18:00', 'because=x'], 2],
  [['fri', 'because=x'], 1],
  [['tomorrow', '25:00'], 2],
  [['2026-12-24', '18:00'], 2],
  [['2026-12-24T18:00', '18:00'], 1],
  [['19:00', '20:00'], 1],
  [['4h', '18:00'], 1],
  [['6pm', 'because=x'], 1],
  [['6', 'PM'], 2],
  [['fri', '6:30', 'pm'], 3],
  [['fri', 'at', '6:30', 'pm'], 4],
  [['tomorrow', 'at', '9'], 3],
  [['tomorrow', 'at', 'once'], 1],
  [['at', '9'], 0],
  [['tomorrow', '6pm'], 2],
  [['7pm', 'tomorrow', 'because=x'], 2],
  [['7', 'pm', 'on', 'fri'], 4],
  [['7pm', 'on', 'call'], 1],
  [['13pm'], 0],
  [['6'], 0],
  [['because=x'], 0],
  [['my-llm', '18:00'], 0],
  [[], 0],
])('in %j the first %i words are a time', (words, count) => {
  expect(whenWords(words)).toBe(count)
})
