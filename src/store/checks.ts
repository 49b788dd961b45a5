import type { Redis } from 'ioredis'
import type { Check } from '../domain/explained.ts'
import type { Keys } from './keys.ts'
import { faultsOf } from './redis.ts'

/** What Redis promises, how far its clock is off (ms), and whether anything is left lying. */
export async function storeChecks(redis: Redis, keys: Keys, skew: number, now: number): Promise<readonly Check[]> {
  const faults = await faultsOf(redis)
  const unwritable = await faultOfWriting(redis, keys)
  const late = await redis.zcount(keys.wake, '-inf', now - 60_000)
  return [
    {
      name: 'Storage',
      well: unwritable === null,
      says: unwritable === null ? 'A key was written.' : `No key could be written: ${unwritable}`,
    },
    faults === null
      ? {
          name: 'Redis',
          well: true,
          says: 'It does not show its settings. Make sure it is append-only with maxmemory-policy noeviction.',
        }
      : {
          name: 'Redis',
          well: faults.length === 0,
          says: faults.length === 0 ? 'Append-only, evicts nothing.' : `${faults.join('; ')}.`,
        },
    {
      name: 'Clock',
      well: Math.abs(skew) < 1_000,
      says: `${Math.abs(skew)} ms from that of Redis.${Math.abs(skew) < 1_000 ? '' : ' Set both by NTP.'}`,
    },
    {
      name: 'Requests',
      well: late === 0,
      says:
        late === 0
          ? 'None is late.'
          : `${late} should have been looked at more than a minute ago. Are there enough workers?`,
    },
  ]
}

/** What is only asked for is answered by a Redis that is full or read-only, too. */
async function faultOfWriting(redis: Redis, keys: Keys): Promise<string | null> {
  try {
    await redis.set(keys.doctor, 1, 'PX', 60_000)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
