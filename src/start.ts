import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { checkKeeps, rejectsLogin, watchSkew } from './adapters/redis/connection/connect.ts'
import { measureRoom } from './adapters/redis/connection/health.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { checkSigned } from './adapters/redis/integrity/records.ts'
import { signerFor } from './adapters/redis/integrity/sign.ts'
import { createClient, identify, slackLogger } from './adapters/slack/web/client.ts'
import type { Config } from './config/config.ts'
import type { Meter } from './core/ports/meter.ts'
import { type Log, Misconfigured } from './core/ports/services.ts'
import { inTime } from './core/requests/gateway.ts'

/** The pause between attempts doubles up to the longest. ms. */
const pause = { first: 250, longest: 10_000 } as const

/** Attempts that may reach a replica before it counts as a mistake: about a minute; a failover takes less. */
const replicaAttempts = 12

/** Makes Slack's client, and waits for Slack and Redis. Throws Misconfigured after disconnecting from Redis. */
export async function waitForServices(config: Config, redis: Redis, log: Log, meter: Meter) {
  const { slack, proxy } = config
  const web = { apiUrl: slack.apiUrl, logger: slackLogger(log), meter, proxy: proxy?.reveal() }
  const client = createClient(slack.botToken.reveal(), { ...web, timeoutMs: 10_000 })
  try {
    const [identity, skew] = await Promise.all([
      retryUntilReady('Slack', () => identify(client), log, meter),
      retryUntilReady('Redis', redisReady(config, redis, log), log, meter),
    ])
    const room = await measureRoom(redis)
    /** Waits for `closing`, for 2 s at most while Redis is unreachable, and disconnects from Redis. */
    async function end(closing: Promise<unknown>): Promise<void> {
      // BullMQ may wait forever for a lost connection.
      await (redis.status === 'ready' ? closing : inTime(closing, undefined, 2_000))
      skew.stop()
      room.stop()
      redis.disconnect()
    }
    return { web, client, identity, skew, room, end }
  } catch (error) {
    redis.disconnect()
    throw error
  }
}

/** Retries until it works, and logs each new reason once. Throws Misconfigured at once, because waiting won't help. */
export async function retryUntilReady<Result>(
  what: string,
  attempt: () => Promise<Result>,
  log: Pick<Log, 'warn'>,
  meter: Pick<Meter, 'awaited'>,
  rest: (ms: number) => Promise<unknown> = wait,
): Promise<Result> {
  let logged: string | undefined
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await attempt()
      meter.awaited(what, null)
      if (logged !== undefined) log.warn({ tries }, `${what} is available`)
      return result
    } catch (error) {
      if (error instanceof Misconfigured) throw error
      const why = error instanceof Error ? error.message : String(error)
      if (why !== logged) log.warn({ why }, `waiting for ${what}`)
      logged = why
      meter.awaited(what, why)
      await rest(Math.min(pause.longest, pause.first * 2 ** (tries - 1)))
    }
  }
}

/** `isTrial`: the key may still change, so nothing is signed with it, and lossy settings are reported elsewhere. */
type Keeping = Pick<Config, 'mayForget' | 'prefix' | 'key'> & {
  readonly isTrial?: true
  readonly projects: readonly { readonly name: string }[]
}

/** Makes an attempt to reach a master that keeps its data and was written with our key. It returns the clock skew. */
export function redisReady(config: Keeping, redis: Redis, log: Log) {
  let replicas = 0
  return async () => {
    await reach(redis)
    // Some servers do not answer INFO.
    const info = await redis.info('replication').catch(() => '')
    replicas = /^role:slave/m.test(info) ? replicas + 1 : 0
    if (replicas > 0) {
      const says = 'REDIS_URL leads to a replica, which takes no writes. Write the address of the master.'
      if (replicas > replicaAttempts) throw new Misconfigured(says)
      // The next connection may reach the new master.
      redis.disconnect(true)
      throw new Error(says)
    }
    await checkKeeps(redis, config.mayForget || config.isTrial === true, log)
    for (const { name } of config.projects) {
      const tag = tagOf(config.prefix, name)
      if (config.isTrial && (await redis.exists(keysOf(tag).root)) === 0) continue
      const isOurs = await checkSigned(redis, keysOf(tag), signerFor(config, tag))
      if (!isOurs) throw new Misconfigured(otherKey(name, config.key !== undefined))
    }
    return watchSkew(redis, log)
  }
}

/** Resolves when commands can be sent. Throws an error that says why they can't, and what to do about it. */
export async function reach(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  // With Sentinels `connect` never fails: ioredis emits the errors and tries again by itself.
  const ready = once(redis, 'ready', { signal: AbortSignal.timeout(pause.longest) })
  const isIdle = redis.status === 'wait' || redis.status === 'end'
  try {
    await Promise.race([ready, ...(isIdle ? [redis.connect()] : [])])
  } catch (error) {
    const says = messageOf(error)
    const [, sentence] = mistakes.find(([known]) => known.test(says)) ?? []
    if (sentence !== undefined) throw new Misconfigured(sentence(says))
    throw new Error(
      `Redis cannot be reached (${says}). Check that it runs, and REDIS_URL: rediss:// if it expects TLS, redis:// if not.`,
    )
  }
}

/** Returns the message of a cluster's last node: the cluster's own only says that no node answered. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError') return 'no answer'
  const { message } = 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error
  // The pause grows, and each new reason is logged.
  return message.replace(/ Retrying from scratch after \d+ms\./, '')
}

/** Errors that waiting can't fix. */
const mistakes: readonly (readonly [known: RegExp, sentence: (says: string) => string])[] = [
  [
    /^NOAUTH\b/,
    () => 'Redis refuses us (NOAUTH: it asks for a password). Write it into REDIS_URL: redis://:password@host:6379.',
  ],
  [
    /^All sentinels .*: (NOAUTH|WRONGPASS|NOPERM)\b/,
    () => 'The Sentinels reject our login. Check sentinel_password in REDIS_URL: …:26379/mymaster?sentinel_password=….',
  ],
  [rejectsLogin, (says) => `Redis refuses us (${says}). Check user and password in REDIS_URL.`],
  [
    /DB index is out of range/i,
    () => 'REDIS_URL names a database that this Redis does not have. Write a lower number at its end, or nothing.',
  ],
  [
    /RESP type|protocol error/i,
    () =>
      'What answers at REDIS_URL is not Redis, or expects TLS. Check host and port, and write rediss:// if it expects TLS.',
  ],
  [
    /cluster support disabled/i,
    () => 'This Redis is not a cluster: write redis:// instead of redis+cluster:// in REDIS_URL.',
  ],
  [
    /unknown command \W?sentinel\b/i,
    () =>
      'This Redis is not a Sentinel: write redis:// instead of redis+sentinel:// in REDIS_URL, or the address of a Sentinel.',
  ],
]

/** For a person who starts a process or a command with a key that Redis does not know. */
export function otherKey(project: string, isSet: boolean): string {
  const stored = `What Redis holds of project ${project} was signed with`
  return isSet
    ? `${stored} another LAMPLIGHTER_KEY. Write the key that the other processes have; to change keys write new,old, and new,none where there was none before. If none was changed, somebody else has written to Redis. To begin anew, write another LAMPLIGHTER_PREFIX.`
    : `${stored} a LAMPLIGHTER_KEY, and none is set. Write the one that the other processes have. To begin anew, write another LAMPLIGHTER_PREFIX.`
}
