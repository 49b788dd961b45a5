import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { Newer, plainly, written } from '../domain/formats.ts'
import { isAutomatic } from '../domain/request.ts'
import { type Clock, type Held, type Log, type Store, Tampered } from '../lifecycle/ports.ts'
import { Unproven } from '../lifecycle/unproven.ts'
import type { Commands } from '../operations/commands.ts'
import { createAudit } from './audit.ts'
import { bucketsOfLine, bucketsOfPress } from './buckets.ts'
import { createFiles } from './files.ts'
import { groundOn } from './ground.ts'
import { holder } from './held.ts'
import { createPast } from './history.ts'
import type { Keys } from './keys.ts'
import { createMemory } from './memory.ts'
import { surely } from './moving.ts'
import { createNames } from './names.ts'
import { inOneWrite } from './one-write.ts'
import { openRequests } from './open.ts'
import { createPrices } from './prices.ts'
import { createReadings } from './readings.ts'
import { receiving } from './received.ts'
import { createRulings } from './rulings.ts'
import { scriptOn } from './script.ts'
import * as scripts from './scripts.ts'
import { setterAside } from './set-aside.ts'
import type { Signer } from './signed.ts'
import { readingState } from './state.ts'

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
  readonly project: string
  readonly signer: Signer
  readonly commands: Commands
  readonly clock: Clock
  readonly leaseMs: number
  /** Redis' clock minus ours, ms. */
  readonly skew: () => number
  /** The version of the policy that what is decided here is decided by. */
  readonly policy?: () => string
  /** How many lines of one person are taken in a minute; as many as come where nothing is said. */
  readonly perMinute?: number
  /** Redis is nearly full: questions give way to everything else. */
  readonly isFull?: () => boolean
  readonly log: Log
}

/** A lease outlives one call to the platform by ten seconds. ms. */
export function leaseMsFor(platformTimeoutMs: number): number {
  return platformTimeoutMs + 10_000
}

/** The requests of one project in Redis. */
export function createStore(options: StoreOptions): Store {
  const { redis, keys, project, signer, commands, clock, leaseMs, skew, policy, perMinute, log } = options

  const receive = scriptOn(redis, 'lamplighterReceive', scripts.receive)
  const press = scriptOn(redis, 'lamplighterPress', scripts.press)
  const claim = scriptOn(redis, 'lamplighterClaim', scripts.claim)
  const due = scriptOn(redis, 'lamplighterDue', scripts.due)
  const leave = scriptOn(redis, 'lamplighterLeave', scripts.leave)
  const ground = groundOn(redis, keys, signer, clock, policy)
  const { texts, known, trail } = ground
  const hold = holder({ ...ground, clock, commands, leaseMs })
  const setAside = setterAside(ground)
  const received = receiving(log)

  return surely({
    ...createNames(ground),
    ...createPrices(ground),
    ...createFiles(ground),
    ...createPast(ground),
    ...createMemory(ground),
    ...createAudit(ground, project),
    ...createRulings(ground),
    ...createReadings(ground),

    async receive(request, replyUrl, lease) {
      const { id } = request
      const { kind, via = 'typed' } = request
      const verb = request.line.split(' ', 1)[0] ?? ''
      const row = commands.find(verb)
      const tellsHowFull = row?.kind === 'query' && row.evenFull === true
      if (kind === 'query' && !tellsHowFull && !isAutomatic(request) && options.isFull?.() === true)
        return { kind: 'refused', why: 'storage' }
      const buckets = bucketsOfLine(keys, request, row, perMinute, clock.now())
      const places = [keys.request(id), keys.wake, keys.reply(id), keys.heartbeat, keys.lease(id), ...buckets.places]
      const args = [
        Date.now() + skew() + patience,
        id,
        texts.write(request, 1),
        clock.now() + (lease === undefined ? headStart : leaseMs),
        replyUrl === undefined ? '' : signer.sign(['reply', id], replyUrl),
        replyLife,
        lease?.token ?? '',
        leaseMs,
        ...buckets.args,
      ]
      inOneWrite(redis)
      return received(
        { request: id, project, kind, verb, via, by: request.actor.user },
        'accepted',
        receive(places, args),
      )
    },

    async press(one, replyUrl) {
      const { request } = one
      const buckets = bucketsOfPress(keys, one, perMinute, clock.now())
      const places = [
        keys.press(one.id),
        keys.request(request),
        keys.presses(request),
        keys.wake,
        keys.reply(one.id),
        keys.heartbeat,
        ...buckets.places,
      ]
      const args = [
        Date.now() + skew() + patience,
        request,
        signer.sign(['press', request], written('press', one)),
        clock.now() + headStart,
        replyUrl === undefined ? '' : signer.sign(['reply', one.id], replyUrl),
        replyLife,
        pressMemory,
        ...buckets.args,
      ]
      inOneWrite(redis)
      return received({ request, project, yes: one.yes }, 'a press was accepted', press(places, args))
    },

    async claim(id, lease = { token: randomUUID(), since: clock.monotonic() }) {
      const { token, since, written } = lease
      if (written !== undefined) {
        texts.saw(id, 1)
        return hold({ id, token, since, state: { version: 1, request: written, posts: null, starts: 1, presses: [] } })
      }
      const read = readingState(id, texts, signer)
      const rootAt = known.reading()
      const places = [keys.request(id), keys.lease(id), keys.presses(id), keys.wake, keys.root]
      const [answer, ...fields] = (await claim(places, [token, leaseMs, id, clock.now() + leaseMs])) as string[]
      if (answer !== 'yours') return null
      try {
        const root = rootAt(fields[5] ?? '')
        const state = read(fields)
        const taken = (): Held => hold({ id, token, since, state })
        if (await trail.prove(root, state.version, state.request)) return taken()
        throw new Unproven(id, taken)
      } catch (error) {
        if (error instanceof Tampered) await setAside(id, token, fields[1])
        if (error instanceof Newer) await leave([keys.lease(id), keys.request(id), keys.wake], [token, id, clock.now()])
        throw error
      }
    },

    load: texts.load,
    open: () => openRequests(ground),

    async postsOf(id) {
      const stored = await redis.hget(keys.request(id), 'posts')
      return stored === null ? null : signer.read(['posts', id], stored)
    },

    async replyUrlOf(id) {
      const stored = await redis.get(keys.reply(id))
      return stored === null ? null : plainly('reply', signer.read(['reply', id], stored))
    },

    async due(now, most, except = []) {
      return (await due([keys.wake], [now, most, now + leaseMs, ...except])) as string[]
    },
  } satisfies Store)
}
