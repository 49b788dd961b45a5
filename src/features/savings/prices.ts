import type { Check } from '../../core/model/answer.ts'
import { noPrices, type Prices } from '../../core/model/automation.ts'
import type { InstanceType } from '../../core/model/endpoint.ts'
import type { Services } from '../../core/ports/services.ts'

/** How often a worker tries to take the turn that refreshes the platform's prices, ms. */
export const pricesEvery = 1_800_000

/** Reads the platform's prices, if it is our turn. A refused list is empty; without an answer the last list stays. */
export async function refreshPrices({ platform, store }: Services, turn: () => Promise<boolean>): Promise<void> {
  if (!(await turn())) return
  const listed = await platform.instanceTypes()
  if (listed.kind === 'answered') await store.rememberPrices(pricesIn(listed.answer))
  if (listed.kind === 'refused') await store.rememberPrices(pricesIn([]))
}

export async function pricesNow({ policy, store }: Pick<Services, 'policy' | 'store'>): Promise<Prices> {
  return pricesOver(policy().prices, await store.prices())
}

export async function priceCheck(from: Pick<Services, 'policy' | 'store'>): Promise<Check> {
  const [own, all] = [from.policy().prices.perHour, (await pricesNow(from)).perHour]
  const listed = [...all.keys()].filter((gpu) => !own.has(gpu)).length
  const says =
    own.size + listed === 0
      ? 'There are none, so savings are told in hours. Write them under prices in lamplighter.yaml.'
      : `${own.size} from the policy file, ${listed} from the platform’s list of instance types.`
  return { name: 'Prices', well: true, says }
}

/** The currency stands beside every amount, so no other text is accepted. */
const isCurrency = /^[A-Z]{3}$/

/** The platform's prices in its most frequent currency, by every name of a GPU that has one price only. */
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
  // The name of an instance type is more exact than its GPU.
  return { currency, perHour: new Map([...unambiguous(byGpu), ...unambiguous(byName)]) }
}

/**
 * The policy's prices before the platform's; the latter only in the same currency. A price of 0 in the policy means that
 * the GPU is reserved: stopping it saves nothing, so it has no price.
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
