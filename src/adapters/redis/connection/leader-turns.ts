import type { Redis } from 'ioredis'
import type { Reports } from '../../../core/ports/request-store.ts'
import type { Keys } from './keys.ts'

/** How long each turn lasts: a little less than the time between two, so that it is over when the next is due. ms. */
const lives = { names: 55_000, anchored: 3_540_000, prices: 21_540_000, strangers: 55_000, audit: 86_340_000 } as const

/** Whether this one of a project's workers has the turn now to list, announce, read, count or inspect what lies there. */
export async function takeTurn(redis: Redis, keys: Keys, of: keyof typeof lives): Promise<boolean> {
  return (await redis.set(turnOf(keys[of]), 1, 'PX', lives[of], 'NX')) === 'OK'
}

/** Lets whoever looks next list the endpoints, whoever has had the turn. */
export async function giveBackTurnToList(redis: Redis, { names }: Keys): Promise<void> {
  await redis.del(turnOf(names))
}

function turnOf(key: string): string {
  return `${key}:turn`
}

/** When the whole audit was last found well. Unsigned, since only metrics show it. */
export function verifiedIn(redis: Redis, { audit }: Keys) {
  const key = `${audit}:verified`
  return {
    at: async () => Number(await redis.get(key)) || null,
    note: async (at: number) => void (await redis.set(key, at)),
  }
}

/** The report that was told last. Unsigned: whoever writes here can have one told twice, or not at all. */
export function reportsIn(redis: Redis, { past }: Keys): Reports {
  const key = `${past}:reported`
  return { newest: () => redis.get(key), note: async (monday) => void (await redis.set(key, monday)) }
}
