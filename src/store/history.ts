import type { Event } from '../domain/request.ts'
import type { Memory } from '../lifecycle/memory.ts'
import type { Ground } from './ground.ts'

/** What is over. The index is written with the move that ends a request; the records live as long as it does. */
export function createPast({ redis, keys, signer, texts }: Ground): Pick<Memory, 'past' | 'eventsOf'> {
  return {
    async past(since, skip, most) {
      const ids = await redis.zrevrangebyscore(keys.past, '+inf', since, 'LIMIT', skip, most)
      const found = await Promise.all(ids.map(texts.load))
      return { requests: found.filter((request) => request !== null), more: ids.length === most }
    },
    async eventsOf(id) {
      const stored = await redis.lrange(keys.history(id), 0, -1)
      return stored.map((one) => JSON.parse(signer.read(['event', id], one)) as Event)
    },
  }
}
