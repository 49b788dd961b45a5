import type { Redis } from 'ioredis'
import type { Reports } from '../../../core/ports/request-store.ts'
import type { Keys } from './keys.ts'

/** A little shorter than the time between two turns, so that each has run out when the next is due. ms. */
const life = { list: 55_000, anchor: 3_540_000, prices: 21_540_000, strangers: 55_000, inspect: 86_340_000 } as const

/** Among all workers of a project one at a time has the turn to list its endpoints. */
export function turnToList(redis: Redis, keys: Pick<Keys, 'names'>): Promise<boolean> {
  return turn(redis, keys.names, life.list)
}

/** Lets whoever looks next list them, whoever has had the turn. */
export async function giveBackTurnToList(redis: Redis, keys: Pick<Keys, 'names'>): Promise<void> {
  await redis.del(turnOf(keys.names))
}

/** The same for telling how far its audit has come. */
export function turnToAnchor(redis: Redis, keys: Pick<Keys, 'anchored'>): Promise<boolean> {
  return turn(redis, keys.anchored, life.anchor)
}

/** The same for looking the whole of it through, once a day. */
export function turnToInspect(redis: Redis, { audit }: Pick<Keys, 'audit'>): Promise<boolean> {
  return turn(redis, audit, life.inspect)
}

/** The same for reading what things cost, every six hours. */
export function turnToPrice(redis: Redis, { prices }: Pick<Keys, 'prices'>): Promise<boolean> {
  return turn(redis, prices, life.prices)
}

/** The same for counting what people without any role have sent. */
export function turnToCount(redis: Redis, { strangers }: Pick<Keys, 'strangers'>): Promise<boolean> {
  return turn(redis, strangers, life.strangers)
}

/** The report that was told last. Unsigned: whoever writes here can have one told twice, or not at all. */
export function reportsIn(redis: Redis, { past }: Pick<Keys, 'past'>): Reports {
  const key = `${past}:reported`
  return { newest: () => redis.get(key), note: async (monday) => void (await redis.set(key, monday)) }
}

async function turn(redis: Redis, key: string, ms: number): Promise<boolean> {
  return (await redis.set(turnOf(key), 1, 'PX', ms, 'NX')) === 'OK'
}

function turnOf(key: string): string {
  return `${key}:turn`
}
