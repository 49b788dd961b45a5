import type { Redis } from 'ioredis'
import type { Settings } from '../domain/endpoint.ts'
import type { Request } from '../domain/request.ts'
import type { Store } from '../lifecycle/ports.ts'
import type { Keys } from './keys.ts'

type Memory = Pick<Store, 'holderOf' | 'lastDone' | 'settingsOf' | 'rememberSettings' | 'forgetSettings' | 'hint'>

/** What is remembered of each endpoint: who holds it, what was last done to it, the settings it was last given. */
export function createMemory(redis: Redis, keys: Keys): Memory {
  return {
    holderOf: (endpoint) => redis.get(keys.lock(endpoint)),
    async lastDone(endpoint) {
      const id = await redis.get(keys.done(endpoint))
      const text = id === null ? null : await redis.hget(keys.request(id), 'text')
      return text === null ? null : (JSON.parse(text) as Request)
    },
    async settingsOf(endpoint) {
      const text = await redis.get(keys.settings(endpoint))
      return text === null ? null : (JSON.parse(text) as Settings)
    },
    async rememberSettings(settings) {
      await redis.set(keys.settings(settings.id), JSON.stringify(settings))
    },
    async forgetSettings(endpoint) {
      await redis.del(keys.settings(endpoint))
    },
    async hint(field) {
      if (field !== undefined) await redis.set(keys.hint, field, 'PX', 7 * 24 * 3_600_000)
      return redis.get(keys.hint)
    },
  }
}
