import type { TestProject } from 'vitest/node'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import { type RungKind, rungKinds } from '../../sandbox/redis/rung.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `redis://…` of the one Redis of this run. Tests keep apart by random prefixes. */
    redisUrl: string
    redisKind: RungKind
    /** When this run began, ms. What was built since then is of today's sources. */
    begun: number
  }
}

/** One Redis for the whole run. `REDIS_RUNG=in-process npm test` runs everything on that rung. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const rung = rungKinds.find((kind) => kind === process.env['REDIS_RUNG'])
  // Nothing kills this one, so nothing is learnt by waiting for its disk; tests that kill a Redis start one of their own.
  const settings = { appendfsync: 'no' }
  const redis = await startRedis(rung ? { rung, settings } : { settings })
  process.stderr.write(`Redis for this run: ${redis.note}\n`)
  project.provide('redisUrl', redis.url)
  project.provide('redisKind', redis.kind)
  project.provide('begun', Date.now())
  return redis.stop
}
