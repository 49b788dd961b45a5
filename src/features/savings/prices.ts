import type { Check } from '../../core/model/answer.ts'
import type { Prices } from '../../core/model/automation.ts'
import type { House } from '../../core/ports/services.ts'
import { pricesIn, pricesOver } from './listed-prices.ts'

/** How often every worker asks for the turn to look at the platform's prices, ms. */
export const pricesEvery = 1_800_000

/** Reads the platform's list, if it is our turn. One that it refuses is empty; without an answer the last one stays. */
export async function refreshPrices({ platform, store }: House, turn: () => Promise<boolean>): Promise<void> {
  if (!(await turn())) return
  const listed = await platform.instanceTypes()
  if (listed.kind === 'answered') await store.rememberPrices(pricesIn(listed.answer))
  if (listed.kind === 'refused') await store.rememberPrices(pricesIn([]))
}

/** The prices that hold now: those of the policy, and of the platform where that says nothing. */
export async function pricesNow({ policy, store }: Pick<House, 'policy' | 'store'>): Promise<Prices> {
  return pricesOver(policy().prices, await store.prices())
}

/** Where prices come from. */
export async function priceCheck(from: Pick<House, 'policy' | 'store'>): Promise<Check> {
  const [own, all] = [from.policy().prices.perHour, (await pricesNow(from)).perHour]
  const listed = [...all.keys()].filter((gpu) => !own.has(gpu)).length
  const says =
    own.size + listed === 0
      ? 'There are none, so savings are told in hours. Write them under prices in lamplighter.yaml.'
      : `${own.size} from the policy file, ${listed} from the platform’s list of instance types.`
  return { name: 'Prices', well: true, says }
}
