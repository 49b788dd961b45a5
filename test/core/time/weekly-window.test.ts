import fc from 'fast-check'
import { expect, test } from 'vitest'
import { complement, readWindow, windowText } from '../../../src/core/time/weekly-window.ts'
import { tries } from '../../support/search.ts'
import { english } from '../../support/words.ts'

test.each([
  ['weekdays 09:00-20:00', 'weekdays 09:00-20:00'],
  ['mon-fri 9:00-20:00', 'weekdays 09:00-20:00'],
  ['Weekdays  9:00 – 20:00', 'weekdays 09:00-20:00'],
  ['weekdays 9-17', 'weekdays 09:00-17:00'],
  ['mon-fri 9:30am-6pm', 'weekdays 09:30-18:00'],
  ['daily 22-6', 'daily 22:00-06:00'],
  ['sat-sun', 'weekends'],
  ['weekend 00:00-24:00', 'weekends'],
  ['daily', 'daily'],
  ['tue-mon', 'daily'],
  ['weekdays,weekends', 'daily'],
  ['mon', 'mon'],
  ['Wednesday', 'wed'],
  ['fri,mon,wed,mon', 'mon,wed,fri'],
  ['mon, wed , fri 10:00-11:00', 'mon,wed,fri 10:00-11:00'],
  ['fri-mon', 'fri-mon'],
  ['mon,sun', 'sun,mon'],
  ['mon-wed,fri', 'mon-wed,fri'],
  ['mon,wed,sat-sun', 'wed,sat-mon'],
  ['daily 22:00-06:00', 'daily 22:00-06:00'],
  ['daily 20:00-00:00', 'daily 20:00-24:00'],
  ['daily 13:00-18:00,09:00-12:00', 'daily 09:00-12:00,13:00-18:00'],
])('“%s” is the window “%s”', (typed, written) => {
  const read = readWindow(typed)
  expect('wrong' in read ? english(read.wrong) : windowText(read.window)).toBe(written)
})

test('a window is days from Monday and minutes from midnight; a night ends after minute 1440', () => {
  expect(readWindow('fri-mon 22:00-06:30')).toEqual({
    window: { days: [0, 4, 5, 6], spans: [{ from: 1320, to: 1830 }] },
  })
})

test.each([
  ['', /^The days are missing\. Write weekdays/],
  ['09:00-20:00', /^Name the days first: daily 09:00-20:00\.$/],
  ['9-5', /^Name the days first: daily 09:00-17:00\.$/],
  ['weekdays 25:00-26:00', /^“25:00” isn’t a valid time/],
  ['weekdays 09:60-10:00', /^“09:60” isn’t a valid time/],
  ['weekdays 24:00-06:00', /^“24:00” isn’t a valid time\. Write times such as 09:00-19:00, from 00:00 to 23:59/],
  ['weekdays 9-5', /^“5” isn’t a valid time\. Write times such as 09:00-19:00/],
  ['weekdays 09:00-09:00', /^09:00-09:00 is an empty range/],
  ['weekdays 09:00', /^“09:00” isn’t a range of times/],
  ['weekdays 09:00-12:00-14:00', /isn’t a range of times/],
  ['weekdays 09:00-12:00,11:00-14:00', /^The times in “09:00-12:00,11:00-14:00” overlap\.$/],
  ['weekdays 09:00-12:00,', /isn’t a range of times/],
  ['mon,,fri', /^A day is missing in “mon,,fri”/],
  [', 09:00-10:00', /^A day is missing/],
  ['workdays', /^“workdays” isn’t a day\. Write weekdays/],
  ['mon-wed-fri', /^“mon-wed-fri” isn’t a day/],
  ['0 9 * * 1-5', /^I don’t understand/],
  [
    'weekdays 09:00-20:00 please',
    /^I don’t understand “please” after “weekdays 09:00-20:00”\. Write days and times such as weekdays 09:00-19:00\.$/,
  ],
])('“%s” is refused with a reason', (typed, wrong) => {
  const read = readWindow(typed)
  expect('wrong' in read ? english(read.wrong) : windowText(read.window)).toMatch(wrong)
})

test('a window that is written and parsed again is the same', () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }).map((all) => all.sort((a, b) => a - b))
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 2, maxLength: 6 })
  const spans = minutes.map((all) => {
    const sorted = all.sort((a, b) => a - b).slice(0, all.length - (all.length % 2))
    return sorted.flatMap((from, at) => (at % 2 === 0 ? [{ from, to: sorted[at + 1]! }] : []))
  })
  const night = fc.tuple(fc.integer({ min: 1, max: 1439 }), fc.integer({ min: 1, max: 1439 })).chain(([a, b]) => {
    return a === b
      ? fc.constant([{ from: 0, to: 1440 }])
      : fc.constant([{ from: Math.max(a, b), to: Math.min(a, b) + 1440 }])
  })
  fc.assert(
    fc.property(fc.record({ days, spans: fc.oneof(spans, night) }), (window) => {
      expect(readWindow(windowText(window))).toEqual({ window })
    }),
    { numRuns: tries(5_000) },
  )
})

test.each(['__proto__', 'constructor', 'toString 09:00-10:00'])('%s is not a day', (typed) => {
  expect(readWindow(typed)).toHaveProperty('wrong')
})

test('any text is parsed as a window or refused with a sentence', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^(mon|fri|,|-| |9:00|24:00|daily){1,8}$/)), (typed) => {
      const read = readWindow(typed)
      if ('wrong' in read) expect(english(read.wrong)).toMatch(/[.?]$/)
      else expect(readWindow(windowText(read.window))).toEqual(read)
    }),
    { numRuns: tries(5_000) },
  )
})

test.each([
  ['daily 22:00-06:00', 'daily 06:00-22:00'],
  ['daily 20:00-24:00', 'daily 00:00-20:00'],
  ['daily 10:00-12:00', 'daily 12:00-10:00'],
  ['weekends', 'weekdays'],
  ['daily', ''],
  ['weekdays 22:00-06:00', ''],
  ['daily 09:00-12:00,13:00-18:00', ''],
])('The times besides %s are “%s”', (text, others) => {
  const read = readWindow(text)
  const found = 'window' in read ? complement(read.window) : null
  expect(found === null ? '' : windowText(found)).toBe(others)
})
