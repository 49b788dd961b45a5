import { Cluster, type ClusterOptions, Redis, type RedisOptions, SentinelConnector } from 'ioredis'
import { type Sentence, say } from '../../../core/model/words.ts'
import { sparingly, type WarnSparingly } from '../../../core/ports/meter.ts'
import { type Log, Misconfigured } from '../../../core/ports/services.ts'
import { type RedisAddress, redisAddress } from '../../../core/text/redis-address.ts'
import { asText } from '../../../core/words/render.ts'

/*
 * A connection can die silently: a router forgot it, or a machine lost power. TCP notices after minutes, so each side
 * drops a socket that owes an answer and is silent for `socketTimeout`, ms, and opens another.
 */

/** Errors of a server that is not, or not yet, the master. Another server may be behind the same address by now. */
export const changesRoles = /\b(READONLY|MOVED|CLUSTERDOWN|LOADING|MASTERDOWN)\b/

/** Redis rejects our user or password. */
export const rejectsLogin = /^(WRONGPASS|NOAUTH|NOPERM)\b/

/** Why connections are lost, while they are. */
const lostBy = new WeakMap<Redis, Error>()

/** Returns the last error of a connection that is not ready. */
export function lossOf(redis: Redis): Error | undefined {
  return lostBy.get(redis)
}

/** How a connection behaves with any kind of address. */
interface Manner extends Pick<RedisOptions, 'commandTimeout' | 'connectTimeout' | 'socketTimeout' | 'keepAlive'> {
  readonly maxRetriesPerRequest: number | null
  readonly enableOfflineQueue: boolean
}

/** Connects a door, which fails within a second rather than keep a person waiting, and never queues commands. */
export function connectDoor(url: string, log: Pick<Log, 'warn'>, patience = 1): Redis {
  const manner = {
    commandTimeout: 1_000 * patience,
    connectTimeout: 2_000,
    socketTimeout: 3_000 * patience,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  }
  return connected(url, log, manner, { maxRedirections: 8, retryDelayOnClusterDown: 0 })
}

/** Connects a worker, which waits until Redis is back. BullMQ blocks on it, so its commands must not time out. */
export function connectWorker(url: string, log: Pick<Log, 'warn'>): Redis {
  const manner = {
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
    keepAlive: 10_000,
    // Longer than BullMQ ever blocks.
    socketTimeout: 15_000,
  }
  // At 100 ms each, this is as long as a cluster takes to elect another master.
  return connected(url, log, manner, { maxRedirections: 300, retryDelayOnMoved: 100 })
}

function connected(url: string, log: Pick<Log, 'warn'>, manner: Manner, following: ClusterOptions): Redis {
  const warn = sparingly(log)
  const address = redisAddress(url)
  const redis = address.kind === 'cluster' ? clusterAt(address, manner, following) : serverAt(address, manner, warn)
  // Until the first connection, the start itself reports what it waits for.
  let wasReady = false
  redis.on('ready', () => {
    warn.over('lost', {}, 'Redis can be reached again')
    wasReady = true
    lostBy.delete(redis)
  })
  for (const event of ['error', 'node error'])
    redis.on(event, (error: NodeJS.ErrnoException) => {
      const { code, name, message: why } = error
      // A cluster goes on without one of its nodes, and doesn't say when that one is back.
      if (event === 'node error' && redis.status === 'ready')
        return warn('node', { why }, 'A node of the Redis cluster cannot be reached, or refuses us')
      lostBy.set(redis, error)
      if (!wasReady) return
      if (rejectsLogin.test(why)) warn('lost login', { why }, 'Redis rejects us: check user and password in REDIS_URL')
      else warn(`lost ${code ?? name}`, { why }, 'Redis cannot be reached')
    })
  return redis
}

function serverAt({ kind, hosts, tls, master, ...logins }: RedisAddress, manner: Manner, warn: WarnSparingly): Redis {
  const place =
    kind === 'one'
      ? hosts[0]
      : {
          sentinels: [...hosts],
          ...(master !== undefined && { name: master }),
          ...(tls && { enableTLSForSentinelMode: true }),
          // The Sentinels report a new master, even if connections to the old one stay open.
          failoverDetector: true,
          Connector: sentinelConnector,
        }
  return new Redis({
    ...manner,
    ...place,
    ...logins,
    ...(tls && { tls: {} }),
    lazyConnect: true,
    // This repeats no command: a refused one stays refused, and only the connection is made again.
    reconnectOnError(err) {
      const [, word] = changesRoles.exec(err.message) ?? []
      if (word === undefined) return false
      warn(word, { err }, 'Redis is changing roles: the connection is made again')
      return true
    },
  })
}

/** What ioredis keeps of the Sentinels: those before the cursor have been asked. */
interface Sentinels {
  cursor: number
  readonly sentinels: unknown[]
}

/**
 * ioredis' connector to a master, which forgets the failover before. While the next connection is made, ioredis 6.0.0
 * still listens to Sentinels for the last one, and news at that moment ends the client for good.
 */
const sentinelConnector = function connectorFor(options: ConstructorParameters<typeof SentinelConnector>[0]) {
  const connector = new SentinelConnector(options)
  const connect = connector.connect.bind(connector)
  connector.connect = (emit) => {
    const detector = Reflect.get(connector, 'failoverDetector') as { readonly cleanup?: () => void } | null | undefined
    detector?.cleanup?.()
    // Another cleanup of the same one would add listeners to its closed connections.
    Reflect.set(connector, 'failoverDetector', null)
    // Each attempt may ask all, beginning with the next one. It would call all unreachable if the rest of the list is.
    const list = Reflect.get(connector, 'sentinelIterator') as Sentinels
    list.sentinels.push(...list.sentinels.splice(0, list.cursor))
    list.cursor = 0
    return connect(emit)
  }
  return connector
} as unknown as NonNullable<RedisOptions['Connector']>

/** All keys of a project lie in one slot, so a cluster is used like a single server. */
function clusterAt(address: RedisAddress, { enableOfflineQueue, ...redisOptions }: Manner, following: ClusterOptions) {
  const { kind: _, hosts, tls, ...logins } = address
  const one = new Cluster([...hosts], {
    ...following,
    enableOfflineQueue,
    lazyConnect: true,
    // A node that comes back unchanged sends nothing, so it is found by polling.
    slotsRefreshInterval: 2_000,
    // A certificate names the host, not its address.
    ...(tls && { dnsLookup: (host, found) => found(null, host) }),
    redisOptions: { ...redisOptions, ...logins, ...(tls && { tls: {} }) },
  })
  return one as unknown as Redis
}

/** Returns every server that accepts writes. */
export function mastersOf(redis: Redis): readonly Redis[] {
  const one: unknown = redis
  return one instanceof Cluster ? one.nodes('master') : [redis]
}

/** A larger clock difference makes deadlines and signatures wrong, ms. */
const mostSkew = 2_000

/** A slower reply says too little about when it was made, ms. */
const shortTrip = 500

/** How often the clocks are compared, ms. */
const skewEvery = 60_000

/** Measures Redis' clock minus ours, ms, now and every minute. If it is too large, throws at first and logs later. */
export async function watchSkew(redis: Pick<Redis, 'time'>, log: Log) {
  let skew = await skewOf(redis)
  const timer = setInterval(() => {
    skewOf(redis, skew).then(
      (measured) => {
        skew = measured
      },
      (err: unknown) => log.warn({ err }, 'could not compare the clocks'),
    )
  }, skewEvery)
  return { ms: () => skew, stop: () => clearInterval(timer) }
}

/** A slow reply is off by at most half its round trip, so the earlier measurement is better. */
async function skewOf(redis: Pick<Redis, 'time'>, before?: number): Promise<number> {
  const asked = Date.now()
  const [seconds, micros] = await redis.time()
  const trip = Date.now() - asked
  const skew = Number(seconds) * 1000 + Number(micros) / 1000 - (asked + trip / 2)
  if (trip > shortTrip && Math.abs(skew) - trip / 2 <= mostSkew) return before ?? Math.round(skew)
  if (Math.abs(skew) <= mostSkew) return Math.round(skew)
  const apart = (skew / 1000).toFixed(1)
  throw new Error(
    `The clocks of this machine and of Redis differ by ${apart} s; at most 2 s is safe. Sync both with NTP.`,
  )
}

/** Checks that Redis keeps what it stores. Throws Misconfigured; warns if Redis hides its settings. */
export async function checkKeeps(redis: Redis, mayForget: boolean, log: Log): Promise<void> {
  // Empty if Redis does not say.
  const info = redis instanceof Cluster ? '' : await redis.info().catch(() => '')
  if (/^cluster_enabled:1\b/m.test(info))
    throw new Misconfigured(
      'This Redis is a node of a cluster: write redis+cluster:// instead of redis:// in REDIS_URL.',
    )
  if (/^sentinel_masters:/m.test(info))
    throw new Misconfigured(
      'This Redis is a Sentinel: write redis+sentinel://host:26379/mymaster in REDIS_URL, with the name of its master.',
    )
  const faults = await faultsOf(redis)
  if (faults === null) {
    log.warn({}, 'Redis does not show its settings: make sure it is append-only, with maxmemory-policy noeviction')
    return
  }
  if (faults.length === 0) return
  const says = `Redis may lose data. ${asText(faults, 'en')}`
  if (!mayForget) throw new Misconfigured(says)
  log.warn({}, says)
}

/** The settings with which Redis keeps what it stores, and what to say about any other value. */
export const keeping = [
  ['appendonly', 'yes', say('redis.forgets')],
  ['maxmemory-policy', 'noeviction', say('redis.evicts')],
] as const

/** Returns the faults in any server's settings, each with what to set, or null if a server hides them. */
export async function faultsOf(redis: Redis): Promise<readonly Sentence[] | null> {
  const asked = mastersOf(redis).flatMap((one) =>
    keeping.map(async ([name, wanted, fault]) => {
      const [, value] = (await one.config('GET', name)) as string[]
      return value === wanted ? [] : [fault]
    }),
  )
  // CONFIG is forbidden on many hosted servers.
  const found = await Promise.all(asked).catch(() => null)
  return found && [...new Set(found.flat())]
}
