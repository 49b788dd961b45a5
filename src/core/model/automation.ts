import type { Day } from '../time/calendar.ts'
import type { WeeklyRule } from './rules.ts'

/** The policy file's settings for schedules and idle stops. Lengths in ms. */
export interface Automation {
  /** The time zone of lines without one; null: the requester's own. */
  readonly zone: string | null
  /** How long before a stop people are warned. */
  readonly notice: number
  /** Dates on which no up-window begins. */
  readonly holidays: ReadonlySet<Day>
  /** Rules for endpoints that have no rules of their own. */
  readonly team: readonly TeamRules[]
  /** How long an endpoint must be idle before a stop: by default, and the allowed range. */
  readonly idle: { readonly usual: number; readonly least: number; readonly most: number }
  /** Idle times of endpoints without an idle rule of their own; null: never stopped. */
  readonly teamIdle: readonly { readonly match: readonly string[]; readonly after: number | null }[]
}

export interface TeamRules {
  /** `my-llm`, `dev-*` or `tag:dev`. */
  readonly match: readonly string[]
  readonly rules: readonly WeeklyRule[]
}

const minute = 60_000

export const usualAutomation: Automation = {
  zone: null,
  notice: 10 * minute,
  holidays: new Set(),
  team: [],
  idle: { usual: 60 * minute, least: 15 * minute, most: 7 * 24 * 60 * minute },
  teamIdle: [],
}

/** The hourly price of one replica in the team's currency, by the platform's name of its GPU (`RTX 4090`). */
export interface Prices {
  readonly currency: string
  readonly perHour: ReadonlyMap<string, number>
}

/** "$2.25", "₩41,674", "CHF 37". Amounts from `large` on have no cents, and some currencies never do. */
export function inCurrency(amount: number, currency: string, large = 1_000): string {
  const cents = amount < large ? {} : { maximumFractionDigits: 0 }
  const shown = new Intl.NumberFormat('en', { style: 'currency', currency, ...cents }).format(amount)
  return shown.replace('\u00a0', ' ')
}

export const noPrices: Prices = { currency: 'USD', perHour: new Map() }
