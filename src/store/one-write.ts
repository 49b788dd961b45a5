import type { Redis } from 'ioredis'

/**
 * What is sent to Redis in this turn of the loop leaves in one write. Redis then reads it at once and flushes its log
 * once for all of it, which is most of the time that an acknowledgement takes.
 */
export function inOneWrite(redis: Redis): void {
  const { stream } = redis
  if (stream?.writable !== true) return
  stream.cork()
  setImmediate(() => stream.uncork())
}
