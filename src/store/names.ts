import type { Redis } from 'ioredis'
import type { Endpoint } from '../domain/endpoint.ts'
import type { Store } from '../lifecycle/ports.ts'
import type { Keys } from './keys.ts'

type Names = NonNullable<Awaited<ReturnType<Store['names']>>>

/** A list nobody has asked for within this time is not kept. ms. */
const kept = 3_600_000

/** The endpoints as last listed: for names, never for decisions. */
export function createNames(redis: Redis, keys: Keys): Pick<Store, 'names' | 'rememberNames'> {
  // Parsing a long list for each command would cost more than the command; the text tells whether it has changed.
  let last: { readonly text: string; readonly names: Names } | undefined

  return {
    async names() {
      const text = await redis.get(keys.names)
      if (text === null) return null
      if (last?.text !== text) last = { text, names: JSON.parse(text) as Names }
      return last.names
    },
    async rememberNames(endpoints, at) {
      const names = endpoints.map(({ id, name, active }): Endpoint => ({ id, name, active }))
      await redis.set(keys.names, JSON.stringify({ at, endpoints: names }), 'PX', kept)
    },
  }
}
