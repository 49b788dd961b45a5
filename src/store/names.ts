import type { Redis } from 'ioredis'
import type { Store } from '../lifecycle/ports.ts'
import type { Keys } from './keys.ts'

type Names = NonNullable<Awaited<ReturnType<Store['names']>>>

/** A list nobody has asked for within this time is not kept. ms. */
const kept = 3_600_000

/** The endpoints as last listed: for names, never for decisions. */
export function createNames(redis: Redis, keys: Keys): Pick<Store, 'names' | 'rememberNames' | 'rememberState'> {
  // Parsing a long list for each command would cost more than the command; the text tells whether it has changed.
  let last: { readonly text: string; readonly names: Names } | undefined

  async function names(): Promise<Names | null> {
    const text = await redis.get(keys.names)
    if (text === null) return null
    if (last?.text !== text) last = { text, names: JSON.parse(text) as Names }
    return last.names
  }

  async function keep(names: Names): Promise<void> {
    await redis.set(keys.names, JSON.stringify(names), 'PX', kept)
  }

  return {
    names,
    rememberNames: (endpoints, at) =>
      keep({ at, endpoints: endpoints.map(({ id, name, active }) => ({ id, name, active })) }),
    async rememberState(id, active) {
      const known = await names()
      if (known?.endpoints.some((one) => one.id === id && one.active !== active) !== true) return
      await keep({ ...known, endpoints: known.endpoints.map((one) => (one.id === id ? { ...one, active } : one)) })
    },
  }
}
