import type { Readings, Watched } from '../lifecycle/watch.ts'
import type { Ground } from './ground.ts'

/** How endpoints were used. Taken away, an endpoint is new, and its idle clock starts again. */
export function createReadings({ redis, keys, signer }: Pick<Ground, 'redis' | 'keys' | 'signer'>): Readings {
  function read(endpoint: string, text: string): Watched {
    return JSON.parse(signer.read(['reading', endpoint], text)) as Watched
  }
  return {
    async watched() {
      const texts = await redis.hgetall(keys.readings)
      return new Map(Object.entries(texts).map(([endpoint, text]) => [endpoint, read(endpoint, text)]))
    },
    async watchedOf(endpoint) {
      const text = await redis.hget(keys.readings, endpoint)
      return text === null ? null : read(endpoint, text)
    },
    async keepWatched(changes) {
      const fields = [...changes].flatMap(([endpoint, watched]) => [
        endpoint,
        signer.sign(['reading', endpoint], JSON.stringify(watched)),
      ])
      if (fields.length > 0) await redis.hset(keys.readings, ...fields)
    },
  }
}
