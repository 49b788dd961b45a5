import type { Prices } from './automation.ts'
import { clockText, dateText, weekdayNames, weekdayOf } from './civil.ts'
import type { Endpoint } from './endpoint.ts'
import { readWhen } from './when.ts'
import { localAt } from './zone.ts'

/**
 * What it costs to leave an endpoint up, for each way to do so: "2.25 USD"; from 10 on in round numbers. Absent where the
 * policy has no price, or nobody knows until when.
 */
export interface Costs {
  readonly skip?: string
  readonly hour?: string
  /** Of a minute, unrounded, in `currency`. */
  readonly perMinute?: number
  readonly currency?: string
  readonly morning?: string
  /** The morning that is meant, ms since 1970: the same for everybody who reads of it. */
  readonly morningAt?: number
  /** By whose clocks, for those who live by others: "Seoul". */
  readonly place?: string
  /** Until when it stays up where the stop is skipped, ms since 1970. */
  readonly until?: number
  /** Until when the policy lets it be kept at most, ms since 1970: a full minute, as of when people are told. */
  readonly latest?: number
  /** What is saved by stopping it now: "36 USD until Mon 09:00 Seoul". */
  readonly saved?: string
}

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
