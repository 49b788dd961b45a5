import type { Redis } from 'ioredis'
import { type Check, checkOf } from '../../../core/model/answer.ts'
import { say } from '../../../core/model/words.ts'
import type { Reports } from '../../../core/ports/request-store.ts'
import type { Services } from '../../../core/ports/services.ts'
import { dayMs } from '../../../core/time/calendar.ts'
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

/** The queue rings each minute; this leaves it time for the look. ms. */
const due = 70_000
/** Rules that have not been looked through for so long are late. ms. */
const patience = 180_000
/** That they are late is announced once in this time. ms. */
const quiet = dayMs

/** When the rules were last looked through, as all workers know it, by the clock of Redis. */
export function createTickMark(redis: Redis, { reconcileStates }: Keys) {
  const [at, told] = [`${reconcileStates}:ticked`, `${reconcileStates}:late`]
  return {
    note: async () => void (await redis.set(at, 1, 'PX', patience)),
    /** How long ago that was, ms; null: longer than it should be. */
    async ago(): Promise<number | null> {
      const left = await redis.pttl(at)
      return left < 0 ? null : Math.max(0, patience - left)
    },
    /** Whether this process is the one to announce that they are late. */
    mayTell: async () => (await redis.set(told, 1, 'PX', quiet, 'NX')) === 'OK',
  }
}

export function tickedCheck(ago: number | null): Check {
  return checkOf(
    say('check.rules'),
    ago === null ? say('rules.late') : null,
    say('rules.checked', { ago: { lasting: ago ?? 0 } }),
  )
}

/**
 * Looks the rules through when the queue has not rung, and makes it ring again. People are told once when nobody has
 * looked through them for three minutes. To be called every few seconds in each worker, outside the queue.
 */
export function watchdog(
  services: Pick<Services, 'announce' | 'clock' | 'log' | 'project'>,
  ticked: ReturnType<typeof createTickMark>,
  look: () => Promise<unknown>,
  mend: () => Promise<unknown>,
): () => Promise<void> {
  // Right after a start nobody may have had the time.
  const begun = services.clock.monotonic()
  /** When they were last looked through, also where storage has forgotten it, and when this process last tried. */
  let [last, tried] = [begun, begun]
  return async () => {
    const [now, ago] = [services.clock.monotonic(), await ticked.ago()]
    if (ago !== null) last = Math.max(last, now - ago)
    if (now - Math.max(last, tried) < due) return
    tried = now
    if (now - last >= patience) {
      services.log.warn({ project: services.project }, 'schedules have not been checked for three minutes')
      if (await ticked.mayTell()) void services.announce([say('tick.late')])
    }
    try {
      await look()
    } finally {
      await mend()
    }
  }
}
