import type { Redis } from 'ioredis'
import type { Event, Request } from '../domain/request.ts'
import type { Memory } from '../lifecycle/memory.ts'
import type { Keys } from './keys.ts'

/** What is over. The index is written with the move that ends a request; the records live as long as it does. */
export function createPast(redis: Redis, keys: Keys): Pick<Memory, 'past' | 'eventsOf'> {
  return {
    async past(since, skip, most) {
      const ids = await redis.zrevrangebyscore(keys.past, '+inf', since, 'LIMIT', skip, most)
      const texts = await Promise.all(ids.map((id) => redis.hget(keys.request(id), 'text')))
      const requests = texts.filter((text) => text !== null).map((text) => JSON.parse(text) as Request)
      return { requests, more: ids.length === most }
    },
    async eventsOf(id) {
      const texts = await redis.lrange(keys.history(id), 0, -1)
      return texts.map((text) => JSON.parse(text) as Event)
    },
  }
}
