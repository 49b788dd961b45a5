import type { Day } from '../time/calendar.ts'
import type { Endpoint } from './endpoint.ts'
import { type IdleRule, type Records, recordOn } from './records.ts'
import { policyFile } from './roles.ts'
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

/** The part of an endpoint that the policy file's patterns match. */
export type Matchable = Pick<Endpoint, 'name' | 'tags'>

/** A star matches any text; every other character matches itself. */
export function fits(pattern: string, { name, tags = [] }: Matchable): boolean {
  return pattern.startsWith('tag:') ? tags.some((tag) => isLike(tag, pattern.slice(4))) : isLike(name, pattern)
}

/** Matches part by part, in linear time for any number of stars. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return text === first
  const end = text.length - last.length
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/** Returns an endpoint's own idle rule, otherwise the team's; null if there is none or it is off. */
export function idleRuleOf(
  records: Records,
  { automation }: { readonly automation: Automation },
  endpoint: Pick<Endpoint, 'id'> & Matchable,
): IdleRule | null {
  const own = recordOn(records, 'idle', endpoint.id)
  if (own !== undefined) return own.mode === 'off' ? null : own
  const team = automation.teamIdle.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))
  if (team === undefined || team.after === null) return null
  const { notice } = automation
  const rule = { kind: 'idle', endpoint: endpoint.id, mode: 'on', after: team.after, warn: notice } as const
  return { ...rule, owner: policyFile, at: 0 }
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
