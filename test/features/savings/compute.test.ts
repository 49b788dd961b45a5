import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noPrices, type Prices } from '../../../src/core/model/automation.ts'
import { causes, type Savings, type Stopped } from '../../../src/core/model/query-answer.ts'
import { savingsOf } from '../../../src/features/savings/compute.ts'

const hour = 3_600_000
const minute = 60_000
const now = Date.parse('2026-11-20T12:00:00Z')
const prices: Prices = { currency: 'USD', perHour: new Map([['RTX 4090', 0.5]]) }

function stopped(hoursAgo: number, more: Partial<Stopped> = {}): Stopped {
  const at = now - hoursAgo * hour
  return { endpoint: 'ep-llm', name: 'my-llm', gpu: 'RTX 4090', replicas: 1, at, by: 'schedule', start: null, ...more }
}

function startedAfter(stop: Stopped, ms: number, by: 'person' | 'rule' = 'person'): Stopped {
  return { ...stop, start: { at: stop.at + ms, by } }
}

function saved(stops: readonly Stopped[], days = 30, known = prices, zone = 'UTC'): Savings {
  return savingsOf(stops, { from: now - days * 24 * hour, now, zone }, known)
}

function hoursOf({ total }: Savings): number {
  return causes.reduce((sum, cause) => sum + total[cause].hours, 0)
}

describe('A stop saves', () => {
  test('from the stop to the next start', () => {
    expect(saved([startedAfter(stopped(48), 12 * hour)]).total.schedule).toEqual({ hours: 12, money: 6, unpriced: 0 })
  })

  test('until now if the endpoint is still stopped', () => {
    expect(saved([stopped(5)]).total.schedule.hours).toBe(5)
  })

  test('at most seven days', () => {
    expect(saved([stopped(20 * 24)]).total.schedule.hours).toBe(7 * 24)
  })

  test('for each replica that was stopped', () => {
    expect(saved([stopped(5, { replicas: 3 })]).total.schedule.hours).toBe(15)
    expect(saved([stopped(5, { replicas: 0 })]).total.schedule.hours).toBe(0)
  })

  test.each([
    [9, 0],
    [10, 10],
    [59, 50],
    [60, 60],
  ])('%d minutes counted as %d', (length, counted) => {
    expect(saved([startedAfter(stopped(48), length * minute)]).total.schedule.hours).toBeCloseTo(counted / 60)
  })

  test('nothing for schedules and idle stops if a person made it', () => {
    const found = saved([stopped(2, { by: 'person' }), stopped(3, { by: 'idle', endpoint: 'ep-2' })])
    expect(found.total.person.hours).toBe(2)
    expect([found.total.schedule.hours, found.total.idle.hours]).toEqual([0, 3])
    expect(found.stops).toEqual({ schedule: 0, idle: 1, person: 1 })
  })

  test('hours without money if the price is unknown', () => {
    expect(saved([stopped(4)], 30, noPrices).total.schedule).toEqual({ hours: 4, money: 0, unpriced: 4 })
    const { gpu: _, ...bare } = stopped(4)
    expect(saved([bare]).total.schedule).toEqual({ hours: 4, money: 0, unpriced: 4 })
  })

  test('only within the requested time span', () => {
    expect(saved([stopped(3 * 24)], 1).total.schedule.hours).toBe(24)
    expect(saved([stopped(3 * 24)], 1).stops.schedule).toBe(0)
    expect(saved([startedAfter(stopped(9 * 24), hour)], 7).endpoints).toEqual([])
  })

  test('once if the endpoint is stopped twice without a known start', () => {
    expect(hoursOf(saved([stopped(10), stopped(4, { by: 'person' })]))).toBe(10)
  })
})

describe('An idle stop counts as too early', () => {
  test.each<[string, Stopped, number]>([
    ['when a person starts it within the hour', startedAfter(stopped(9, { by: 'idle' }), 60 * minute), 1],
    ['not when it comes later', startedAfter(stopped(9, { by: 'idle' }), 61 * minute), 0],
    ['not when a rule starts it', startedAfter(stopped(9, { by: 'idle' }), minute, 'rule'), 0],
    ['not when a schedule has stopped it', startedAfter(stopped(9), minute), 0],
    [
      'when it is found running within the hour, though nobody saw the start',
      stopped(9, { by: 'idle', start: { at: now - 9 * hour, by: 'unseen', foundAt: now - 8.5 * hour } }),
      1,
    ],
    ['not when nobody knows', stopped(9, { by: 'idle', start: { at: now - 9 * hour, by: 'unseen' } }), 0],
  ])('%s', (_, stop, regrets) => {
    expect(saved([stop]).regrets).toBe(regrets)
  })
})

describe('The days', () => {
  test('are those of the time zone', () => {
    const stop = startedAfter({ ...stopped(0), at: Date.parse('2026-11-18T14:00:00Z') }, 2 * hour)
    const seoul = saved([stop], 7, prices, 'Asia/Seoul').days.filter(({ hours }) => hours.schedule > 0)
    expect(seoul.map(({ hours }) => hours.schedule)).toEqual([1, 1])
    expect(saved([stop], 7).days.filter(({ hours }) => hours.schedule > 0)).toHaveLength(1)
  })

  test('include days without savings', () => {
    expect(saved([stopped(5)], 7).days).toHaveLength(8)
  })
})

const some = fc.array(
  fc
    .record({
      endpoint: fc.constantFrom('ep-1', 'ep-2'),
      replicas: fc.nat(5),
      ago: fc.integer({ min: 0, max: 40 * 24 * 60 }),
      by: fc.constantFrom(...causes),
      after: fc.option(fc.integer({ min: 0, max: 40 * 24 * 60 })),
    })
    .map(({ endpoint, replicas, ago, by, after }): Stopped => {
      const stop = stopped(ago / 60, { endpoint, replicas, by })
      return after === null ? stop : startedAfter(stop, Math.min(after, ago) * minute)
    }),
  { maxLength: 12 },
)
const zones = fc.constantFrom('UTC', 'Asia/Seoul', 'America/New_York', 'Australia/Lord_Howe')

describe('For any stops and starts', () => {
  test('savings are never negative and never more than the replicas’ stopped time', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 90 }), (stops, days) => {
        const found = saved(stops, days)
        for (const cause of causes) {
          const most = stops
            .filter(({ by }) => by === cause)
            .reduce((sum, { at, start, replicas }) => sum + (((start?.at ?? now) - at) / hour) * replicas, 0)
          expect(found.total[cause].hours).toBeGreaterThanOrEqual(0)
          expect(found.total[cause].hours).toBeLessThanOrEqual(most + 1e-9)
        }
        for (const endpoint of ['ep-1', 'ep-2']) {
          const own = stops.filter((stop) => stop.endpoint === endpoint)
          const widest = Math.max(0, ...own.map(({ replicas }) => replicas))
          expect(hoursOf(saved(own, days))).toBeLessThanOrEqual(days * 24 * widest + 1e-9)
        }
      }),
    )
  })

  test('the days and the endpoints each add up to the total', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 90 }), zones, (stops, days, zone) => {
        const found = saved(stops, days, prices, zone)
        for (const cause of causes) {
          const byDay = found.days.reduce((sum, { hours }) => sum + hours[cause], 0)
          const byEndpoint = found.endpoints.reduce((sum, { sums }) => sum + sums[cause].hours, 0)
          expect(byDay).toBeCloseTo(found.total[cause].hours, 6)
          expect(byEndpoint).toBeCloseTo(found.total[cause].hours, 6)
        }
      }),
    )
  })

  test('a day’s savings do not depend on the length of the time span', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 30 }), (stops, days) => {
        const longer = saved(stops, 60).days.slice(-days)
        const shorter = saved(stops, days - 0.5).days
        // The first day of the shorter span is cut, so compare from the second.
        expect(shorter.slice(1).map(({ hours }) => hours)).toEqual(
          longer.slice(longer.length - shorter.length + 1).map(({ hours }) => hours),
        )
      }),
    )
  })
})
