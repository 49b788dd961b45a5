import type { Redis } from 'ioredis'
import type { Keys } from './keys.ts'

/** ms. */
const every = 2_000
const life = 6_000

/** Says that a worker lives, until stopped. The doors read it, so that "taken" never hides that nobody works. */
export async function beat(redis: Redis, keys: Keys): Promise<() => void> {
  async function once(): Promise<void> {
    await redis.set(keys.heartbeat, 1, 'PX', life)
  }
  await once()
  const timer = setInterval(() => void once().catch(() => undefined), every)
  return () => clearInterval(timer)
}
