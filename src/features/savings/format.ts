import { inCurrency, type Prices } from '../../core/model/automation.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import {
  type Cause,
  type Chart,
  causes,
  type Price,
  type Savings,
  type Sum,
  type Total,
} from '../../core/model/query-answer.ts'
import { type Sentence, say } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { type Day, hourMs, weekdayOf } from '../../core/time/calendar.ts'
import { byCause } from './compute.ts'
import { hourlyCost, perHourOf, pricesNow, runningCost } from './prices.ts'

/** Renders "31.5 h", "140 h", "0 h": rounded down, but not so far that the money beside it looks wrong. */
export function hoursText(hours: number): Sentence {
  return say('length.hours', { count: roundedDown(hours) })
}

function roundedDown(hours: number): number {
  return hours < 100 ? Math.floor(hours * 10 + 1e-6) / 10 : Math.floor(hours + 1e-6)
}

export function replicaHoursText(hours: number): Sentence {
  return say('savings.hours', { hours: roundedDown(hours) })
}

/** Renders "$23.25 (31 replica-hours)"; only the hours if none has a price. */
export function savingsText(currency: string): (sum: Sum) => Sentence {
  return ({ hours, money, unpriced }) => {
    if (hours === unpriced) return replicaHoursText(hours)
    const sum = { hours: roundedDown(hours), money: inCurrency(money, currency) }
    return unpriced === 0 ? say('savings.sum', sum) : say('savings.partly', { ...sum, unpriced: roundedDown(unpriced) })
  }
}

/** Whether more may have been saved than was counted. */
export function isLeast({ unseen, cut }: Pick<Savings, 'unseen' | 'cut'>): boolean {
  return unseen > 0 || cut === true
}

/** Adds up the parts as they are shown, so that people get the same total. */
export function shownSum(parts: readonly Sum[]): Sum {
  const sum = { hours: 0, money: 0, unpriced: 0 }
  for (const { hours, money, unpriced } of parts) {
    sum.hours += roundedDown(hours)
    sum.unpriced += roundedDown(unpriced)
    sum.money += money < 1_000 ? Math.round(money * 100) / 100 : Math.round(money)
  }
  return sum
}

/** A longer time is shown by week. */
const mostDays = 14

/** Returns the replica-hours of each day, or of each week from its Monday, as they are shown; `by` says which. */
export function periodsOf({ days }: Savings) {
  const by = days.length <= mostDays ? 'day' : 'week'
  const sums = new Map<Day, Record<Cause, number>>()
  for (const { day, hours } of days) {
    const first = by === 'day' ? day : day - weekdayOf(day)
    const sum = sums.get(first) ?? byCause(() => 0)
    for (const cause of causes) sum[cause] += hours[cause]
    sums.set(first, sum)
  }
  // "Mon 16" for a day, "16 Nov" for a week.
  const only = by === 'day' ? 'weekday' : 'month'
  const label = (day: Day) => say('savings.date', { by, date: { day, only } })
  const shown = (hours: Record<Cause, number>) => byCause((cause) => roundedDown(hours[cause]))
  return { by, periods: [...sums].map(([day, hours]) => ({ label: label(day), hours: shown(hours) })) }
}

/** Charts days or weeks, with a series for each cause that saved anything; null if nothing was saved. */
export function chartOf(saved: Savings): Chart | null {
  const { by, periods } = periodsOf(saved)
  const series = causes
    .filter((cause) => saved.total[cause].hours > 0)
    .map((cause) => ({
      name: say('savings.cause', { cause }),
      values: periods.map(({ hours }) => hours[cause]),
    }))
  if (series.length === 0) return null
  const categories = periods.map(({ label }) => label)
  return {
    title: say('savings.chart', { by }),
    across: say('savings.across', { by }),
    unit: say('savings.unit'),
    categories,
    series,
  }
}

/** Returns an endpoint's cost over a time (ms) with its current replicas; 'none' if unknown. */
export async function costOver(
  services: Pick<Services, 'policy' | 'store'>,
  { id, ...seen }: Pick<Endpoint, 'id' | 'replicas'>,
  length: number,
): Promise<string> {
  const [prices, listed] = await Promise.all([pricesNow(services), services.store.names()])
  const gpu = listed?.endpoints.find((one) => one.id === id)?.gpu ?? ''
  const perHour = perHourOf(prices, { ...seen, gpu })
  return perHour === null ? 'none' : inCurrency((perHour * length) / hourMs, prices.currency, 10)
}

/** Hours in a month, as bills count them. */
export const hoursAMonth = 730

/** Makes functions for the hourly cost of one endpoint and of all running ones; 'none' or undefined if unknown. */
export function costsIn(prices: Prices) {
  return {
    costOf: hourlyCost(prices),
    priceOf: (endpoint: Pick<Endpoint, 'gpu' | 'replicas'>): Price | undefined => {
      const cost = perHourOf(prices, endpoint)
      return cost === null ? undefined : { amount: Number(cost.toFixed(4)), currency: prices.currency }
    },
    totalOf: (endpoints: readonly Endpoint[]): Total | undefined => {
      const up = endpoints.filter(({ active }) => active !== false)
      const priced = up.filter((one) => perHourOf(prices, one) !== null)
      const unpriced = up.length - priced.length
      const total = runningCost(prices, priced) ?? 0
      if (total === 0) return undefined
      const cost = (amount: number, large?: number) => inCurrency(amount, prices.currency, large)
      const own = (one: Endpoint) => perHourOf(prices, one) ?? 0
      const [first, second] = priced.toSorted((a, b) => own(b) - own(a))
      const isKnown = unpriced === 0 && first !== undefined && second !== undefined && own(first) > own(second)
      const dearest = isKnown ? first.name : 'none'
      return { hour: cost(total), month: cost(total * hoursAMonth, 10), dearest, unpriced }
    },
  }
}
