import type { RedisServer } from './server.ts'

export const rungKinds = ['given', 'system', 'debian', 'in-process'] as const
export type RungKind = (typeof rungKinds)[number]

export interface RedisOptions {
  /** Tries only this rung, instead of the first that works. */
  readonly rung?: RungKind
  /** Starts a separate server, whatever REDIS_URL says: for tests that break it. */
  readonly own?: boolean
  /** Replaces the environment's REDIS_URL. */
  readonly url?: string
  /** Where a child server keeps its data beyond stop(). By default, a temporary directory that stop() removes. */
  readonly dataDir?: string
  /** More settings for a child server, named as in redis.conf. */
  readonly settings?: Readonly<Record<string, string>>
  /** Lets a child server write without waiting for its disk. The Redis inside this process never waits. */
  readonly unsynced?: boolean
  /** Starts a Sentinel that watches nothing yet, instead of a server. */
  readonly sentinel?: boolean
  /** Where Debian's package is unpacked; by default, the project's `.cache/redis`. */
  readonly cacheDir?: string
}

export interface RunningRedis {
  readonly url: string
  readonly kind: RungKind
  /** One line for people: which Redis this is, and what it lacks. */
  readonly note: string
  /** The server process, which fault tests kill, freeze and restart; null if it is not ours to break. */
  readonly server: RedisServer | null
  /** Ends what was started and removes its temporary data; leaves a given Redis alone. May be called twice. */
  readonly stop: () => Promise<void>
}
