import { inCurrency, noPrices, type Prices } from '../../core/model/automation.ts'
import type { Endpoint, InstanceType } from '../../core/model/endpoint.ts'
import type { Check } from '../../core/model/query-answer.ts'
import type { Costs } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { readWhen } from '../../core/time/parse-when.ts'

/** How often a worker tries to take the turn to refresh the platform's prices, ms. */
export const pricesEvery = 300_000

/** A platform that refuses only the key may have a list. */
const keyRefused = [401, 403]

/**
 * Reads the platform's prices if it is our turn. A platform without a list empties ours; if the list can't be read, the
 * last one stays, and the turn goes back so that the next try need not wait for it to end.
 */
export async function refreshPrices(
  { platform, store }: Pick<Services, 'platform' | 'store'>,
  turn: { take(): Promise<boolean>; giveBack(): Promise<unknown> },
): Promise<void> {
  if (!(await turn.take())) return
  const listed = await platform.instanceTypes()
  if (listed.kind === 'answered') await store.rememberPrices(pricesIn(listed.answer))
  else if (listed.kind === 'refused' && !keyRefused.includes(listed.status)) await store.rememberPrices(pricesIn([]))
  else await turn.giveBack()
}

export async function pricesNow({ policy, store }: Pick<Services, 'policy' | 'store'>): Promise<Prices> {
  return pricesOver(policy().prices, await store.prices())
}

export async function priceCheck(from: Pick<Services, 'policy' | 'store'>): Promise<Check> {
  const [own, all] = [from.policy().prices.perHour, (await pricesNow(from)).perHour]
  const name = say('check.prices')
  if ((await from.store.prices()) === null)
    return { name, well: true, says: say('prices.unread', { own: own.size, every: { lasting: pricesEvery } }) }
  const listed = [...all.keys()].filter((gpu) => !own.has(gpu)).length
  const says = own.size + listed === 0 ? say('prices.none') : say('prices.known', { own: own.size, listed })
  return { name, well: true, says }
}

/** The currency is shown with every amount, so nothing else is accepted. */
const isCurrency = /^[A-Z]{3}$/

/** Returns the platform's prices in its most frequent currency, for each GPU name with exactly one price. */
export function pricesIn(types: readonly InstanceType[]): Prices {
  const priced = types.flatMap(({ names, gpu, perHour, currency }) =>
    perHour !== undefined && perHour > 0 && currency !== undefined && isCurrency.test(currency)
      ? [{ names, gpu, perHour, currency }]
      : [],
  )
  const currency = mostOf(priced.map((one) => one.currency)) ?? noPrices.currency
  const same = priced.filter((one) => one.currency === currency)
  const byName = same.flatMap(({ names, perHour }) => names.map((name) => [name, perHour] as const))
  const byGpu = same.flatMap(({ gpu, perHour }) => (gpu === undefined ? [] : [[gpu, perHour] as const]))
  // The name of an instance type is more specific than its GPU.
  return { currency, perHour: new Map([...unambiguous(byGpu), ...unambiguous(byName)]) }
}

/** Puts the policy's prices over the platform's in the same currency. A 0 in the policy (reserved) means no price. */
export function pricesOver(own: Prices, listed: Prices | null): Prices {
  const comparable = own.perHour.size === 0 || own.currency === listed?.currency
  const both = new Map([...(comparable && listed ? listed.perHour : []), ...own.perHour])
  const perHour = new Map([...both].filter(([, price]) => price > 0))
  return { currency: own.perHour.size === 0 && listed ? listed.currency : own.currency, perHour }
}

function unambiguous(pairs: readonly (readonly [string, number])[]): readonly (readonly [string, number])[] {
  const prices = new Map<string, number>()
  const twice = new Set<string>()
  for (const [name, price] of pairs) {
    if ((prices.get(name) ?? price) !== price) twice.add(name)
    prices.set(name, price)
  }
  return [...prices].filter(([name]) => !twice.has(name))
}

function mostOf(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0]
}

/** Returns an endpoint's cost an hour with its current replicas; null if unknown. */
export function perHourOf(prices: Prices, { gpu = '', replicas }: Pick<Endpoint, 'gpu' | 'replicas'>): number | null {
  const price = prices.perHour.get(gpu)
  return price === undefined || replicas === undefined ? null : price * replicas
}

/** Formats that cost: "$2.25"; 'none' if unknown. */
export function hourlyCost(prices: Prices): (endpoint: Pick<Endpoint, 'gpu' | 'replicas'>) => string {
  return (endpoint) => {
    const cost = perHourOf(prices, endpoint)
    return cost === null ? 'none' : inCurrency(cost, prices.currency)
  }
}

/** Returns the cost an hour of all running endpoints; null if one has no price. */
export function runningCost(prices: Prices, endpoints: readonly Endpoint[]): number | null {
  const costs = endpoints.filter(({ active }) => active !== false).map((endpoint) => perHourOf(prices, endpoint))
  return costs.every((cost) => cost !== null) ? costs.reduce((sum, cost) => sum + cost, 0) : null
}

/** A stop that people can skip or postpone. Instants in ms. */
interface Choice {
  /** When the notice is posted. */
  readonly now: number
  readonly due: number
  /** When the rules next change the desired state, if the stop is skipped. */
  readonly until: number | null
  /** Nothing would start it then, so nobody knows how long it runs if the stop is skipped. */
  readonly isOpen: boolean
  /** How long the rules keep it stopped between `due` and an instant (ms); it runs for the rest anyway. */
  readonly stoppedUntil: (ms: number) => number
  /** The zone for “morning”. */
  readonly zone: string | null
  /** The longest hold that the policy allows, ms. */
  readonly keep: number
}

const [hour, minute] = [3_600_000, 60_000]

/** Returns the known costs of keeping an endpoint up, and how long it may stay up. */
export function costsOf(
  prices: Prices,
  endpoint: Pick<Endpoint, 'gpu' | 'replicas'>,
  { now, due, until, isOpen, stoppedUntil, zone, keep }: Choice,
): Costs {
  // An earlier morning would add nothing to the hour that is offered too.
  const morning = nextMorning(due + 2 * hour, zone)
  const times = {
    ...(morning !== null && { morningAt: morning }),
    ...(until !== null && { until }),
    ...(isOpen && ({ open: true } as const)),
    latest: Math.floor((now + keep) / minute) * minute,
  }
  const perHour = perHourOf(prices, endpoint)
  if (perHour === null) return times
  const { currency } = prices
  const cost = (ms: number) => inCurrency((perHour * ms) / hour, currency, 10)
  return {
    ...times,
    ...(until !== null && !isOpen && { skip: cost(until - due) }),
    hour: inCurrency(perHour, currency),
    perMinute: perHour / 60,
    currency,
    ...(morning !== null && { morning: cost(stoppedUntil(morning)) }),
  }
}

/** Returns the cost of some minutes; null if unknown. */
export function costOfMinutes({ perMinute, currency = '' }: Costs, minutes: number): string | null {
  return perMinute === undefined ? null : inCurrency(perMinute * minutes, currency)
}

/** Returns the next 09:00 in a zone after an instant (both ms); null without a zone. */
export function nextMorning(after: number, zone: string | null): number | null {
  const read = zone === null ? null : readWhen('09:00', after, zone)
  return read !== null && 'at' in read ? read.at : null
}
