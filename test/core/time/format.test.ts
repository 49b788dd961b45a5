import { expect, test } from 'vitest'
import { lasting, spanOf } from '../../../src/core/time/format.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each<[number, string]>([
  [-5 * second, '0 s'],
  [0, '0 s'],
  [499, '0 s'],
  [500, '1 s'],
  [42 * second, '42 s'],
  [59 * second + 499, '59 s'],
  [59 * second + 500, '1 min'],
  [minute, '1 min'],
  [minute + 59 * second, '1 min'],
  [59 * minute + 59 * second, '59 min'],
  [hour, '1 h'],
  [2 * hour, '2 h'],
  [2 * hour + 5 * minute, '2 h 5 min'],
  [47 * hour + 59 * minute, '47 h 59 min'],
  [2 * day, '2 d'],
  [3 * day + 23 * hour, '3 d 23 h'],
  [400 * day, '400 d'],
])('%d ms is written as %s', (ms, written) => {
  expect(lasting(ms, 'en')).toBe(written)
})

test.each<[string, number | null]>([
  ['30m', 30 * minute],
  ['90m', 90 * minute],
  ['1h30m', 90 * minute],
  ['1d12h', 36 * hour],
  ['2w', 14 * day],
  ['', null],
  ['30', null],
  ['30m1h', null],
  ['1h1h', null],
  ['1h 30m', null],
  ['99999h', 99_999 * 3_600_000],
  ['9999999m', null],
])('“%s” is parsed as %s ms', (typed, ms) => {
  expect(spanOf(typed)).toBe(ms)
})
