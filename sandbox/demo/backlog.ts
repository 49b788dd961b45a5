import { Redis } from 'ioredis'

/** What the demo's only project still has to do, as its requests in Redis tell. */
export interface Backlog {
  /** Whether a worker has a request in hand, or should have taken it up. False if Redis doesn't answer. */
  readonly isBusy: () => Promise<boolean>
  /** When workers take up the next request after `now`, as of the last `isBusy`; both ms since 1970. Infinity if not soon. */
  readonly next: (now: number) => number
  stop(): Promise<void>
}

/** Covers the pauses between two looks at a call, but no warning, ms. */
const soon = 20_000
/** How often workers look for requests that are due, ms. */
const sweepEvery = 5_000
const tag = '{lamplighter:default}'

export function createBacklog(url: string, clock: { now(): number }): Backlog {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, commandTimeout: 1_000 })
  redis.on('error', () => undefined)
  let first = Number.POSITIVE_INFINITY
  return {
    async isBusy() {
      first = Number.POSITIVE_INFINITY
      try {
        const found = await redis.zrangebyscore(`${tag}:wake`, '-inf', clock.now() + soon, 'WITHSCORES')
        const leases = found.flatMap((id, at) => (at % 2 === 0 ? [`${tag}:lease:${id}`] : []))
        if (leases.length === 0) return false
        first = Math.ceil(Number(found[1]) / sweepEvery) * sweepEvery
        return first <= clock.now() || (await redis.exists(leases)) > 0
      } catch {
        return false
      }
    },
    next: (now) => (first > now ? first : Number.POSITIVE_INFINITY),
    async stop() {
      redis.disconnect()
    },
  }
}
