import type { Redis } from 'ioredis'
import type { Check } from '../../../core/model/answer.ts'
import { type Alarm, isNearlyFull, percent, roomRemedy } from '../../../lifecycle/redis-memory.ts'
import { mastersOf } from './connect.ts'
import type { Keys } from './keys.ts'

/** How often a process measures, ms. */
const every = 15_000

/** Who has begun to tell people is given this long to do so. ms. */
const telling = 600_000

/** How full Redis is, as last measured. */
export interface MemoryUse {
  /** Of its maxmemory, 0 to 1; null: unknown. */
  readonly share: () => number | null
  readonly stop: () => void
}

/** Measures now and every 15 s, one question at a time. Never throws. */
export async function measureRoom(redis: Redis): Promise<MemoryUse> {
  let share = await shareOf(redis)
  let asking = false
  async function measure(): Promise<void> {
    if (asking) return
    asking = true
    share = await shareOf(redis)
    asking = false
  }
  const timer = setInterval(() => void measure(), every)
  return { share: () => share, stop: () => clearInterval(timer) }
}

/** The share of maxmemory in use, 0 to 1, of the fullest server; null where none has a maxmemory or tells it. */
async function shareOf(redis: Redis): Promise<number | null> {
  const told = await Promise.all(mastersOf(redis).map((one) => one.info('memory').catch(() => '')))
  const shares = told.flatMap((text) => {
    const [used, most] = [numberIn(text, 'used_memory'), numberIn(text, 'maxmemory')]
    return most > 0 ? [used / most] : []
  })
  return shares.length === 0 ? null : Math.max(...shares)
}

function numberIn(text: string, field: string): number {
  return Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

/** Unsigned: whoever writes here can have it told twice, or not at all. */
export function alarmIn(redis: Redis, { doctor }: Pick<Keys, 'doctor'>): Alarm {
  const key = `${doctor}:full`
  return {
    raise: async () => (await redis.set(key, 1, 'PX', telling, 'NX')) === 'OK',
    lasts: () => redis.persist(key),
    end: async () => (await redis.del(key)) === 1,
  }
}

export async function roomCheck(redis: Redis): Promise<Check> {
  const share = await shareOf(redis)
  const name = 'Memory'
  if (share === null) return { name, well: true, says: 'Redis has no maxmemory, or does not show it.' }
  const well = !isNearlyFull(share)
  return { name, well, says: `${percent(share)} of maxmemory is in use.${well ? '' : ` ${roomRemedy}`}` }
}
