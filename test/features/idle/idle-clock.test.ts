import { describe, expect, test } from 'vitest'
import type { Reading, ReadingState, Segment } from '../../../src/core/model/reading.ts'
import { asText } from '../../../src/core/words/render.ts'
import { backtestWords, wouldHaveStopped } from '../../../src/features/idle/backtest.ts'
import { idleClock, idleWords, unknownForLong, withReading } from '../../../src/features/idle/idle-clock.ts'
import { english } from '../../support/words.ts'

const minute = 60_000
const hour = 60 * minute
const evidence = { servers: ['vLLM'], requests: 0, open: 0, replicas: 2, seen: 2, logs: 0 }

/** Builds segments from letters and minutes: q(uiet), b(usy), u(nknown), r(estarted). */
function segments(
  ...parts: readonly (readonly [letter: 'q' | 'b' | 'u' | 'r', minutes: number])[]
): readonly Segment[] {
  const states: Record<string, ReadingState> = { q: 'quiet', b: 'busy', u: 'unknown', r: 'unknown' }
  let at = 0
  return parts.map(([letter, minutes]) => {
    const from = at
    at += minutes * minute
    const state = states[letter] ?? 'unknown'
    return { state, why: letter, evidence, from, to: at, ...(letter === 'r' && { restarted: true as const }) }
  })
}

const unbounded = {}

describe('The idle clock', () => {
  test('starts when the endpoint was last busy', () => {
    const all = segments(['q', 100], ['b', 5], ['q', 62])
    expect(idleClock(all, unbounded, hour, 167 * minute)).toEqual({
      since: 105 * minute,
      forMs: 62 * minute,
      quietMs: 62 * minute,
      unknown: 0,
      isDue: true,
    })
  })

  test.each([
    ['what people have laid down', { floor: 50 * minute }, 50],
    ['the newest replica and its warm-up', { newestReplica: 40 * minute }, 55],
    ['the latest of them', { floor: 50 * minute, newestReplica: 45 * minute }, 60],
    ['the first look', unbounded, 0],
  ])('starts no earlier than %s', (_, bounds, since) => {
    const idle = idleClock(segments(['q', 100]), bounds, hour, 100 * minute)
    expect(idle.since).toBe(since * minute)
    expect(idle.isDue).toBe(100 - since >= 60)
  })

  test('stands still during a hold', () => {
    expect(idleClock(segments(['q', 100]), { floor: 200 * minute }, hour, 100 * minute)).toMatchObject({
      forMs: 0,
      isDue: false,
    })
  })

  test('starts again when the server restarts', () => {
    const all = segments(['q', 100], ['r', 1], ['q', 59])
    expect(idleClock(all, unbounded, hour, 160 * minute)).toMatchObject({ since: 101 * minute, isDue: false })
    expect(idleClock([...all, ...at(160, 'quiet', 2)], unbounded, hour, 162 * minute).isDue).toBe(true)
  })

  test('needs 90% of the idle time to be known', () => {
    const six = segments(['b', 1], ['q', 40], ['u', 6], ['q', 14])
    expect(idleClock(six, unbounded, hour, 61 * minute)).toMatchObject({
      unknown: expect.closeTo(0.1),
      isDue: true,
    })
    const seven = segments(['b', 1], ['q', 40], ['u', 7], ['q', 13])
    expect(idleClock(seven, unbounded, hour, 61 * minute).isDue).toBe(false)
  })

  test('counts time without readings as unknown', () => {
    const all = [...segments(['b', 1], ['q', 30]), ...at(61, 'quiet', 10)]
    expect(idleClock(all, unbounded, hour, 71 * minute)).toMatchObject({ forMs: 70 * minute, isDue: false })
  })

  test('ignores unknown time before the idle time', () => {
    expect(idleClock(segments(['u', 300], ['q', 60]), unbounded, hour, 360 * minute).isDue).toBe(true)
  })

  test.each([
    ['reaches behind a floor to the last use', segments(['b', 5], ['q', 95]), 95],
    ['ends where nothing was known for long', segments(['q', 20], ['u', 20], ['q', 60]), 60],
    ['ends with a restart', segments(['q', 39], ['r', 1], ['q', 60]), 60],
    ['ends where nobody looked', [...segments(['q', 30]), ...at(45, 'quiet', 55)], 55],
    ['is no shorter than the clock', segments(['b', 1], ['q', 70], ['u', 6], ['q', 23]), 40],
    ['is the clock’s own of what is not quiet', segments(['q', 99], ['u', 1]), 40],
  ])('reports a time without requests that %s', (_, all, minutes) => {
    const idle = idleClock(all, { floor: 60 * minute }, hour, 100 * minute)
    expect(idle).toMatchObject({ quietMs: minutes * minute, forMs: 40 * minute })
  })

  test('makes an endpoint a candidate only if its last reading is quiet', () => {
    expect(idleClock(segments(['q', 100], ['u', 1]), unbounded, hour, 101 * minute).isDue).toBe(false)
    expect(idleClock([], unbounded, hour, 0)).toMatchObject({ forMs: 0, isDue: false })
  })

  function at(from: number, state: ReadingState, minutes: number): readonly Segment[] {
    return [{ state, why: '', evidence, from: from * minute, to: (from + minutes) * minute }]
  }
})

describe('An owner', () => {
  test('is told what is missing after a day of unknown usage, with the time since when', () => {
    const all = segments(['q', 10], ['u', 1439])
    expect(unknownForLong(all, 1449 * minute)).toBeNull()
    expect(unknownForLong(all, 1450 * minute)).toEqual({ since: 10 * minute, missing: 'u' })
    expect(unknownForLong(segments(['u', 1440]), 1440 * minute)).toEqual({ since: 0, missing: 'u' })
  })

  test('is told nothing once usage is known', () => {
    expect(unknownForLong(segments(['u', 2000], ['q', 1]), 2001 * minute)).toBeNull()
    expect(unknownForLong([], 0)).toBeNull()
  })

  test('is warned with the evidence', () => {
    expect(english(idleWords({ quietMs: 62.9 * minute }, evidence))).toBe(
      'no requests for 1 h 2 min on both replicas (from vLLM metrics)',
    )
    expect(
      english(idleWords({ quietMs: 200 * minute }, { ...evidence, replicas: 1, seen: 1, servers: ['vLLM', 'NIM'] })),
    ).toBe('no requests for 3 h 20 min (from vLLM and NIM metrics)')
    expect(english(idleWords({ quietMs: hour }, { ...evidence, replicas: 3, logs: 1 }))).toBe(
      'no requests for 1 h on all 3 replicas (from vLLM metrics and logs)',
    )
    expect(english(idleWords({ quietMs: hour }, { ...evidence, replicas: 3 }))).toBe(
      'no requests for 1 h on 2 of 3 replicas (from vLLM metrics)',
    )
    expect(asText(idleWords({ quietMs: hour }, evidence), 'ko')).toBe(
      '레플리카 2개 모두에서 1시간 동안 요청 없음(vLLM 메트릭 기준)',
    )
  })
})

describe('Segments', () => {
  const quiet: Reading = { state: 'quiet', why: 'no counter moved', evidence }
  const busy: Reading = { state: 'busy', why: '3 requests ended', evidence: { ...evidence, requests: 3 } }

  function of(...readings: readonly Reading[]): readonly Segment[] {
    return readings.reduce<readonly Segment[]>(
      (kept, reading, i) => withReading(kept, reading, { from: i * minute, to: (i + 1) * minute }),
      [],
    )
  }

  test('grow while the state stays the same and add up the requests', () => {
    expect(of(quiet, quiet, busy, busy, quiet)).toMatchObject([
      { state: 'quiet', from: 0, to: 2 * minute },
      { state: 'busy', from: 2 * minute, to: 4 * minute, evidence: { requests: 6 } },
      { state: 'quiet', from: 4 * minute, to: 5 * minute },
    ])
  })

  test('drop pauses too short for any idle time', () => {
    const now = (minutes: number) => Array.from({ length: minutes }, () => quiet)
    expect(of(busy, ...now(14), busy, ...now(3), busy)).toMatchObject([
      { state: 'busy', from: 0, to: 20 * minute, evidence: { requests: 9 } },
    ])
    expect(of(busy, ...now(15), busy)).toHaveLength(3)
  })

  test('claim no more than the weakest reading', () => {
    expect(of(quiet, { ...quiet, evidence: { ...evidence, seen: 1, logs: 1 } })).toMatchObject([
      { evidence: { seen: 1, logs: 1 } },
    ])
  })

  const unknown: Reading = { state: 'unknown', why: 'a', evidence }
  const anew: Reading = { ...unknown, restarted: true }

  test('keep long unknown times with different reasons apart, and restarts too', () => {
    const long = Array.from({ length: 15 }, () => unknown)
    expect(of(...long, { ...unknown, why: 'b' }, anew, quiet)).toMatchObject([
      { why: 'a', to: 15 * minute },
      { why: 'b' },
      { restarted: true, to: 17 * minute },
      { state: 'quiet' },
    ])
  })

  test('add up short unknown times within a quiet time', () => {
    const kept = of(quiet, quiet, unknown, quiet, { ...unknown, why: 'b' }, unknown, quiet)
    expect(kept).toEqual([{ ...quiet, from: 0, to: 7 * minute, unknownMs: expect.closeTo(3 * minute) }])
    expect(idleClock(kept, unbounded, 7 * minute, 7 * minute).unknown).toBeCloseTo(3 / 7)
  })

  test('keep a long unknown time visible', () => {
    const long = Array.from({ length: 15 }, () => unknown)
    expect(of(quiet, ...long, quiet).map(({ state }) => state)).toEqual(['quiet', 'unknown', 'quiet'])
  })

  test.each([
    ['quiet and unknown', [quiet, unknown]],
    ['unknown for ever other reasons', ['a', 'b', 'c'].map((why) => ({ ...unknown, why }))],
    ['busy and quiet', [busy, quiet]],
    ['beginning anew', [anew, quiet, anew, unknown]],
    ['all in turn', [anew, busy, unknown, quiet, busy, quiet, unknown, unknown]],
  ])('stay few however often a server changes: %s', (_, readings) => {
    const day = Array.from({ length: 1440 }, (__, at) => readings[at % readings.length] ?? quiet)
    const kept = of(...day)
    expect(kept.length).toBeLessThanOrEqual(200)
    expect(kept.map(({ from }) => from).slice(1)).toEqual(kept.map(({ to }) => to).slice(0, -1))
    expect(kept.at(-1)?.to).toBe(24 * hour)
  })

  test('leave gaps where there were no readings', () => {
    const kept = withReading(of(quiet), quiet, { from: 10 * minute, to: 11 * minute })
    expect(kept.map(({ from, to }) => [from / minute, to / minute])).toEqual([
      [0, 1],
      [10, 11],
    ])
  })

  test('are kept for 30 days', () => {
    const day = 24 * hour
    expect(withReading(of(quiet, busy), quiet, { from: 30 * day + minute, to: 30 * day + 2 * minute })).toHaveLength(1)
  })
})

describe('A backtest', () => {
  const atOnce = (after: number) => ({ after, warn: 0 })

  test('counts stops, the idle time they save, and those that came too early', () => {
    const week = segments(['b', 60], ['q', 300], ['b', 30], ['q', 90], ['b', 10], ['q', 50], ['b', 5], ['q', 600])
    expect(wouldHaveStopped(week, atOnce(hour))).toEqual({ stops: 3, savedMs: (240 + 30 + 540) * minute, hurt: 1 })
    expect(wouldHaveStopped(week, atOnce(2 * hour))).toEqual({ stops: 2, savedMs: (180 + 480) * minute, hurt: 0 })
    expect(wouldHaveStopped([], atOnce(hour))).toEqual({ stops: 0, savedMs: 0, hurt: 0 })
  })

  test('stops nothing unless it is known to be quiet, and saves nothing in unknown time', () => {
    expect(wouldHaveStopped(segments(['u', 5000]), atOnce(hour)).stops).toBe(0)
    expect(wouldHaveStopped(segments(['q', 30], ['u', 20], ['q', 30]), atOnce(hour)).stops).toBe(0)
    expect(wouldHaveStopped(segments(['q', 30], ['u', 5], ['q', 35]), atOnce(hour))).toMatchObject({
      stops: 1,
      savedMs: 10 * minute,
    })
    expect(wouldHaveStopped(segments(['q', 61], ['u', 600], ['q', 9]), atOnce(hour)).savedMs).toBe(10 * minute)
  })

  test('stops only after the notice, which new requests withdraw', () => {
    const rule = { after: hour, warn: hour }
    expect(wouldHaveStopped(segments(['q', 65], ['b', 60]), rule)).toEqual({ stops: 0, savedMs: 0, hurt: 0 })
    expect(wouldHaveStopped(segments(['q', 130], ['b', 60]), rule)).toEqual({ stops: 1, savedMs: 10 * minute, hurt: 1 })
    expect(wouldHaveStopped(segments(['q', 300], ['b', 60]), rule)).toMatchObject({ savedMs: 180 * minute, hurt: 0 })
  })

  test('withdraws a notice if too little is known during it, and starts again', () => {
    const rule = { after: hour, warn: 10 * minute }
    expect(wouldHaveStopped(segments(['q', 62], ['u', 7], ['q', 40]), rule).stops).toBe(0)
    expect(wouldHaveStopped(segments(['q', 62], ['u', 5], ['q', 40]), rule)).toMatchObject({ savedMs: 37 * minute })
    expect(wouldHaveStopped(segments(['q', 62], ['u', 7], ['q', 131]), rule)).toMatchObject({ stops: 1 })
  })

  test('is worded with money that matches its hours', () => {
    const words = (quiet: number) =>
      english(
        backtestWords(segments(['b', 60], ['q', quiet], ['b', 30]), atOnce(hour), (90 + quiet) * minute, {
          replicas: 1,
          perHour: 0.75,
          currency: 'USD',
        }),
      )
    expect(words(339)).toContain('saving 4 replica-hours ($3.00)')
    expect(words(100)).toContain('saving 40 replica-minutes ($0.50)')
  })

  test('is worded in hours of the current replicas, with money if the price is known', () => {
    const all = segments(['b', 60], ['q', 300], ['b', 30])
    const words = (more: object) =>
      english(backtestWords(all, atOnce(hour), 390 * minute, { replicas: 1, currency: 'USD', ...more }))
    expect(words({})).toBe('In the last 6 h 30 min it would have been stopped once, saving 4 replica-hours.')
    expect(words({ replicas: 3 })).toBe(
      'In the last 6 h 30 min it would have been stopped once, saving 12 replica-hours.',
    )
    expect(words({ replicas: 2, perHour: 0.75 })).toBe(
      'In the last 6 h 30 min it would have been stopped once, saving 8 replica-hours ($6.00).',
    )
  })

  test('is not worded before there is enough data, and says how much is missing', () => {
    const words = (all: readonly Segment[], now: number) =>
      english(backtestWords(all, atOnce(hour), now * minute, { replicas: 1, currency: 'USD' }))
    const little = 'There isn’t enough data yet to tell when it would have been stopped.'
    expect(words([], 0)).toBe(little)
    expect(words(segments(['q', 1]), 1)).toBe(little)
    const priced = backtestWords([], atOnce(hour), 0, { replicas: 2, perHour: 0.75, currency: 'USD' })
    expect(english(priced)).toBe(`Each hour it’s stopped saves $1.50. ${little}`)
    expect(words(segments(['q', 100], ['u', 50], ['q', 50]), 200)).toBe(
      'In the last 3 h 20 min it would have been stopped once, saving 1 replica-hour. There’s no data for 25% of that time.',
    )
    expect(words(segments(['q', 100], ['u', 9]), 109)).toBe(
      'In the last 1 h 49 min it would have been stopped once, saving 40 replica-minutes.',
    )
  })

  test('starts its clock again when the server restarts', () => {
    expect(wouldHaveStopped(segments(['q', 50], ['r', 1], ['q', 50]), atOnce(hour)).stops).toBe(0)
  })

  test('stops when the idle clock would allow it', () => {
    const all = segments(['b', 10], ['q', 20], ['u', 9], ['q', 200])
    const { savedMs } = wouldHaveStopped(all, atOnce(hour))
    const stop = 239 * minute - savedMs
    const until = (now: number) =>
      all.map((one) => ({ ...one, to: Math.min(one.to, now) })).filter((it) => it.from < it.to)
    expect(idleClock(until(stop), unbounded, hour, stop).isDue).toBe(true)
    expect(idleClock(until(stop - minute), unbounded, hour, stop - minute).isDue).toBe(false)
  })
})
