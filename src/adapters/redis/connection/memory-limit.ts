import type { Redis } from 'ioredis'
import { type Check, checkOf } from '../../../core/model/query-answer.ts'
import { say } from '../../../core/model/words.ts'
import type { Services } from '../../../core/ports/services.ts'
import { mastersOf } from './connect.ts'
import type { Keys } from './keys.ts'

/** How often a process measures memory, and decides whether to warn people, ms. */
export const roomEvery = 15_000

/** Shares of maxmemory at which people are warned, the warning ends, and queries are refused. */
const shares = { near: 0.7, over: 0.6, crowded: 0.85 } as const

const remedy = say('room.remedy')

/** How long a process may take to warn people, ms. */
const telling = 600_000

export type MemoryUse = Awaited<ReturnType<typeof measureRoom>>

/** Measures how full Redis is, now and every 15 s, one measurement at a time. Never throws. */
export async function measureRoom(redis: Redis) {
  let share = await shareOf(redis)
  let asking = false
  async function measure(): Promise<void> {
    if (asking) return
    asking = true
    share = await shareOf(redis)
    asking = false
  }
  const timer = setInterval(() => void measure(), roomEvery)
  return { share: () => share, stop: () => clearInterval(timer) }
}

/** Returns the share of maxmemory in use, 0 to 1, on the fullest server; null if no server reports a maxmemory. */
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

/** Whether queries are refused. `share`: of maxmemory in use, 0 to 1; null: unknown. */
export function isCrowded(share: number | null): boolean {
  return share !== null && share >= shares.crowded
}

/** Warns people once when Redis is nearly full, and says once when it has room. The mark of who warns is unsigned. */
export async function watchRoom(
  { announce, project, log }: Pick<Services, 'announce' | 'project' | 'log'>,
  share: number | null,
  redis: Redis,
  { doctor }: Keys,
): Promise<void> {
  if (share === null) return
  const mark = `${doctor}:full`
  if (share >= shares.near) {
    if ((await redis.set(mark, 1, 'PX', telling, 'NX')) !== 'OK') return
    log.warn({ project, share }, 'Redis is nearly full')
    await announce([say('room.nearlyFull', { share, remedy })])
    await redis.persist(mark)
  } else if (share < shares.over && (await redis.del(mark)) === 1) await announce([say('room.again', { share })])
}

export async function roomCheck(redis: Redis): Promise<Check> {
  const share = await shareOf(redis)
  if (share === null) return checkOf(say('check.memory'), null, say('room.unknown'))
  const use = say('room.use', { share })
  return checkOf(say('check.memory'), share < shares.near ? null : [use, remedy], use)
}
