import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { type Check, checkOf } from '../../../core/model/query-answer.ts'
import { say } from '../../../core/model/words.ts'
import { sparingly } from '../../../core/ports/meter.ts'
import type { Reports } from '../../../core/ports/request-store.ts'
import type { Services } from '../../../core/ports/services.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import type { Keys } from './keys.ts'

/** How long each turn lasts, ms: a little less than the time between two, so that it ends before the next is due. */
const lives = { names: 4_500, anchored: 3_540_000, prices: 21_540_000, strangers: 55_000, audit: 86_340_000 } as const

/** A project's turn at a task. `take` returns false if another of its workers has it. */
export function turnAt(redis: Redis, keys: Keys, of: keyof typeof lives) {
  const turn = `${keys[of]}:turn`
  return {
    take: async () => (await redis.set(turn, 1, 'PX', lives[of], 'NX')) === 'OK',
    giveBack: async () => void (await redis.del(turn)),
  }
}

/** Whether this differs from what any process has said last of `what`: all workers read the same policy file. */
export async function isNews(redis: Redis, prefix: string, what: string, says: unknown): Promise<boolean> {
  const told = createHash('sha256').update(JSON.stringify(says)).digest('base64url')
  return (await redis.set(`${prefix}:${what}:told`, told, 'PX', dayMs, 'GET')) !== told
}

/** Remembers when the whole audit was last verified. Unsigned, because only metrics show it. */
export function verifiedIn(redis: Redis, { audit }: Keys) {
  const key = `${audit}:verified`
  return {
    at: async () => Number(await redis.get(key)) || null,
    note: async (at: number) => void (await redis.set(key, at)),
  }
}

/** Remembers which report was posted last. Unsigned: a forged value can only repeat or skip a report. */
export function reportsIn(redis: Redis, { past }: Keys): Reports {
  const key = `${past}:reported`
  return { newest: () => redis.get(key), note: async (monday) => void (await redis.set(key, monday)) }
}

/** Rules that have not been checked for this long are late. ms. */
const patience = 180_000
/** Late rules are announced at most once in this time. ms. */
const quiet = dayMs

/** Remembers when the rules were last checked, for all workers and by the clock of Redis. */
export function createTickMark(redis: Redis, { reconcileStates }: Keys) {
  const [at, told] = [`${reconcileStates}:ticked`, `${reconcileStates}:late`]
  return {
    /** `took`: how long the check has taken, ms. */
    note: async (took = 0) => void (await redis.set(at, 1, 'PX', Math.max(1, patience - Math.ceil(took)))),
    /** Returns how long ago the check began, ms, or null if it is longer than it should be. */
    ago: async (): Promise<number | null> => {
      const left = await redis.pttl(at)
      return left < 0 ? null : Math.max(0, patience - left)
    },
    /** Whether this process is the one to announce that the rules are late. */
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

/** The pause before another try if another worker has the turn or the platform does not answer, ms. */
const pause = 5_000

/**
 * Decides when this worker checks the rules: when it is told to, and once in each full minute unless another worker has,
 * because windows begin and end on full minutes. Announces once that the rules are late if nobody has checked them for
 * three minutes. `look` returns whether it could check them.
 */
export function createRuleClock(
  { announce, clock, log, project }: Pick<Services, 'announce' | 'clock' | 'log' | 'project'>,
  ticked: ReturnType<typeof createTickMark>,
  look: () => Promise<boolean>,
) {
  const warn = sparingly(log)
  const begun = clock.monotonic()
  const never = Number.NEGATIVE_INFINITY
  /** When the last check began, even if Redis has forgotten it; since when one is wanted; and the last try. */
  let [last, wanted, tried] = [never, begun, never]

  /** Checks the rules if nobody has since the minute began. Called every second. */
  async function checkIfDue(): Promise<void> {
    const now = clock.monotonic()
    const since = Math.max(wanted, now - (clock.now() % 60_000))
    if (last >= since || (tried >= since && now - tried < pause)) return
    const ago = await ticked.ago()
    if (ago !== null) last = Math.max(last, now - ago)
    if (last >= since) return
    tried = now
    if (now - Math.max(last, begun) >= patience) {
      warn('late', { project }, 'schedules have not been checked for three minutes')
      if (await ticked.mayTell()) void announce([say('tick.late')])
    }
    if (await look()) last = now
  }

  return {
    checkIfDue,
    async checkNow(): Promise<void> {
      wanted = clock.monotonic()
      await checkIfDue()
    },
  }
}
