import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Redis } from 'ioredis'
import { checkKeeps, watchSkew } from './adapters/redis/connection/connect.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { measureRoom, type Room } from './adapters/redis/connection/memory.ts'
import { checkSigned } from './adapters/redis/integrity/root.ts'
import { signerFor } from './adapters/redis/integrity/sign.ts'
import { type Identity, identify } from './adapters/slack/web/client.ts'
import type { Config } from './config/config.ts'
import { type Log, Misconfigured } from './core/ports/services.ts'

/** ms: the first pause; each is twice as long as the one before, up to the longest. */
const pause = { first: 250, longest: 10_000 } as const

/** A failover is over within a minute. So often in a row a read-only replica is met by then. */
const mostReplicas = 12

/** What a process stands on. */
interface Standing {
  readonly identity: Identity
  readonly skew: Awaited<ReturnType<typeof watchSkew>>
  readonly room: Room
}

/**
 * Waits until Slack and Redis are there, and looks whether they are what the configuration needs them to be. Throws
 * Misconfigured, having let go of Redis.
 */
export async function standOn(config: Config, redis: Redis, client: WebClient, log: Log): Promise<Standing> {
  try {
    const [identity, skew] = await Promise.all([
      patiently('Slack', () => identify(client), log),
      patiently('Redis', redisReady(config, redis, log), log),
    ])
    return { identity, skew, room: await measureRoom(redis) }
  } catch (error) {
    redis.disconnect()
    throw error
  }
}

/** Tries until it works. Says once for each reason what is waited for. Throws Misconfigured: waiting would not help. */
export async function patiently<Result>(
  what: string,
  attempt: () => Promise<Result>,
  log: Pick<Log, 'info' | 'warn'>,
  rest: (ms: number) => Promise<unknown> = wait,
): Promise<Result> {
  let told: string | undefined
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await attempt()
      if (told !== undefined) log.info({ tries }, `${what} is there`)
      return result
    } catch (error) {
      if (error instanceof Misconfigured) throw error
      const why = error instanceof Error ? error.message : String(error)
      if (why !== told) log.warn({ why }, `${what} is awaited, with growing pauses`)
      told = why
      await rest(Math.min(pause.longest, pause.first * 2 ** (tries - 1)))
    }
  }
}

/** One attempt after the other to find a Redis that can be worked with; how far its clock is off. */
export function redisReady(config: Config, redis: Redis, log: Log): () => Promise<Standing['skew']> {
  let replicas = 0
  return async () => {
    await reach(redis)
    replicas = (await isReplica(redis)) ? replicas + 1 : 0
    if (replicas > 0) {
      const says = 'REDIS_URL leads to a replica, which takes no writes. Write the address of the master.'
      if (replicas > mostReplicas) throw new Misconfigured(says)
      // Another connection may lead to the new master.
      redis.disconnect(true)
      throw new Error(says)
    }
    await checkKeeps(redis, config.mayForget, log)
    for (const { name } of config.projects) {
      const tag = tagOf(config.prefix, name)
      const isOurs = await checkSigned(redis, keysOf(tag), signerFor(config, tag))
      if (!isOurs) throw new Misconfigured(otherKey(name, config.key !== undefined))
    }
    return watchSkew(redis, log)
  }
}

/** Resolves when commands can be sent. Throws why not, in the words of the connection. */
async function reach(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  // A connection that asks Sentinels tells its errors and goes on trying by itself: its `connect` never fails.
  const ready = once(redis, 'ready', { signal: AbortSignal.timeout(pause.longest) })
  const isIdle = redis.status === 'wait' || redis.status === 'end'
  try {
    await Promise.race([ready, ...(isIdle ? [redis.connect()] : [])])
  } catch (error) {
    const says = wordsOf(error)
    const mistake = mistakes.find(({ known }) => known.test(says))
    throw mistake === undefined
      ? new Error(`Redis cannot be reached (${says}).`)
      : new Misconfigured(mistake.sentence(says))
  }
}

/** Of a cluster in the words of its last node: its own say only that no node could be asked. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError.message : error.message
}

/** Waiting betters none of these. */
const mistakes: readonly { readonly known: RegExp; readonly sentence: (says: string) => string }[] = [
  {
    known: /^(WRONGPASS|NOAUTH|NOPERM)\b/,
    sentence: (says) => `Redis refuses us (${says}). Check user and password in REDIS_URL.`,
  },
  {
    known: /cluster support disabled/i,
    sentence: () => 'This Redis is not a cluster: write redis:// instead of redis+cluster:// in REDIS_URL.',
  },
  {
    known: /unknown command \W?sentinel\b/i,
    sentence: () =>
      'This Redis is not a Sentinel: write redis:// instead of redis+sentinel:// in REDIS_URL, or the address of a Sentinel.',
  },
]

/** False where Redis does not say. */
async function isReplica(redis: Redis): Promise<boolean> {
  const says = await redis.info('replication').catch(() => '')
  return /^role:slave/m.test(says)
}

function otherKey(project: string, isSet: boolean): string {
  const stored = `What Redis holds of project ${project} was signed with`
  return isSet
    ? `${stored} another LAMPLIGHTER_KEY. Write the key that the other processes have; to change keys write new,old, and new,none where there was none before. If none was changed, somebody else has written to Redis. To begin anew, write another LAMPLIGHTER_PREFIX.`
    : `${stored} a LAMPLIGHTER_KEY, and none is set. Write the one that the other processes have. To begin anew, write another LAMPLIGHTER_PREFIX.`
}
