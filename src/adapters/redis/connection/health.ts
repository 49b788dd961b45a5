import type { Redis } from 'ioredis'
import { type Check, checkOf } from '../../../core/model/query-answer.ts'
import { say, type Words } from '../../../core/model/words.ts'
import type { Services } from '../../../core/ports/services.ts'
import { asText } from '../../../core/words/render.ts'
import { whyRefused } from './calls.ts'
import { faultsOf, lossOf, mastersOf, rejectsLogin } from './connect.ts'
import type { Keys } from './keys.ts'

/** Checks Redis' writes, settings, clock (`skew`, ms) and memory, and looks for overdue requests. */
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
    checkOf(say('check.redis'), faults, say(faults === null ? 'redis.hidden' : 'redis.well')),
    checkOf(say('check.clock'), ms < 1_000 ? null : apart('yes'), apart('no')),
    checkOf(say('check.requests'), late === 0 ? null : say('requests.late', { count: late }), say('requests.none')),
    await roomCheck(redis),
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
  return {
    share: () => share,
    /** Whether queries are refused. */
    isCrowded: () => share !== null && share >= shares.crowded,
    stop: () => clearInterval(timer),
  }
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
