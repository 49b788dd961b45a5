import { describe, expect, test } from 'vitest'
import type { Hold, OneOff, Rules } from '../../../../src/core/model/rules.ts'
import { readDate } from '../../../../src/core/time/calendar.ts'
import { expiredIn } from '../../../../src/features/schedules/housekeeping.ts'
import { stoppedFor } from '../../../../src/features/schedules/rules/coming.ts'
import {
  type Decider,
  desired,
  occurrenceOf,
  segments,
} from '../../../../src/features/schedules/rules/desired-state.ts'
import { nextBoundary } from '../../../../src/features/schedules/rules/weekly.ts'
import { ana, at, hold, nothing, once, wall, weekly } from '../schedule.ts'

function given(rules: Partial<Rules>): Rules {
  return { ...nothing, ...rules }
}

function isSpent(rule: OneOff | Hold, rules: Rules, now: number): boolean {
  return expiredIn(rules, now).includes(rule)
}

function name(by: Decider): string {
  return 'id' in by ? by.id : by.kind
}

/** Returns "up by r1 from 2026-11-20 09:00 to 2026-11-20 20:00". */
function told(rules: Rules, when: string): string {
  const { want, by, since, until } = desired(rules, at(when))
  return `${want} by ${name(by)} from ${since === 0 ? 'ever' : wall(since)} to ${wall(until)}`
}

/** The decisions over some days, each with its beginning. */
function story(rules: Rules, from: string, days: number): string[] {
  return segments(rules, at(from), at(from) + days * 86_400_000).map(
    ({ from, want, by }) => `${wall(from)} ${want} by ${name(by)}`,
  )
}

// 2026-11-20 is a Friday.
const office = weekly('r1', 'up weekdays 09:00-20:00')

describe('An up-window: up inside, down outside all up-windows', () => {
  test.each([
    ['2026-11-20 08:59', 'down by r1 from 2026-11-19 20:00 to 2026-11-20 09:00'],
    ['2026-11-20 09:00', 'up by r1 from 2026-11-20 09:00 to 2026-11-20 20:00'],
    ['2026-11-20 19:59', 'up by r1 from 2026-11-20 09:00 to 2026-11-20 20:00'],
    ['2026-11-20 20:00', 'down by r1 from 2026-11-20 20:00 to 2026-11-23 09:00'],
    ['2026-11-22 12:00', 'down by r1 from 2026-11-20 20:00 to 2026-11-23 09:00'],
  ])('at %s: %s', (when, expected) => {
    expect(told(given({ weekly: [office] }), when)).toBe(expected)
  })

  test('A stopped endpoint stays stopped until the rules start it', () => {
    const hours = (rules: Parameters<typeof stoppedFor>[0], from: string, to: string) =>
      stoppedFor(rules, at(from), at(to)) / 3_600_000
    expect(hours(given({ weekly: [office] }), '2026-11-19 07:00', '2026-11-20 09:00')).toBe(15)
    expect(hours(given({ weekly: [office] }), '2026-11-20 20:00', '2026-11-21 09:00')).toBe(13)
    const nights = given({ weekly: [weekly('q', 'down daily 00:00-06:00')] })
    expect(hours(nights, '2026-11-20 00:00', '2026-11-20 09:00')).toBe(9)
  })

  test('Windows of one endpoint add up, and nothing begins where they join', () => {
    const rules = given({ weekly: [weekly('b', 'up fri 12:00-22:00'), weekly('a', 'up fri 22:00-23:00'), office] })
    expect(story(rules, '2026-11-20 00:00', 3)).toEqual([
      '2026-11-20 00:00 down by a',
      '2026-11-20 09:00 up by r1',
      '2026-11-20 23:00 down by a',
    ])
    expect(told(rules, '2026-11-20 22:30')).toBe('up by a from 2026-11-20 09:00 to 2026-11-20 23:00')
    const ids = ['09:00', '13:00', '21:00', '22:59'].map((clock) =>
      occurrenceOf('e1', desired(rules, at(`2026-11-20 ${clock}`))),
    )
    expect(new Set(ids)).toEqual(new Set([`e1.r1.${at('2026-11-20 09:00')}.up`]))
  })

  test('A night belongs to the day on which it begins', () => {
    const nights = given({ weekly: [weekly('n', 'up weekdays 20:00-08:00')] })
    expect(told(nights, '2026-11-21 07:59')).toBe('up by n from 2026-11-20 20:00 to 2026-11-21 08:00')
    expect(told(nights, '2026-11-22 23:00')).toBe('down by n from 2026-11-21 08:00 to 2026-11-23 20:00')
    expect(told(nights, '2026-11-23 07:00')).toBe('down by n from 2026-11-21 08:00 to 2026-11-23 20:00')
  })

  test('Adjacent whole days are one time span', () => {
    const days = given({ weekly: [weekly('d', 'up mon-wed')] })
    expect(told(days, '2026-11-25 12:00')).toBe('up by d from 2026-11-23 00:00 to 2026-11-26 00:00')
  })

  test('A rule applies from when it was made and decides at once', () => {
    const rules = given({ weekly: [{ ...office, made: at('2026-11-20 22:15') }] })
    expect(told(rules, '2026-11-20 22:14')).toBe('hands off by nothing from ever to 2026-11-20 22:15')
    expect(told(rules, '2026-11-20 22:15')).toBe('down by r1 from 2026-11-20 22:15 to 2026-11-23 09:00')
  })

  test('A rule that is always up began when it was made and never ends', () => {
    const made = at('2024-02-29 10:00')
    const one = given({ weekly: [weekly('d', 'up daily', { made })] })
    const two = given({ weekly: [weekly('d', 'up weekdays', { made }), weekly('e', 'up weekends', { made })] })
    for (const rules of [one, two]) {
      expect(told(rules, '2026-11-20 12:00')).toMatch(/^up by [de] from 2024-02-29 10:00 to never$/)
    }
  })
})

describe('A down-window: down inside, hands off outside, never starts anything', () => {
  const quiet = given({ weekly: [weekly('q', 'down sat-sun')] })
  test('gives this week', () => {
    expect(story(quiet, '2026-11-20 12:00', 7)).toEqual([
      '2026-11-20 12:00 hands off by nothing',
      '2026-11-21 00:00 down by q',
      '2026-11-23 00:00 hands off by nothing',
    ])
  })

  test('loses to an up-window at the same time', () => {
    const both = given({ weekly: [weekly('q', 'down sat-sun'), weekly('u', 'up sat 10:00-12:00')] })
    expect(told(both, '2026-11-21 11:00')).toBe('up by u from 2026-11-21 10:00 to 2026-11-21 12:00')
    expect(told(both, '2026-11-21 12:00')).toBe('down by q from 2026-11-21 12:00 to 2026-11-28 10:00')
  })
})

describe('The first layer with an opinion decides', () => {
  const team = weekly('t', 'up weekdays 09:00-20:00', { endpoint: null })

  test('The endpoint’s own windows come before the team’s, which decide when it has none', () => {
    const rules = given({ weekly: [team, weekly('q', 'down fri 15:00-17:00')] })
    expect(story(rules, '2026-11-20 08:00', 1)).toEqual([
      '2026-11-20 08:00 down by t',
      '2026-11-20 09:00 up by t',
      '2026-11-20 15:00 down by q',
      '2026-11-20 17:00 up by t',
      '2026-11-20 20:00 down by t',
    ])
    const own = given({ weekly: [team, weekly('o', 'up fri 06:00-07:00')] })
    expect(told(own, '2026-11-20 12:00')).toBe('down by o from 2026-11-20 07:00 to 2026-11-27 06:00')
  })

  test('A protected endpoint is never down, but is up when it should be', () => {
    const rules = given({ weekly: [office], protected: true })
    expect(told(rules, '2026-11-20 12:00')).toBe('up by r1 from 2026-11-20 09:00 to 2026-11-20 20:00')
    expect(told(rules, '2026-11-20 21:00')).toBe('hands off by protected from 2026-11-20 20:00 to 2026-11-23 09:00')
  })

  test('A freeze leaves everything alone and begins nothing when it ends', () => {
    const freeze = { at: at('2026-11-20 19:00'), until: at('2026-11-20 23:00') }
    const rules = given({ weekly: [office], freeze, holds: [hold('h', '2026-11-20 18:00', '2026-11-20 22:00')] })
    expect(told(rules, '2026-11-20 21:00')).toBe('hands off by freeze from 2026-11-20 19:00 to 2026-11-20 23:00')
    const alone = given({ weekly: [office], freeze })
    expect(told(alone, '2026-11-20 23:00')).toBe('down by r1 from 2026-11-20 20:00 to 2026-11-23 09:00')
    expect(told({ ...alone, freeze: { ...freeze, until: null } }, '2026-11-25 12:00')).toMatch(
      /^hands off by freeze .* never$/,
    )
  })

  test('A hold leaves the endpoint as it is, and the rules decide again when it ends', () => {
    const rules = given({ weekly: [office], holds: [hold('h', '2026-11-20 19:50', '2026-11-20 21:00')] })
    expect(told(rules, '2026-11-20 20:30')).toBe('hands off by h from 2026-11-20 19:50 to 2026-11-20 21:00')
    expect(told(rules, '2026-11-20 21:00')).toBe('down by r1 from 2026-11-20 21:00 to 2026-11-23 09:00')
  })

  test('Of two holds the newer one decides', () => {
    const holds = [hold('a', '2026-11-20 10:00', '2026-11-20 18:00'), hold('b', '2026-11-20 12:00', '2026-11-20 13:00')]
    const rules = given({ holds })
    expect(story(rules, '2026-11-20 11:00', 0.5)).toEqual([
      '2026-11-20 11:00 hands off by a',
      '2026-11-20 12:00 hands off by b',
      '2026-11-20 13:00 hands off by a',
      '2026-11-20 18:00 hands off by nothing',
    ])
  })

  test('A hold comes before a one-off, and a one-off before windows', () => {
    const rules = given({
      weekly: [office],
      once: [once('o', 'up', '2026-11-20 21:00', '2026-11-20 23:00')],
      holds: [hold('h', '2026-11-20 22:00', '2026-11-20 22:30')],
    })
    expect(story(rules, '2026-11-20 20:30', 0.2)).toEqual([
      '2026-11-20 20:30 down by r1',
      '2026-11-20 21:00 up by o',
      '2026-11-20 22:00 hands off by h',
      '2026-11-20 22:30 up by o',
      '2026-11-20 23:00 down by r1',
    ])
  })
})

describe('A one-off', () => {
  test('stop at T is down until the windows next change the state', () => {
    const rules = given({ weekly: [office], once: [once('o', 'down', '2026-11-20 15:00')] })
    expect(told(rules, '2026-11-20 16:00')).toBe('down by o from 2026-11-20 15:00 to 2026-11-20 20:00')
    expect(told(rules, '2026-11-20 20:00')).toBe('down by r1 from 2026-11-20 20:00 to 2026-11-23 09:00')
  })

  test('stop at T without windows ends after a day', () => {
    const rules = given({ once: [once('o', 'down', '2026-11-20 19:00')] })
    expect(told(rules, '2026-11-20 18:00')).toBe('hands off by nothing from ever to 2026-11-20 19:00')
    expect(told(rules, '2026-11-20 19:00')).toBe('down by o from 2026-11-20 19:00 to 2026-11-21 19:00')
    expect(told(rules, '2026-11-21 19:00')).toBe('hands off by nothing from 2026-11-21 19:00 to never')
  })

  test('stop at T under an always-up rule stays down until somebody acts', () => {
    const rules = given({ weekly: [weekly('d', 'up daily')], once: [once('o', 'down', '2026-11-20 19:00')] })
    expect(told(rules, '2026-12-20 19:00')).toBe('down by o from 2026-11-20 19:00 to never')
  })

  test('start until T is up, then down for a day, then hands off', () => {
    const rules = given({ once: [once('o', 'up', '2026-11-20 10:00', '2026-11-20 14:00')] })
    expect(story(rules, '2026-11-20 09:00', 3)).toEqual([
      '2026-11-20 09:00 hands off by nothing',
      '2026-11-20 10:00 up by o',
      '2026-11-20 14:00 down by o',
      '2026-11-21 14:00 hands off by nothing',
    ])
  })

  test('start until T stops nothing that a window wants up at T', () => {
    const rules = given({ weekly: [office], once: [once('o', 'up', '2026-11-20 08:00', '2026-11-20 14:00')] })
    expect(told(rules, '2026-11-20 14:00')).toBe('up by r1 from 2026-11-20 14:00 to 2026-11-20 20:00')
  })

  test('start until T among down-windows stops at T', () => {
    const rules = given({
      weekly: [weekly('q', 'down sat-sun')],
      once: [once('o', 'up', '2026-11-21 10:00', '2026-11-23 10:00')],
    })
    expect(story(rules, '2026-11-21 09:00', 8)).toEqual([
      '2026-11-21 09:00 down by q',
      '2026-11-21 10:00 up by o',
      '2026-11-23 10:00 down by o',
      '2026-11-28 00:00 down by q',
    ])
  })

  test('replaces every one-off that began before it', () => {
    const rules = given({
      once: [
        once('b', 'down', '2026-11-20 12:00', '2026-11-20 13:00'),
        once('a', 'up', '2026-11-20 10:00', '2026-11-20 18:00'),
      ],
    })
    expect(story(rules, '2026-11-20 11:00', 0.5)).toEqual([
      '2026-11-20 11:00 up by a',
      '2026-11-20 12:00 down by b',
      '2026-11-20 13:00 hands off by nothing',
    ])
  })
})

describe('On a skipped date', () => {
  const skip = new Set([readDate('2026-11-20')!, readDate('2026-11-23')!])

  test('no up-window begins, but the night before it runs to its end', () => {
    const rules = given({ weekly: [weekly('n', 'up weekdays 20:00-06:00')], skip })
    expect(story(rules, '2026-11-19 12:00', 6)).toEqual([
      '2026-11-19 12:00 down by n',
      '2026-11-19 20:00 up by n',
      '2026-11-20 06:00 down by n',
      '2026-11-24 20:00 up by n',
      '2026-11-25 06:00 down by n',
    ])
  })

  test('down-windows still begin', () => {
    expect(told(given({ weekly: [weekly('q', 'down fri')], skip }), '2026-11-20 12:00')).toMatch(/^down by q/)
  })

  test('an always-up rule is down, however long ago that was', () => {
    const rules = given({ weekly: [weekly('d', 'up daily')], skip })
    expect(told(rules, '2026-11-19 12:00')).toBe('up by d from 2026-01-01 09:00 to 2026-11-20 00:00')
    expect(told(rules, '2026-11-20 12:00')).toBe('down by d from 2026-11-20 00:00 to 2026-11-21 00:00')
    expect(told(rules, '2027-11-20 12:00')).toBe('up by d from 2026-11-24 00:00 to never')
    const parts = given({ weekly: [weekly('d', 'up weekdays'), weekly('e', 'up weekends')], skip })
    expect(told(parts, '2027-11-20 12:00')).toBe('up by e from 2026-11-24 00:00 to never')
    expect(told(parts, '2026-03-20 12:00')).toBe('up by d from 2026-01-01 09:00 to 2026-11-20 00:00')
  })

  test('a week whose only days are skipped is passed over', () => {
    const mondays = new Set(['2026-11-16', '2026-11-23', '2026-11-30'].map((text) => readDate(text)!))
    const rules = given({ weekly: [weekly('m', 'up mon 09:00-10:00')], skip: mondays })
    expect(told(rules, '2026-11-22 12:00')).toBe('down by m from 2026-11-09 10:00 to 2026-12-07 09:00')
    expect(told(rules, '2026-12-06 12:00')).toBe('down by m from 2026-11-09 10:00 to 2026-12-07 09:00')
  })
})

test('The next boundary is the next change of state, not the end of a window', () => {
  const rules = given({ weekly: [weekly('a', 'up fri 09:00-13:00'), weekly('b', 'up fri 12:00-20:00')] })
  expect(wall(nextBoundary(rules, at('2026-11-20 10:00')))).toBe('2026-11-20 20:00')
  expect(nextBoundary(nothing, at('2026-11-20 10:00'))).toBeNull()
})

test('An ended hold is spent once the windows have changed the state', () => {
  const kept = hold('h', '2026-11-20 19:50', '2026-11-20 21:00')
  const rules = given({ weekly: [office], holds: [kept] })
  const spent = ['2026-11-20 20:59', '2026-11-23 08:59', '2026-11-23 09:00'].map((when) =>
    isSpent(kept, rules, at(when)),
  )
  expect(spent).toEqual([false, false, true])
  expect(isSpent(kept, given({ holds: [kept] }), kept.until)).toBe(true)
})

test('A hold is kept while the one-off that it postponed still decides', () => {
  const [stop, kept] = [once('o', 'down', '2026-11-20 10:00'), hold('h', '2026-11-20 09:50', '2026-11-20 12:00')]
  const rules = given({ once: [stop], holds: [kept] })
  const spent = (when: string) => expiredIn(rules, at(when)).map(({ id }) => id)
  expect(['2026-11-20 12:00', '2026-11-21 09:59', '2026-11-21 10:00'].map(spent)).toEqual([[], [], ['o', 'h']])
  const always = given({ weekly: [weekly('d', 'down daily')], holds: [kept] })
  expect(expiredIn(always, at('2027-11-20 12:00'))).toEqual([])
})

test('A one-off is spent when its own stop is over too', () => {
  const start = once('o', 'up', '2026-11-20 10:00', '2026-11-20 14:00')
  const rules = given({ once: [start] })
  expect(['2026-11-21 13:59', '2026-11-21 14:00'].map((when) => isSpent(start, rules, at(when)))).toEqual([false, true])
})

test('A one-off is spent when a newer one has begun', () => {
  const [stop, start] = [once('a', 'down', '2026-11-20 10:00'), once('b', 'up', '2026-11-20 12:00')]
  const rules = given({ weekly: [weekly('d', 'up daily')], once: [start, stop] })
  const spent = ['2026-11-20 11:59', '2026-11-20 12:00'].map((when) => isSpent(stop, rules, at(when)))
  expect(spent).toEqual([false, true])
  expect(isSpent(start, rules, at('2027-11-20 12:00'))).toBe(false)
})

test('The order of the rules does not matter', () => {
  const windows = [office, weekly('r2', 'up fri 12:00-23:00'), weekly('r3', 'up daily 10:00-11:00')]
  const one = desired(given({ weekly: windows }), at('2026-11-20 12:30'))
  const other = desired(given({ weekly: windows.toReversed() }), at('2026-11-20 12:30'))
  expect(other).toEqual(one)
  const twice = [once('a', 'up', '2026-11-20 10:00'), once('b', 'down', '2026-11-20 10:00')]
  const orders = [twice, twice.toReversed()].map((order) => told(given({ once: order }), '2026-11-20 11:00'))
  expect(new Set(orders)).toEqual(new Set(['down by b from 2026-11-20 10:00 to 2026-11-21 10:00']))
})

test('Windows in several zones stay apart when only one zone’s clocks change', () => {
  const rules = given({
    weekly: [
      weekly('l', 'up daily 00:00-12:00', { zone: 'Europe/London', owner: ana }),
      weekly('n', 'up daily 07:00-19:00', { zone: 'America/New_York' }),
    ],
  })
  // Between the two clock changes New York is an hour nearer, so the nights without a window are an hour longer.
  const zone = 'Europe/London'
  const from = at('2026-10-23 12:00', zone)
  const ends = segments(rules, from, from + 14 * 86_400_000)
  expect(ends.filter(({ want }) => want === 'down').map(({ from }) => wall(from, zone))).toEqual([
    '2026-10-25 23:00',
    '2026-10-26 23:00',
    '2026-10-27 23:00',
    '2026-10-28 23:00',
    '2026-10-29 23:00',
    '2026-10-30 23:00',
    '2026-10-31 23:00',
  ])
  expect(wall(desired(rules, at('2026-06-01 12:00', zone)).until, zone)).toBe('2026-10-25 23:00')
  expect(wall(desired(rules, at('2029-06-01 12:00', zone)).until, zone)).toBe('2029-10-28 23:00')
  expect(wall(desired(rules, at('2027-02-20 12:00', zone)).since, zone)).toBe('2026-11-01 00:00')
})

test('A state that never changes is not searched for beyond the known clock changes', () => {
  const rules = given({
    weekly: [
      weekly('n', 'down daily 22:00-06:00', { zone: 'America/New_York' }),
      weekly('d', 'down daily', { endpoint: null }),
    ],
  })
  expect(told(rules, '2029-11-08 12:00')).toBe('down by n from 2026-01-01 09:00 to never')
})
