import type { Redis } from 'ioredis'
import { isEnded, type Request } from '../domain/request.ts'
import type { Keys } from './keys.ts'

/** More than anybody has open at once; the rest is in the channels. */
const most = 200

/**
 * The operations that are under way or wait for somebody, the longest waiting first. Each has a time at which it must
 * be looked at again, so the alarm clocks already are their index and nothing more has to be kept.
 */
export async function openRequests(redis: Redis, keys: Keys): Promise<readonly Request[]> {
  const ids = await redis.zrange(keys.wake, '0', String(most - 1))
  const texts = await Promise.all(ids.map((id) => redis.hget(keys.request(id), 'text')))
  return texts
    .filter((text) => text !== null)
    .map((text) => JSON.parse(text) as Request)
    .filter(({ kind, status }) => kind === 'operation' && !isEnded(status))
    .toSorted((a, b) => a.receivedAt - b.receivedAt)
}
