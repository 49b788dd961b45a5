import { startDebian } from './debian.ts'
import { useGiven } from './given.ts'
import { startInProcess } from './in-process.ts'
import type { RedisOptions, RungKind, RunningRedis } from './rung.ts'
import { startSystem } from './system.ts'

const rungs: readonly (readonly [RungKind, (options: RedisOptions) => Promise<RunningRedis>])[] = [
  ['system', startSystem],
  ['debian', startDebian],
  ['in-process', startInProcess],
]

/**
 * Starts a Redis for the demo and the tests, with the first of these that works: REDIS_URL, a server on PATH, Debian's
 * package unpacked into the project's cache, a JavaScript one inside this process.
 *
 * A REDIS_URL that does not answer is an error: a person who names a Redis means that one. Throws with one sentence for
 * each rung it tried.
 */
export async function startRedis(options: RedisOptions = {}): Promise<RunningRedis> {
  const given = options.url ?? process.env['REDIS_URL']
  if (options.rung === 'given' || (given && !options.rung && !options.own)) return useGiven(given)
  const reasons: string[] = []
  for (const [kind, start] of rungs) {
    if (options.rung && options.rung !== kind) continue
    try {
      const redis = await start(options)
      return reasons.length === 0 ? redis : { ...redis, note: `${redis.note} (${reasons.join('; ')})` }
    } catch (error) {
      reasons.push(`${kind}: ${sentence(error)}`)
    }
  }
  throw new Error(`No Redis could be started (${reasons.join('; ')}). Start one yourself and set REDIS_URL.`)
}

function sentence(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
