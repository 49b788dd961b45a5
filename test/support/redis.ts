import { Redis } from 'ioredis'
import type { TestProject } from 'vitest/node'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import { type RungKind, rungKinds } from '../../sandbox/redis/rung.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `redis://…` of this run's only Redis. Tests separate their data by random prefixes. */
    redisUrl: string
    redisKind: RungKind
    /** When this run began, ms. Any later build is up to date. */
    begun: number
  }
}

/** Starts one Redis for the whole run. `REDIS_RUNG=in-process npm test` selects the Redis inside the process. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const rung = rungKinds.find((kind) => kind === process.env['REDIS_RUNG'])
  // No test kills this Redis, so waiting for its disk proves nothing; tests that kill a Redis start their own.
  const redis = await startRedis({ unsynced: true, ...(rung && { rung }) })
  if (redis.kind === 'in-process') await claimToKeep(redis.url)
  process.stderr.write(`Redis for this run: ${redis.note}\n`)
  project.provide('redisUrl', redis.url)
  project.provide('redisKind', redis.kind)
  project.provide('begun', Date.now())
  return redis.stop
}

/** Shows the settings that the product asks for, as the other Redis do. The one inside the process keeps nothing. */
async function claimToKeep(url: string): Promise<void> {
  const redis = new Redis(url)
  await redis.config('SET', 'appendonly', 'yes')
  redis.disconnect()
}
