import type { Redis } from 'ioredis'
import { type Check, checkOf } from '../../../core/model/query-answer.ts'
import { say, type Words } from '../../../core/model/words.ts'
import { asText } from '../../../core/words/render.ts'
import { whyRefused } from './calls.ts'
import { faultsOf, lossOf, rejectsLogin } from './connect.ts'
import type { Keys } from './keys.ts'

/** Checks Redis' writes, settings and clock (`skew`, ms), and looks for overdue requests. */
export async function storeChecks(redis: Redis, keys: Keys, skew: number, now: number): Promise<readonly Check[]> {
  const faults = await faultsOf(redis)
  const unwritable = await faultOfWriting(redis, keys)
  const late = await redis.zcount(keys.wake, '-inf', now - 60_000)
  const ms = Math.abs(skew)
  const apart = (fault: 'yes' | 'no') => say('clock.apart', { ms, fault })
  return [
    checkOf(
      say('check.storage'),
      unwritable === null ? null : say('storage.unwritable', { why: unwritable }),
      say('storage.writable'),
    ),
    checkOf(say('check.redis'), faults?.length ? faults : null, say(faults === null ? 'redis.hidden' : 'redis.well')),
    checkOf(say('check.clock'), ms < 1_000 ? null : apart('yes'), apart('no')),
    checkOf(say('check.requests'), late === 0 ? null : say('requests.late', { count: late }), say('requests.none')),
  ]
}

/** Tests a write, because a full or read-only Redis still answers reads. Returns null if it succeeds. */
export async function faultOfWriting(redis: Redis, keys: Keys): Promise<Words | null> {
  try {
    await redis.set(keys.doctor, 1, 'PX', 60_000)
    return null
  } catch (error) {
    return whyRefused(error)
  }
}

/** Only people can change a rejected login. */
function whyLost(redis: Redis): Words {
  const loss = lossOf(redis)
  return loss !== undefined && rejectsLogin.test(loss.message) ? whyRefused(loss) : 'Redis cannot be reached.'
}

/** Makes a probe that tests a write at most once a second. Null: Redis accepts writes. */
export function writeProbe(redis: Redis, keys: Keys): () => Promise<string | null> {
  let last: { readonly at: number; readonly fault: Promise<string | null> } | undefined
  return () => {
    const now = performance.now()
    if (last !== undefined && now - last.at < 1_000) return last.fault
    // A worker's connection would queue the write until Redis is back.
    const ask = redis.status === 'ready' ? faultOfWriting(redis, keys) : Promise.resolve(whyLost(redis))
    const fault = ask.then((why) => (why === null ? null : asText(why, 'en')))
    last = { at: now, fault }
    return fault
  }
}
