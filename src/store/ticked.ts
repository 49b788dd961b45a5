import type { Redis } from 'ioredis'
import type { Check } from '../domain/explained.ts'
import { patience, type Ticked } from '../lifecycle/watchdog.ts'
import type { Keys } from './keys.ts'

/** Trouble of one kind is announced once in this time. ms. */
const quiet = 86_400_000

/** By the clock of Redis. */
export function createTicked(redis: Redis, keys: Pick<Keys, 'pursuits'>): Ticked {
  const [at, told] = [`${keys.pursuits}:ticked`, `${keys.pursuits}:late`]
  return {
    note: async () => void (await redis.set(at, 1, 'PX', patience)),
    async ago() {
      const left = await redis.pttl(at)
      return left < 0 ? null : Math.max(0, patience - left)
    },
    mayTell: async () => (await redis.set(told, 1, 'PX', quiet, 'NX')) === 'OK',
  }
}

export function tickedCheck(ago: number | null): Check {
  const says =
    ago === null
      ? 'Nobody has looked through them for three minutes. Does a worker run, and does the platform answer it?'
      : `Last looked through ${Math.round(ago / 1_000)} s ago.`
  return { name: 'Rules', well: ago !== null, says }
}
