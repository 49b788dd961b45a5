import type { RedisServer } from './server.ts'

export const rungKinds = ['given', 'system', 'debian', 'in-process'] as const
export type RungKind = (typeof rungKinds)[number]

export interface RedisOptions {
  /** This rung or an error, instead of the first that works. */
  readonly rung?: RungKind
  /** A server of one's own, whatever REDIS_URL says: for tests that break it. */
  readonly own?: boolean
  /** Instead of the environment's REDIS_URL. */
  readonly url?: string
  /** Where a child server keeps its data beyond stop(). Without it: a temporary directory, removed by stop(). */
  readonly dataDir?: string
  /** More settings for a child server, by the names of redis.conf. */
  readonly settings?: Readonly<Record<string, string>>
  /** A Sentinel that watches nobody yet, instead of a server. */
  readonly sentinel?: boolean
  /** Where Debian's package is unpacked. Default: `.cache/redis` of the project. */
  readonly cacheDir?: string
}

export interface RunningRedis {
  readonly url: string
  readonly kind: RungKind
  /** One line for people: which Redis this is, and what it does not do. */
  readonly note: string
  /** The server process, to be killed, frozen and started again by fault tests. Null where it is not ours to break. */
  readonly server: RedisServer | null
  /** Ends what was started and removes its temporary data. May be called twice. A given Redis is left alone. */
  readonly stop: () => Promise<void>
}
