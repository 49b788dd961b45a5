import type { Prices } from '../../core/model/automation.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Costs } from '../../core/model/request.ts'
import { clockText, dateText, weekdayText } from '../../core/time/calendar.ts'
import { readWhen } from '../../core/time/parse-when.ts'
import { localAt } from '../../core/time/zone.ts'

/** A stop that people may skip or put off. Instants in ms. */
interface Choice {
  /** When people are told. */
  readonly now: number
  readonly due: number
  /** When the rules next change what they want, if the stop is skipped. */
  readonly until: number | null
  /** When the endpoint would be started again; null if unknown, and then the next morning is taken. */
  readonly up: number | null
  /** The zone of the morning. */
  readonly zone: string | null
  /** The longest that the policy lets an endpoint be kept, ms. */
  readonly keep: number
}

const [hour, minute] = [3_600_000, 60_000]

/** The costs of leaving an endpoint up, as far as they are known, and how long it may stay up. */
export function costsOf(
  prices: Prices,
  { gpu = '', replicas }: Pick<Endpoint, 'gpu' | 'replicas'>,
  { now, due, until, up, zone, keep }: Choice,
): Costs {
  const morning = nextMorning(now, zone)
  const times = {
    ...(morning !== null && { morningAt: morning }),
    ...(zone !== null && { place: placeOf(zone) }),
    ...(until !== null && { until }),
    latest: Math.floor((now + keep) / minute) * minute,
  }
  const price = prices.perHour.get(gpu)
  if (price === undefined || replicas === undefined) return times
  const perHour = price * replicas
  const { currency } = prices
  const cost = (ms: number) => {
    const amount = (perHour * ms) / hour
    return `${amount.toFixed(amount < 10 ? 2 : 0)} ${currency}`
  }
  const back = up ?? morning
  return {
    ...times,
    ...(until !== null && { skip: cost(until - due) }),
    hour: `${perHour.toFixed(2)} ${currency}`,
    perMinute: perHour / 60,
    currency,
    ...(morning !== null && morning > due && { morning: cost(morning - due) }),
    ...(back !== null &&
      zone !== null && { saved: `${cost(back - now)} until ${clockAt(back, now, zone)} ${placeOf(zone)}` }),
  }
}

/** The cost of some minutes; null if unknown. */
export function costOfMinutes({ perMinute, currency = '' }: Costs, minutes: number): string | null {
  return perMinute === undefined ? null : `${(perMinute * minutes).toFixed(2)} ${currency}`
}

/** "Buenos Aires" of "America/Argentina/Buenos_Aires". */
function placeOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
}

/** Nine o'clock of the day after `now` (ms) in a zone, ms; null without a zone. */
export function nextMorning(now: number, zone: string | null): number | null {
  const read = zone === null ? null : readWhen('tomorrow 09:00', now, zone)
  return read !== null && 'at' in read ? read.at : null
}

/** "09:00" within a day, since a button has little room; "Mon 09:00" within a week; else a date. */
function clockAt(at: number, now: number, zone: string): string {
  const { day, minute } = localAt(at, zone)
  if (day - localAt(now, zone).day > 6) return dateText(day)
  return at - now > 24 * hour ? `${weekdayText(day)} ${clockText(minute)}` : clockText(minute)
}
