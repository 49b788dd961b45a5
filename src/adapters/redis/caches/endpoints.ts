import type { Prices } from '../../../core/model/automation.ts'
import { Newer, written as numbered, readAs } from '../../../core/model/formats.ts'
import type { ListedPrices } from '../../../core/ports/request-store.ts'
import type { Store } from '../../../core/ports/services.ts'
import type { StoreContext } from '../context.ts'

type Names = NonNullable<Awaited<ReturnType<Store['names']>>>

/** A list nobody has asked for within this time is not kept. ms. */
const kept = 3_600_000

/** The endpoints as last listed: for names, never for decisions. */
export function createNames({
  redis,
  keys,
  signer,
}: StoreContext): Pick<Store, 'names' | 'rememberNames' | 'rememberState'> {
  // Parsing a long list for each command would cost more than the command; the text tells whether it has changed.
  let last: { readonly stored: string; readonly names: Names | null } | undefined

  async function names(): Promise<Names | null> {
    const stored = await redis.get(keys.names)
    if (stored === null) return null
    if (last?.stored !== stored) last = { stored, names: namesIn(signer.read(['names'], stored)) }
    return last.names
  }

  async function keep(names: Names): Promise<void> {
    await redis.set(keys.names, signer.sign(['names'], numbered('names', names)), 'PX', kept)
  }

  return {
    names,
    rememberNames: (endpoints, at) =>
      keep({
        at,
        endpoints: endpoints.map(({ id, name, active, gpu }) => ({
          id,
          name,
          active,
          ...(gpu !== undefined && { gpu }),
        })),
      }),
    async rememberState(id, active) {
      const known = await names()
      if (known?.endpoints.some((one) => one.id === id && one.active !== active) !== true) return
      await keep({ ...known, endpoints: known.endpoints.map((one) => (one.id === id ? { ...one, active } : one)) })
    },
  }
}

/** They are soon listed again, so a newer format is as good as none. */
function namesIn(text: string): Names | null {
  try {
    return readAs('names', text)
  } catch (error) {
    if (error instanceof Newer) return null
    throw error
  }
}

interface Written {
  readonly currency: string
  readonly perHour: readonly (readonly [string, number])[]
}

export function createPrices({ redis, keys, signer }: StoreContext): ListedPrices {
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
