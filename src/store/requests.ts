import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Request } from '../domain/request.ts'
import type { Clock, Store } from '../lifecycle/ports.ts'
import { createFiles } from './files.ts'
import { holder, type Leases } from './held.ts'
import { createPast } from './history.ts'
import type { Keys } from './keys.ts'
import { createMemory } from './memory.ts'
import { createNames } from './names.ts'
import { inOneWrite } from './one-write.ts'
import { openRequests } from './open.ts'
import { received, receivedOf } from './received.ts'
import { createRecords } from './records.ts'
import { scriptOn } from './script.ts'
import * as scripts from './scripts.ts'

/** Slack's response address lives this long. ms. */
const replyLife = 30 * 60_000
/** A delivery that comes again within this time is the same press. ms. */
const pressMemory = 24 * 3_600_000
/** The wake-up on its way is given this long before the sweep does its work. ms. */
const headStart = 3_000
/** After this the caller will have said that nothing was done, so nothing may be stored any more. ms. */
const patience = 800

export interface StoreOptions {
  readonly redis: Redis
  readonly keys: Keys
  readonly clock: Clock
  readonly leaseMs: number
  /** Redis' clock minus ours, ms. */
  readonly skew: () => number
}

/** A lease outlives one call to the platform by ten seconds. ms. */
export function leaseMsFor(platformTimeoutMs: number): number {
  return platformTimeoutMs + 10_000
}

/** The requests of one project in Redis. */
export function createStore({ redis, keys, clock, leaseMs, skew }: StoreOptions): Store {
  const receive = scriptOn(redis, 'lamplighterReceive', scripts.receive)
  const press = scriptOn(redis, 'lamplighterPress', scripts.press)
  const claim = scriptOn(redis, 'lamplighterClaim', scripts.claim)
  const due = scriptOn(redis, 'lamplighterDue', scripts.due)
  const leases: Leases = { redis, keys, clock, leaseMs, hold: holder(redis) }

  return {
    ...createNames(redis, keys),
    ...createFiles(redis, keys),
    ...createPast(redis, keys),
    ...createMemory(redis, keys),
    ...createRecords(redis, keys),
    open: () => openRequests(redis, keys),

    async receive(request, replyUrl) {
      const { id } = request
      const places = [keys.request(id), keys.wake, keys.reply(id), keys.heartbeat]
      const args = [
        Date.now() + skew() + patience,
        id,
        JSON.stringify(request),
        clock.now() + headStart,
        replyUrl ?? '',
        replyLife,
      ]
      inOneWrite(redis)
      return received(receive(places, args)).then(receivedOf)
    },

    async press(one, replyUrl) {
      const { request } = one
      const places = [
        keys.press(one.id),
        keys.request(request),
        keys.presses(request),
        keys.wake,
        keys.reply(one.id),
        keys.heartbeat,
      ]
      const args = [
        Date.now() + skew() + patience,
        request,
        JSON.stringify(one),
        clock.now() + headStart,
        replyUrl ?? '',
        replyLife,
        pressMemory,
      ]
      inOneWrite(redis)
      return received(press(places, args)).then(receivedOf)
    },

    async claim(id) {
      const token = randomUUID()
      const since = clock.monotonic()
      const places = [keys.request(id), keys.lease(id), keys.presses(id), keys.wake]
      const [answer, ...fields] = (await claim(places, [token, leaseMs, id, clock.now() + leaseMs])) as string[]
      return answer === 'yours' ? leases.hold(leases, { id, token, since, fields }) : null
    },

    async load(id) {
      const text = await redis.hget(keys.request(id), 'text')
      return text === null ? null : (JSON.parse(text) as Request)
    },

    postsOf: (id) => redis.hget(keys.request(id), 'posts'),
    replyUrlOf: (id) => redis.get(keys.reply(id)),

    async due(now, most) {
      return (await due([keys.wake], [now, most, now + leaseMs])) as string[]
    },
  }
}
