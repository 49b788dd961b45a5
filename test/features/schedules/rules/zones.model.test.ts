import { describe, expect, test } from 'vitest'
import type { Rules } from '../../../../src/core/model/rules.ts'
import { instantOf, localAt, reachedAt, shiftsBetween } from '../../../../src/core/time/zone.ts'
import { desired, occurrenceOf, segments } from '../../../../src/features/schedules/rules/desired-state.ts'
import { weeklyWant } from '../../../../src/features/schedules/rules/weekly.ts'
import { type Oracle, oracleOf, turnsOf } from '../../../support/oracle.ts'
import { tries } from '../../../support/search.ts'
import { nothing, weekly } from '../schedule.ts'

/*
 * Checks every zone that `Intl` knows over two years (ten in the long search). In each zone the clocks must change
 * when and by how much the oracle says. The product knows nothing else of a zone, so one zone stands for all whose
 * clocks agree in these years. For each such zone:
 * - around each clock change, three hours either way (a day in the long search), every minute: the local time, the
 *   latest local time reached so far, and whether dense windows around the change apply;
 * - at each boundary of an office week with weekend nights: its time and order, the decisions of `desired` one minute
 *   before, at and one minute after it, and that no occurrence comes back;
 * - at 500 random minutes (10,000 in the long search): the local time and the wanted state.
 * The expected values come from `oracle.ts`, which asks `Intl` about single minutes.
 */
const minuteMs = 60_000
const years = tries(10, 5)
const [from, to] = [Date.UTC(2024, 0, 1) / minuteMs, Date.UTC(2024 + years, 0, 1) / minuteMs]
const zones = Intl.supportedValuesOf('timeZone')
const turns = new Map(zones.map((zone) => [zone, turnsOf(zone, from, to)]))
const clocks = [...new Map(zones.map((zone) => [JSON.stringify(turns.get(zone)), zone])).values()]
const shards = 12

/** Weekdays as `Date` counts them, from Sunday; minutes from midnight, past 1440 on the next day. */
interface Times {
  readonly days: readonly number[]
  readonly from: number
  readonly to: number
}
const all = [0, 1, 2, 3, 4, 5, 6]
const week: readonly Times[] = [
  { days: [1, 2, 3, 4, 5], from: 540, to: 1200 },
  { days: [5, 6, 0], from: 1350, to: 1590 },
]
const weekText = ['up weekdays 09:00-20:00', 'up fri-sun 22:30-02:30']
const dense: readonly Times[] = [
  { days: all, from: 0, to: 15 },
  { days: all, from: 45, to: 75 },
  { days: all, from: 90, to: 120 },
  { days: all, from: 135, to: 150 },
  { days: all, from: 180, to: 210 },
  { days: all, from: 1410, to: 1425 },
]
const denseText = ['up daily 00:00-00:15,00:45-01:15,01:30-02:00,02:15-02:30,03:00-03:30,23:30-23:45']

function isInside(times: readonly Times[], wall: number): boolean {
  const today = Math.floor(wall / 1440)
  const minute = wall - today * 1440
  const [weekday, before] = [weekdayOf(today), weekdayOf(today - 1)]
  for (const { days, from, to } of times) {
    if (from <= minute && minute < to && days.includes(weekday)) return true
    if (minute + 1440 < to && days.includes(before)) return true
  }
  return false
}

function weekdayOf(day: number): number {
  return (day + 4) % 7
}

function rulesOf(texts: readonly string[], zone: string): Rules {
  const made = (from - 30 * 1440) * minuteMs
  return { ...nothing, weekly: texts.map((text, index) => weekly(`r${index}`, text, { zone, made })) }
}

/** Returns numbers from 0 to 1, the same in every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Collects failures instead of one `expect` each, because there are millions of checks. */
type Complain = (what: string, minute: number) => void

function checkChanges(zone: string, oracle: Oracle, complain: Complain): number {
  const rules = rulesOf(denseText, zone)
  let minutes = 0
  for (const { begin, shown, reached } of oracle.changes) {
    for (const [index, wall] of shown.entries()) {
      const ms = (begin + index) * minuteMs
      const civil = localAt(ms, zone)
      const come = reached[index]!
      if (civil.day * 1440 + civil.minute !== wall) complain('wall', begin + index)
      if (reachedAt(ms, zone) !== come) complain('reached', begin + index)
      if (weeklyWant(rules, ms) !== (isInside(dense, come) ? 'up' : 'down')) complain('want', begin + index)
      if (come > (reached[index - 1] ?? come) && instantOf(0, come, zone) !== ms) complain('instant', begin + index)
    }
    minutes += shown.length
  }
  return minutes
}

function checkBoundaries(zone: string, oracle: Oracle, complain: Complain): number {
  const rules = rulesOf(weekText, zone)
  const expected = boundariesOf(week, oracle)
  const [begin, end] = [expected[0]!.at - 2, expected.at(-1)!.at + 2]
  const found = segments(rules, begin * minuteMs, end * minuteMs).slice(1)
  if (found.length !== expected.length) complain(`${found.length} boundaries for ${expected.length}`, begin)
  const taken = new Set<string>()
  for (const [index, { at, want }] of expected.entries()) {
    const one = found[index]
    if (one?.from !== at * minuteMs || one.want !== want) complain('boundary', at)
    const [before, now, after] = [-1, 0, 1].map((by) => desired(rules, (at + by) * minuteMs))
    if (before?.want === want || before?.until !== at * minuteMs) complain('the minute before', at)
    if (now?.want !== want || now.since !== at * minuteMs) complain('the boundary itself', at)
    if (after?.want !== want || after.since !== at * minuteMs) complain('the minute after', at)
    const id = occurrenceOf('e1', now!)
    if (taken.has(id) || occurrenceOf('e1', after!) !== id) complain('occurrence', at)
    taken.add(id)
  }
  return expected.length
}

/** The boundaries of the windows, day by day. No two windows touch. */
function boundariesOf(times: readonly Times[], { first, shown }: Oracle) {
  const found: { readonly at: number; readonly want: 'up' | 'down' }[] = []
  const [begin, end] = [shown(from + 4 * 1440), shown(to - 4 * 1440)].map((wall) => Math.floor(wall / 1440))
  for (let day = begin!; day < end!; day++) {
    const walls = times
      .filter(({ days }) => days.includes(weekdayOf(day)))
      .flatMap(({ from, to }) => [day * 1440 + from, day * 1440 + to])
    for (const [index, wall] of walls.entries()) found.push({ at: first(wall), want: index % 2 === 0 ? 'up' : 'down' })
  }
  return found
}

function checkMinutes(zone: string, oracle: Oracle, complain: Complain): void {
  const rules = rulesOf(weekText, zone)
  const next = dice(zones.indexOf(zone) + 1)
  for (let count = 0; count < tries(10_000, 20); count++) {
    const minute = from + Math.floor(next() * (to - from))
    const civil = localAt(minute * minuteMs, zone)
    const { shown, reached } = oracle.look(minute)
    if (civil.day * 1440 + civil.minute !== shown) complain('wall', minute)
    if (weeklyWant(rules, minute * minuteMs) !== (isInside(week, reached) ? 'up' : 'down')) complain('want', minute)
  }
}

describe(`Over ${years} years in every zone, each boundary comes once with the right state`, () => {
  test.each(Array.from({ length: shards }, (_, shard) => shard))('(part %i of the clocks)', (shard) => {
    const complaints: string[] = []
    let boundaries = 0
    for (const zone of clocks.filter((_, index) => index % shards === shard)) {
      const oracle = oracleOf(zone, from, to)
      const complain: Complain = (what, minute) =>
        complaints.push(`${zone} ${new Date(minute * minuteMs).toISOString()}: ${what}`)
      checkChanges(zone, oracle, complain)
      boundaries += checkBoundaries(zone, oracle, complain)
      checkMinutes(zone, oracle, complain)
    }
    expect(complaints.slice(0, 20)).toEqual([])
    // 16 boundaries a week, without four days at either end.
    expect(boundaries).toBeGreaterThan(820 * years * Math.floor(clocks.length / shards))
  })

  test.each(zones)('and the clocks of %s change when Intl says so', (zone) => {
    const [begin, ...changes] = turns.get(zone)!
    const { day, minute } = localAt(begin!.at * minuteMs, zone)
    expect(day * 1440 + minute).toBe(begin!.at + begin!.offset)
    expect(shiftsBetween(from * minuteMs, to * minuteMs, zone)).toEqual(changes.map(({ at }) => at * minuteMs))
  })

  test('and the zones are those of the whole world', () => {
    expect(zones.length).toBeGreaterThan(400)
    expect(clocks.length).toBeGreaterThan(60)
    expect(oracleOf('Australia/Lord_Howe', from, to).changes).toHaveLength(2 * years)
  })
})
