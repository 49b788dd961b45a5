import { Redis } from 'ioredis'
import type { Log } from '../lifecycle/ports.ts'

/** Stands in the environment of its owner: host, port, password. */
type Url = string

/*
 * A connection can go deaf without an end: a router forgot it, a machine lost its power. TCP finds out in minutes, so
 * each side gives up a socket that owes an answer and says nothing for `socketTimeout`, ms, and makes another.
 */

/** For doors: fails within a second rather than hold a person up, and never keeps what it could not send. */
export function connectDoor(url: Url): Redis {
  return new Redis(url, {
    lazyConnect: true,
    commandTimeout: 1_000,
    connectTimeout: 2_000,
    socketTimeout: 3_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  })
}

/** For workers: waits for Redis to come back. BullMQ blocks on it, so it must have no time-out for commands. */
export function connectWorker(url: Url): Redis {
  return new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    keepAlive: 10_000,
    // Longer than BullMQ ever blocks.
    socketTimeout: 15_000,
    // A master that became a replica: connect again and send the command once more, not twice.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 1 : false),
  })
}

/** ms: a clock further off than this makes deadlines and signatures wrong. */
const mostSkew = 2_000

/** ms: an answer that took longer tells too little of when it was made. */
const shortTrip = 500

/** How often the clocks are compared, ms. */
const skewEvery = 60_000

/**
 * Redis' clock minus ours, in ms, measured now and every minute. Throws a sentence when they are too far apart at the
 * start; later that is logged, and the last good measure stands.
 */
export async function watchSkew(
  redis: Pick<Redis, 'time'>,
  log: Log,
): Promise<{ readonly ms: () => number; readonly stop: () => void }> {
  let skew = await skewOf(redis)
  const timer = setInterval(() => {
    skewOf(redis, skew).then(
      (measured) => {
        skew = measured
      },
      (err: unknown) => log.warn({ err }, 'the clocks could not be compared'),
    )
  }, skewEvery)
  return { ms: () => skew, stop: () => clearInterval(timer) }
}

/** An answer that was slow to come is off by half its way at most; what was measured before is better than that. */
async function skewOf(redis: Pick<Redis, 'time'>, before?: number): Promise<number> {
  const asked = Date.now()
  const [seconds, micros] = await redis.time()
  const trip = Date.now() - asked
  const skew = Number(seconds) * 1000 + Number(micros) / 1000 - (asked + trip / 2)
  if (trip > shortTrip && Math.abs(skew) - trip / 2 <= mostSkew) return before ?? Math.round(skew)
  if (Math.abs(skew) <= mostSkew) return Math.round(skew)
  const apart = (skew / 1000).toFixed(1)
  throw new Error(
    `The clocks of this machine and of Redis differ by ${apart} s; at most 2 s is safe. Set both by NTP and start again.`,
  )
}

/** What Redis must promise before anything is entrusted to it. Throws a sentence; warns where Redis will not say. */
export async function checkKeeps(redis: Redis, mayForget: boolean, log: Log): Promise<void> {
  const faults = await faultsOf(redis)
  if (faults === null) {
    log.warn(
      {},
      'Redis does not show its settings. Make sure that it is append-only, with maxmemory-policy noeviction.',
    )
    return
  }
  if (faults.length === 0) return
  const says = `Redis does not keep what it is given: ${faults.join('; ')}.`
  if (!mayForget) throw new Error(says)
  log.warn({}, says)
}

/** In what Redis' settings fall short, each with what to set; null where they are not shown. */
export async function faultsOf(redis: Redis): Promise<readonly string[] | null> {
  const settings = await settingsOf(redis)
  if (settings === null) return null
  return [
    settings.appendonly === 'yes' ? [] : ['it is not append-only, so a crash would lose requests: set appendonly yes'],
    settings.policy === 'noeviction'
      ? []
      : ['it may evict keys, so requests could vanish: set maxmemory-policy noeviction'],
  ].flat()
}

/** Null where CONFIG is forbidden, as with many hosted ones. */
async function settingsOf(redis: Redis): Promise<{ readonly appendonly: string; readonly policy: string } | null> {
  try {
    const [appendonly, policy] = await Promise.all([
      redis.config('GET', 'appendonly'),
      redis.config('GET', 'maxmemory-policy'),
    ])
    return { appendonly: settingIn(appendonly), policy: settingIn(policy) }
  } catch {
    return null
  }
}

function settingIn(pair: unknown): string {
  return Array.isArray(pair) ? String(pair[1]) : String(Object.values(pair ?? {})[0])
}
