import { expect, test } from 'vitest'
import {
  clockText,
  dateIn,
  dateText,
  readClock,
  readDate,
  weekdayNamed,
  weekdayOf,
} from '../../../src/core/time/calendar.ts'

test.each([
  ['1970-01-01', 0],
  ['1969-12-31', -1],
  ['2026-12-24', 20_811],
  ['2028-02-29', 21_243],
])('%s is day %i since 1970 and is written the same', (text, day) => {
  expect(readDate(text)).toBe(day)
  expect(dateText(day)).toBe(text)
})

test.each(['2026-02-30', '2027-02-29', '2026-13-01', '2026-00-10', '26-12-24', '2026-12-24 ', '24.12.2026', ''])(
  '“%s” is not a date',
  (text) => {
    expect(readDate(text)).toBeNull()
  },
)

test('a date is written as people write it, padded to a fixed width', () => {
  const written = (text: string, only?: 'weekday' | 'month') =>
    (['en', 'ko'] as const).map((language) => dateIn(readDate(text) ?? 0, language, only))
  expect(written('2026-11-16')).toEqual(['Mon 16 Nov', '11월 16일(월)'])
  expect(written('2026-12-01')).toEqual(['Tue  1 Dec', '12월  1일(화)'])
  expect(written('2026-12-01', 'weekday')).toEqual(['Tue 1', '1일(화)'])
  expect(written('2026-12-01', 'month')).toEqual(['1 Dec', '12월 1일'])
})

test('the week begins on Monday, before 1970 too', () => {
  expect(
    ['2026-11-23', '2026-11-29', '1969-12-29', '1969-12-28'].map((text) => weekdayOf(readDate(text) ?? 0)),
  ).toEqual([0, 6, 0, 6])
})

test.each([
  ['mon', 0],
  ['Tues', 1],
  ['thur', 3],
  ['fridays', 4],
  ['SUNDAY', 6],
  ['mo', null],
  ['month', null],
  ['sunny', null],
])('the weekday of “%s” is %s', (word, weekday) => {
  expect(weekdayNamed(word)).toBe(weekday)
})

test.each([
  ['00:00', 0],
  ['9:05', 545],
  ['23:59', 1439],
  ['24:00', 1440],
  ['24:01', null],
  ['25:00', null],
  ['12:60', null],
  ['12', null],
  ['1:2', null],
])('the clock time %s is minute %s of the day', (text, minute) => {
  expect(readClock(text)).toBe(minute)
})

test('a minute of the day is written as a clock time; the end of a day is 24:00', () => {
  expect([0, 545, 1439, 1440, 1441, 2879].map(clockText)).toEqual([
    '00:00',
    '09:05',
    '23:59',
    '24:00',
    '00:01',
    '23:59',
  ])
})
