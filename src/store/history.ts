import { Newer, readAs } from '../domain/formats.ts'
import type { Event, Request } from '../domain/request.ts'
import type { Memory } from '../lifecycle/memory.ts'
import type { Ground } from './ground.ts'
import type { Texts } from './texts.ts'

/** What is over. The index is written with the move that ends a request; the records live as long as it does. */
export function createPast({ redis, keys, signer, texts }: Ground): Pick<Memory, 'past' | 'eventsOf'> {
  return {
    async past(since, skip, most) {
      const ids = await redis.zrevrangebyscore(keys.past, '+inf', since, 'LIMIT', skip, most)
      const found = await Promise.all(ids.map((id) => readable(texts, id)))
      return { requests: found.filter((request) => request !== null), more: ids.length === most }
    },
    async eventsOf(id) {
      const stored = await redis.lrange(keys.history(id), 0, -1)
      return stored.map((one) => readAs<Event>('event', signer.read(['event', id], one)))
    },
  }
}

/** Among many requests one of a newer format is passed over. Throws Tampered. */
export async function readable(texts: Texts, id: string): Promise<Request | null> {
  try {
    return await texts.load(id)
  } catch (error) {
    if (error instanceof Newer) return null
    throw error
  }
}
