import type { Redis } from 'ioredis'
import { mastersOf } from './redis.ts'

/**
 * What is sent to Redis in this turn of the loop leaves in one write. Redis then reads it at once and flushes its log
 * once for all of it, which is most of the time that an acknowledgement takes.
 */
export function inOneWrite(redis: Redis): void {
  for (const { stream } of mastersOf(redis)) {
    if (stream?.writable !== true) continue
    stream.cork()
    setImmediate(() => stream.uncork())
  }
}
