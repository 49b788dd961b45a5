import { randomBytes, randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { inject, onTestFinished } from 'vitest'
import { type Keys, keysOf, tagOf } from '../../../src/adapters/redis/connection/keys.ts'
import { type Signer, signerFor } from '../../../src/adapters/redis/integrity/sign.ts'
import { createStore } from '../../../src/adapters/redis/requests/store.ts'
import type { Press, Request } from '../../../src/core/model/request.ts'
import type { Head } from '../../../src/core/ports/audit.ts'
import type { ClaimedRequest, Clock, Log, Store } from '../../../src/core/ports/services.ts'
import { commands } from '../../../src/features/command-table.ts'
import { createLog } from '../../../src/log.ts'

/** A project of its own in the Redis of this run, with any number of processes. */
export interface StoreFixture {
  readonly keys: Keys
  readonly tag: string
  /** The wall clock of all processes, ms since 1970. */
  now: number
  /** A connection that shows stored data without a store. */
  readonly redis: Redis
  /** Starts a process with a connection of its own, or with `redis`. */
  store(options?: {
    readonly redis?: Redis
    readonly leaseMs?: number
    /** Redis' clock minus ours, ms; `unhurried` by default. */
    readonly skew?: number
    /** Lines that one person may send in a minute; unlimited by default. */
    readonly perMinute?: number
    /** Whether Redis is nearly full. */
    readonly full?: boolean
    readonly log?: Log
    /** Heads of the audit that were noted outside Redis. */
    readonly noted?: () => Promise<readonly Head[]>
    /** Signing keys, the newest first; none by default. */
    readonly secrets?: readonly Buffer[]
  }): Store
  /** The signer of the project; without a key by default. */
  signer(secrets?: readonly Buffer[]): Signer
}

/** A minute more for Redis, ms: a door waits less than a second, which a busy machine may exceed. */
export const unhurried = 60_000

export function openStore(): StoreFixture {
  const prefix = `t${randomBytes(6).toString('hex')}`
  const tag = tagOf(prefix, 'default')
  const keys = keysOf(tag)
  const redis = connected()
  const fixture: StoreFixture = {
    keys,
    tag,
    now: 1_800_000_000_000,
    redis,
    store({
      redis = connected(),
      leaseMs = 30_000,
      skew = unhurried,
      perMinute,
      full = false,
      secrets = [],
      log = createLog({ level: 'silent' }),
      noted,
    } = {}) {
      const clock: Clock = { now: () => fixture.now, monotonic: () => performance.now() }
      return createStore({
        commands,
        redis,
        keys,
        project: 'default',
        signer: fixture.signer(secrets),
        clock,
        leaseMs,
        skew: () => skew,
        ...(perMinute !== undefined && { perMinute }),
        isFull: () => full,
        ...(noted && { noted }),
        log,
      })
    },
    signer(secrets = []) {
      const [current, ...earlier] = secrets.map((bytes) => ({ reveal: () => bytes }))
      return signerFor({ ...(current && { key: { current, earlier } }) }, tag)
    },
  }
  return fixture
}

/** A connection that closes with its test. */
export function connected(url = inject('redisUrl')): Redis {
  const redis = new Redis(url)
  redis.on('error', () => undefined)
  onTestFinished(() => redis.disconnect())
  return redis
}

export function newRequest(more: Partial<Request> = {}): Request {
  return {
    id: randomUUID().slice(0, 22),
    project: 'default',
    kind: 'operation',
    line: 'stop my-llm',
    actor: { team: 'T0SANDBOX', user: 'U0ANA' },
    place: { channel: 'C0OPS' },
    receivedAt: 1_800_000_000_000,
    status: 'received',
    notes: [],
    nextAt: 1_800_000_000_000,
    ...more,
  }
}

export function newPress({ id }: Request, more: Partial<Press> = {}): Press {
  const actor = { team: 'T0SANDBOX', user: 'U0BEN' }
  return { id: randomUUID(), request: id, ask: 1, yes: true, actor, channel: 'C0OPS', at: 1_800_000_000_000, ...more }
}

/** Stores the request and claims it until the test ends. */
export async function claimed(store: Store, request: Request): Promise<ClaimedRequest> {
  await store.receive(request, undefined)
  return again(store, request)
}

export async function again(store: Store, { id }: Request): Promise<ClaimedRequest> {
  const claim = await store.claim(id)
  if (claim === null) throw new Error(`Somebody else holds ${id}.`)
  onTestFinished(() => claim.abandon())
  return claim
}

/** Matches a signed text: a MAC followed by exactly `text`. */
export function endingWith(text: string): RegExp {
  return new RegExp(`^[\\w-]{43}${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)
}
