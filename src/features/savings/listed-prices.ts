import { noPrices, type Prices } from '../../core/model/automation.ts'
import type { InstanceType } from '../../core/model/endpoint.ts'

/** What is shown beside every amount is no place for just any text. */
const isCurrency = /^[A-Z]{3}$/

/**
 * What the platform itself says that things cost, by every name that an endpoint may know them by. No source says by
 * which one it does, so a name that stands for two prices has none. Only one currency: that of most.
 */
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
  // What something is called says more than what is in it.
  return { currency, perHour: new Map([...unambiguous(byGpu), ...unambiguous(byName)]) }
}

/**
 * The prices that hold. What the policy says of a GPU wins, also that it has none (0: it is reserved, so stopping it
 * saves nothing); of the others those of the platform, if they are in the same currency.
 */
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
