import { Redis } from 'ioredis'

/** Stands in the environment of its owner: host, port, password. */
type Url = string

/** For doors: fails within a second rather than hold a person up, and never keeps what it could not send. */
export function connectDoor(url: Url): Redis {
  return new Redis(url, {
    lazyConnect: true,
    commandTimeout: 1_000,
    connectTimeout: 2_000,
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
    // A master that became a replica: connect again and send the command once more, not twice.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 1 : false),
  })
}

/** ms: a clock further off than this makes deadlines and signatures wrong. */
const mostSkew = 2_000

/** Redis' clock minus ours, ms. Throws a sentence when they are too far apart. */
export async function skewOf(redis: Redis): Promise<number> {
  const asked = Date.now()
  const [seconds, micros] = await redis.time()
  const skew = Number(seconds) * 1000 + Number(micros) / 1000 - (asked + Date.now()) / 2
  if (Math.abs(skew) > mostSkew) {
    throw new Error(
      `This machine's clock and Redis' differ by ${(skew / 1000).toFixed(1)} s; at most 2 s is safe. Set both by NTP and start again.`,
    )
  }
  return skew
}

/** What Redis must promise before anything is entrusted to it; a warning where it will not say. */
export async function checkKeeps(redis: Redis): Promise<{ readonly wrong?: string; readonly warning?: string }> {
  let settings: Record<string, string>
  try {
    settings = { ...(await configOf(redis, 'appendonly')), ...(await configOf(redis, 'maxmemory-policy')) }
  } catch {
    return {
      warning:
        'Redis does not show its settings (CONFIG is forbidden). Make sure that it is append-only with maxmemory-policy noeviction.',
    }
  }
  const wrong = [
    settings['appendonly'] !== 'yes' && 'it is not append-only, so a crash would lose requests: set appendonly yes',
    settings['maxmemory-policy'] !== 'noeviction' &&
      'it may evict keys, so requests could vanish: set maxmemory-policy noeviction',
  ].filter((mistake) => mistake !== false)
  return wrong.length === 0 ? {} : { wrong: `Redis does not keep what it is given: ${wrong.join('; ')}.` }
}

async function configOf(redis: Redis, name: string): Promise<Record<string, string>> {
  const pairs = (await redis.config('GET', name)) as string[] | Record<string, string>
  return Array.isArray(pairs) ? { [name]: pairs[1] ?? '' } : pairs
}
