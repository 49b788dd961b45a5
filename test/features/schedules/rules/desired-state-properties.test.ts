import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Rules } from '../../../../src/core/model/rules.ts'
import { expiredIn } from '../../../../src/features/schedules/housekeeping.ts'
import {
  type Desired,
  desired,
  occurrenceOf,
  segments,
} from '../../../../src/features/schedules/rules/desired-state.ts'
import { desiredAs } from '../../../../src/features/schedules/rules/equal-rules.ts'
import { tries } from '../../../support/search.ts'
import { ana, nothing, weekly } from '../schedule.ts'

const minute = 60_000
const day = 1440 * minute
const start = Date.UTC(2026, 9, 12)
const made = fc.integer({ min: -20, max: 20 }).map((days) => start + days * day)
const instants = fc.integer({ min: 0, max: 30 * 96 }).map((quarters) => start + quarters * 15 * minute)
const zone = fc.constantFrom('Asia/Seoul', 'America/New_York', 'Europe/London', 'Australia/Lord_Howe', 'UTC')
const days = fc.constantFrom('weekdays', 'weekends', 'daily', 'mon', 'fri-sun', 'tue,thu')
const times = fc.constantFrom('', ' 09:00-20:00', ' 22:00-06:00', ' 00:30-01:30', ' 01:15-24:00')

const weeklies = fc.array(
  fc
    .record({ up: fc.boolean(), days, times, zone, made, team: fc.boolean() })
    .map(({ up, days, times, team, ...rest }) => ({
      ...weekly('', `${up ? 'up' : 'down'} ${days}${times}`, rest),
      endpoint: team ? null : 'e1',
    })),
  { maxLength: 4 },
)
const spans = fc.tuple(instants, fc.integer({ min: 1, max: 400 })).map(([at, quarters]) => ({
  at,
  until: at + quarters * 15 * minute,
}))
const holds = fc.array(spans, { maxLength: 2 })
const onces = fc.array(fc.tuple(spans, fc.constantFrom('up', 'down'), fc.boolean()), { maxLength: 2 })
const rules: fc.Arbitrary<Rules> = fc
  .record({
    weeklies,
    holds,
    onces,
    skip: fc.array(
      fc.integer({ min: -5, max: 40 }).map((days) => start / day + days),
      { maxLength: 12 },
    ),
    protected: fc.boolean(),
    freeze: fc.option(spans, { nil: null }),
  })
  .map(({ weeklies, holds, onces, skip, ...rest }) => ({
    ...nothing,
    ...rest,
    weekly: weeklies.map((rule, index) => ({ ...rule, id: `w${index}` })),
    holds: holds.map((span, index) => ({ kind: 'hold', id: `h${index}`, endpoint: 'e1', by: ana, ...span })),
    once: onces.map(([span, want, open], index) => {
      const rule = { kind: 'once', id: `o${index}`, endpoint: 'e1', owner: ana, want, at: span.at } as const
      return open ? rule : { ...rule, until: span.until }
    }),
    skip: new Set(skip),
  }))

/** What stays the same while a decision lasts. Within a layer, windows may take turns. */
function same({ want, by, since, opener, until }: Desired): unknown {
  const layer = by.kind !== 'weekly' && 'id' in by ? by.id : by.kind
  return { want, layer, since, opener, until }
}

test('A decision is the same from its first minute to its last and differs before and after', () => {
  fc.assert(
    fc.property(
      rules,
      instants,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
      (all, now, parts) => {
        // The end of a freeze has tests of its own.
        const given = { ...all, freeze: null }
        const decision = desired(given, now)
        const { since, until } = decision
        expect(since).toBeLessThanOrEqual(now)
        const [first, last] = [
          Math.max(since, now - 40 * day),
          Math.min((until ?? Number.POSITIVE_INFINITY) - 1, now + 40 * day),
        ]
        for (const at of [first, last, ...parts.map((part) => Math.floor(first + part * (last - first)))]) {
          expect(same(desired(given, at))).toEqual(same(decision))
          expect(occurrenceOf('e1', desired(given, at))).toBe(occurrenceOf('e1', decision))
        }
        if (since > 0) expect(desired(given, since - 1).until).toBe(since)
        if (until !== null) expect(desired(given, until).since).toBe(until)
      },
    ),
    { numRuns: tries(3_000) },
  )
})

test('A preview shows the decision of every minute', () => {
  fc.assert(
    fc.property(rules, instants, (all, from) => {
      const pieces = segments(all, from, from + 7 * day)
      for (let at = from; at < from + 7 * day; at += 85 * minute) {
        const piece = pieces.find((one) => one.from <= at && at < one.to)
        expect(piece?.want).toBe(desired(all, at).want)
      }
    }),
    { numRuns: tries(200, 4) },
  )
})

test('A protected endpoint is never wanted down, and a frozen one is left alone', () => {
  fc.assert(
    fc.property(rules, instants, (all, now) => {
      expect(desired({ ...all, protected: true }, now).want).not.toBe('down')
      expect(desired({ ...all, freeze: { at: now, until: null } }, now)).toMatchObject({
        want: 'hands off',
        by: { kind: 'freeze' },
      })
    }),
    { numRuns: tries(500, 4) },
  )
})

test('An occurrence keeps its id while its decision lasts, even after spent rules are dropped', () => {
  fc.assert(
    fc.property(rules, fc.integer({ min: 120, max: 900 }), (all, step) => {
      // An endpoint has at most one hold.
      const given = { ...all, freeze: null, holds: all.holds.slice(0, 1) }
      let left: Rules = given
      const ends: string[] = []
      for (let now = start; now < start + 34 * day; now += step * minute) {
        const spent = expiredIn(left, now)
        left = {
          ...left,
          once: left.once.filter((rule) => !spent.includes(rule)),
          holds: left.holds.filter((rule) => !spent.includes(rule)),
        }
        const [seen, whole] = [desired(left, now), desired(given, now)]
        expect(seen.want).toBe(whole.want)
        if (seen.want === 'hands off') continue
        const occurrence = occurrenceOf('e1', seen)
        expect(occurrence).toBe(occurrenceOf('e1', whole))
        if (ends.at(-1) !== occurrence) ends.push(occurrence)
      }
      expect(new Set(ends).size).toBe(ends.length)
    }),
    { numRuns: tries(200, 4) },
  )
})

test('Endpoints with the same windows share one computation but keep their own rules', () => {
  let shared = 0
  fc.assert(
    fc.property(rules, fc.array(made, { minLength: 4, maxLength: 4 }), instants, (all, times, now) => {
      const given = { ...all, holds: [], once: [], freeze: null }
      const weekly = given.weekly.map((rule, at) => ({ ...rule, id: `x${at}`, made: times[at] ?? rule.made }))
      const first = desiredAs(given)(now)
      const second = desiredAs({ ...given, weekly: weekly.toReversed() })(now)
      expect(first).toEqual(desired(given, now))
      expect(second).toEqual(desired({ ...given, weekly }, now))
      const old = given.weekly.map((rule) => ({ ...rule, made: start - 100 * day }))
      const third = desiredAs({ ...given, weekly: old })(now)
      expect(third).toEqual(desired({ ...given, weekly: old }, now))
      if (old.some((rule) => rule === third.by)) shared += 1
    }),
    { numRuns: tries(1_000, 4) },
  )
  expect(shared).toBeGreaterThan(0)
})
