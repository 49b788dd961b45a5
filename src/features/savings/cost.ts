import type { Prices } from '../../core/model/automation.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Costs } from '../../core/model/request.ts'
import { clockText, dateText, weekdayNames, weekdayOf } from '../../core/time/calendar.ts'
import { readWhen } from '../../core/time/parse-when.ts'
import { localAt } from '../../core/time/zone.ts'

/** Where the endpoint would be stopped, and what the choice is about. Instants in ms. */
interface Choice {
  /** When people are told: tomorrow is meant from then. */
  readonly now: number
  readonly due: number
  /** When the rules change their mind by themselves, if it is not stopped. */
  readonly until: number | null
  /** When it would be started again; null: nobody knows, so a morning is as good. */
  readonly up: number | null
  /** In which a morning is meant. */
  readonly zone: string | null
  /** The longest that the policy lets an endpoint be kept, ms. */
  readonly keep: number
}

const [hour, minute] = [3_600_000, 60_000]

/** The costs of leaving an endpoint up, as far as they are known, and how long that may be. */
export function costsOf(prices: Prices, endpoint: Pick<Endpoint, 'gpu' | 'replicas'>, choice: Choice): Costs {
  const morning = morningAfter(choice.now, choice.zone)
  const latest = Math.floor((choice.now + choice.keep) / minute) * minute
  const { until, zone } = choice
  return {
    ...pricesOf(prices, endpoint, choice, morning),
    ...(morning !== null && { morningAt: morning }),
    ...(zone !== null && { place: placeOf(zone) }),
    ...(until !== null && { until }),
    latest,
  }
}

/** What some minutes cost; null where that is not known. */
export function costOfMinutes({ perMinute, currency = '' }: Costs, minutes: number): string | null {
  return perMinute === undefined ? null : `${(perMinute * minutes).toFixed(2)} ${currency}`
}

/** "Buenos Aires" of "America/Argentina/Buenos_Aires". */
function placeOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
}

/** Nine o'clock of the day after `now` (ms) in a zone, ms; null where no zone is known. */
export function morningAfter(now: number, zone: string | null): number | null {
  const read = zone === null ? null : readWhen('tomorrow 09:00', now, zone)
  return read !== null && 'at' in read ? read.at : null
}

/** Null where the policy has no price for its GPU, or nobody knows its replicas. */
function pricesOf(
  prices: Prices,
  { gpu = '', replicas }: Pick<Endpoint, 'gpu' | 'replicas'>,
  { now, due, until, up, zone }: Choice,
  morning: number | null,
): Costs | null {
  const price = prices.perHour.get(gpu)
  if (price === undefined || replicas === undefined) return null
  const perHour = price * replicas
  const { currency } = prices
  // The same time costs the same to read, whichever choice it belongs to.
  const cost = (ms: number) => {
    const amount = (perHour * ms) / hour
    return `${amount.toFixed(amount < 10 ? 2 : 0)} ${currency}`
  }
  const back = up ?? morning
  return {
    ...(until !== null && { skip: cost(until - due) }),
    hour: `${perHour.toFixed(2)} ${currency}`,
    perMinute: perHour / 60,
    currency,
    ...(morning !== null && morning > due && { morning: cost(morning - due) }),
    ...(back !== null &&
      zone !== null && { saved: `${cost(back - now)} until ${clockAt(back, now, zone)} ${placeOf(zone)}` }),
  }
}

/** "09:00" of what comes next, since a button has little room; further on "Mon 09:00" or a date. */
function clockAt(at: number, now: number, zone: string): string {
  const { day, minute } = localAt(at, zone)
  const ahead = day - localAt(now, zone).day
  const name = weekdayNames[weekdayOf(day)] ?? ''
  if (ahead > 6) return dateText(day)
  return at - now > 24 * hour
    ? `${name.charAt(0).toUpperCase()}${name.slice(1)} ${clockText(minute)}`
    : clockText(minute)
}
