import type { Prices } from '../domain/automation.ts'
import { written as numbered, readAs } from '../domain/formats.ts'
import type { ListedPrices } from '../lifecycle/prices.ts'
import type { Ground } from './ground.ts'

interface Written {
  readonly currency: string
  readonly perHour: readonly (readonly [string, number])[]
}

export function createPrices({ redis, keys, signer }: Ground): ListedPrices {
  return {
    async prices(): Promise<Prices | null> {
      const stored = await redis.get(keys.prices)
      if (stored === null) return null
      const { currency, perHour } = readAs<Written>('prices', signer.read(['prices'], stored))
      return { currency, perHour: new Map(perHour) }
    },
    async rememberPrices({ currency, perHour }) {
      const written: Written = { currency, perHour: [...perHour] }
      await redis.set(keys.prices, signer.sign(['prices'], numbered('prices', written)))
    },
  }
}
