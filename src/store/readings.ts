import type { Redis } from 'ioredis'
import type { Readings, Watched } from '../lifecycle/watch.ts'
import type { Keys } from './keys.ts'

/**
 * How endpoints were used. Unsigned: a forged reading can keep an endpoint up; one that says it is idle leads to a
 * notice, and to a look at the endpoint itself right before the call.
 */
export function createReadings(redis: Redis, keys: Pick<Keys, 'readings'>): Readings {
  return {
    async watched() {
      const texts = await redis.hgetall(keys.readings)
      return new Map(Object.entries(texts).map(([endpoint, text]) => [endpoint, JSON.parse(text) as Watched]))
    },
    async watchedOf(endpoint) {
      const text = await redis.hget(keys.readings, endpoint)
      return text === null ? null : (JSON.parse(text) as Watched)
    },
    async keepWatched(changes) {
      const fields = [...changes].flatMap(([endpoint, watched]) => [endpoint, JSON.stringify(watched)])
      if (fields.length > 0) await redis.hset(keys.readings, ...fields)
    },
  }
}
