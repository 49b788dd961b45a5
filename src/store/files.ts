import type { Redis } from 'ioredis'
import type { Memory } from '../lifecycle/memory.ts'
import type { Keys } from './keys.ts'

/** Long enough for Slack to come back after a bad hour. ms. */
const life = 2 * 3_600_000

/** Files on their way to a person: beside the request, which is read and written too often to carry them. */
export function createFiles(redis: Redis, keys: Keys): Pick<Memory, 'keepFiles' | 'fileOf'> {
  return {
    async keepFiles(id, texts) {
      await Promise.all(texts.map((text, at) => redis.set(keys.file(`${id}:${at}`), text, 'PX', life)))
    },
    fileOf: (id, at) => redis.get(keys.file(`${id}:${at}`)),
  }
}
