import { isEnded, type Request } from '../domain/request.ts'
import type { Ground } from './ground.ts'
import { readable } from './history.ts'

/** More than anybody has open at once; the rest is in the channels. */
const most = 200

/**
 * The operations that are under way or wait for somebody, the longest waiting first. Each has a time at which it must
 * be looked at again, so the alarm clocks already are their index and nothing more has to be kept.
 */
export async function openRequests({ redis, keys, texts }: Ground): Promise<readonly Request[]> {
  const ids = await redis.zrange(keys.wake, '0', String(most - 1))
  const found = await Promise.all(ids.map((id) => readable(texts, id)))
  return found
    .filter((request) => request !== null)
    .filter(({ kind, status }) => kind === 'operation' && !isEnded(status))
    .toSorted((a, b) => a.receivedAt - b.receivedAt)
}
