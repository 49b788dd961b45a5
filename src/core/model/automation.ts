import type { Day } from '../time/calendar.ts'
import type { WeeklyRule } from './rules.ts'

/** What the policy file says of schedules and the idle watch. Lengths in ms. */
export interface Automation {
  /** The zone of lines that name none; null: the asker's own. */
  readonly zone: string | null
  /** How long before a stop people are told of it. */
  readonly notice: number
  /** Dates on which no up-window begins. */
  readonly holidays: ReadonlySet<Day>
  /** Rules for endpoints that have none of their own. */
  readonly team: readonly TeamRules[]
  /** How long an endpoint is quiet before it may be stopped: unless somebody says otherwise, and at least and most. */
  readonly idle: { readonly usual: number; readonly least: number; readonly most: number }
  /** Endpoints that are watched for idleness without a word of their own, stopped after so much quiet; null: never. */
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

/** What an hour of one replica costs, by the platform's name of its GPU (`RTX 4090`), in the team's currency. */
export interface Prices {
  readonly currency: string
  readonly perHour: ReadonlyMap<string, number>
}

/** Currencies that people write before the amount. */
const signs: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', KRW: '₩' }

/** "$2.25", "₩41,674", "37 CHF": from `large` on without cents, which some currencies do not have. */
export function inCurrency(amount: number, currency: string, large = 1_000): string {
  const { maximumFractionDigits: most = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const digits = amount < large ? most : 0
  const shown = amount.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const sign = signs[currency]
  return sign === undefined ? `${shown} ${currency}` : `${sign}${shown}`
}

export const noPrices: Prices = { currency: 'USD', perHour: new Map() }
