import type { Redis } from 'ioredis'
import type { Keys } from './keys.ts'

/** A little shorter than the time between two listings, so that it has run out when the next is due. ms. */
const life = 55_000

/** Among all workers of a project one at a time has the turn to list its endpoints. */
export async function turnToList(redis: Redis, keys: Pick<Keys, 'names'>): Promise<boolean> {
  return (await redis.set(`${keys.names}:turn`, 1, 'PX', life, 'NX')) === 'OK'
}
