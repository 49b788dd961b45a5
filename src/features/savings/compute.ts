import type { Prices } from '../../core/model/automation.ts'
import { type Cause, causes, type Savings, type Stopped, type Sums } from '../../core/model/query-answer.ts'
import { instantOf, localAt } from '../../core/time/zone.ts'

/** The platform bills in steps of ten minutes, ms. */
const step = 10 * 60_000
/** The longest time that a stop counts: nobody leaves an endpoint running for months by mistake. ms. */
export const longestSaving = 7 * 24 * 3_600_000
const hour = 3_600_000

/** The time a stop counts for, clipped to the time in question. ms */
interface Stretch {
  readonly stop: Stopped
  readonly from: number
  readonly to: number
}

/** Computes savings: each stop until the next start, at most 7 days, times its replicas, in full 10 minutes. */
export function savingsOf(
  stops: readonly Stopped[],
  time: { readonly from: number; readonly now: number; readonly zone: string },
  prices: Prices,
): Savings {
  const { from, now } = time
  const stretches = stretchesOf(stops, from, now)
  const recent = stops.filter(({ at }) => at >= from && at < now)
  const ids = [...new Set(stretches.map(({ stop }) => stop.endpoint))]
  const endpoints = ids.map((id) => {
    const own = stretches.filter(({ stop }) => stop.endpoint === id)
    return { name: own.at(-1)?.stop.name ?? id, sums: sumsOf(own, prices) }
  })
  return {
    currency: prices.currency,
    total: sumsOf(stretches, prices),
    endpoints: endpoints.toSorted((a, b) => hoursIn(b.sums) - hoursIn(a.sums)),
    days: daysOf(stretches, time),
    stops: byCause((cause) => recent.filter(({ by }) => by === cause).length),
    regrets: recent.filter(isRegretted).length,
    unseen: recent.filter(({ start }) => start?.by === 'unseen').length,
  }
}

function isRegretted({ by, at, start }: Stopped): boolean {
  if (by !== 'idle' || start === null || start.by === 'rule') return false
  const back = start.by === 'person' ? start.at : start.foundAt
  return back !== undefined && back - at <= hour
}

/** Rounds before clipping, so that the total of a stop does not depend on where it was clipped. */
function stretchesOf(stops: readonly Stopped[], from: number, now: number): readonly Stretch[] {
  const sorted = stops.toSorted((a, b) => a.at - b.at)
  return sorted.flatMap((stop, index) => {
    // Two stops in a row count as one.
    const next = sorted.slice(index + 1).find(({ endpoint }) => endpoint === stop.endpoint)
    const end = Math.min(stop.start?.at ?? now, next?.at ?? now, stop.at + longestSaving, now)
    const whole = Math.floor(Math.max(0, end - stop.at) / step) * step
    const stretch = { stop, from: Math.max(stop.at, from), to: stop.at + whole }
    return stretch.to > stretch.from && stop.replicas > 0 ? [stretch] : []
  })
}

function sumsOf(stretches: readonly Stretch[], { perHour }: Prices): Sums {
  return byCause((cause) => {
    const sum = { hours: 0, money: 0, unpriced: 0 }
    for (const { stop, from, to } of stretches) {
      if (stop.by !== cause) continue
      const hours = ((to - from) / hour) * stop.replicas
      const price = stop.gpu === undefined ? undefined : perHour.get(stop.gpu)
      sum.hours += hours
      if (price === undefined) sum.unpriced += hours
      else sum.money += hours * price
    }
    return sum
  })
}

function daysOf(
  stretches: readonly Stretch[],
  { from, now, zone }: { readonly from: number; readonly now: number; readonly zone: string },
): Savings['days'] {
  const first = localAt(from, zone).day
  const hours = Array.from({ length: localAt(now - 1, zone).day - first + 1 }, () => byCause(() => 0))
  const ends = hours.map((_, at) => instantOf(first + at + 1, 0, zone))
  for (const { stop, from: begin, to } of stretches) {
    for (let start = begin, at = localAt(begin, zone).day - first; start < to; at += 1) {
      const end = Math.min(to, ends[at] ?? to)
      const day = hours[at]
      if (day !== undefined) day[stop.by] += ((end - start) / hour) * stop.replicas
      start = end
    }
  }
  return hours.map((one, at) => ({ day: first + at, hours: one }))
}

function hoursIn(sums: Sums): number {
  return causes.reduce((sum, cause) => sum + sums[cause].hours, 0)
}

export function byCause<Value>(of: (cause: Cause) => Value): Record<Cause, Value> {
  return { schedule: of('schedule'), idle: of('idle'), person: of('person') }
}
