import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Commands } from '../../../core/commands/commands.ts'
import { Newer, plainly, written } from '../../../core/model/formats.ts'
import { isAutomatic, isEnded, type Request } from '../../../core/model/request.ts'
import type { Head } from '../../../core/ports/audit.ts'
import { sparingly } from '../../../core/ports/log-sparingly.ts'
import {
  type ClaimedRequest,
  type Clock,
  type Log,
  type Received,
  type Store,
  Tampered,
} from '../../../core/ports/services.ts'
import { Unproven } from '../../../core/requests/claim-other.ts'
import { createAudit } from '../audit/log.ts'
import { createNames, createPrices } from '../caches/endpoints.ts'
import { createReadings } from '../caches/readings.ts'
import { createRulings } from '../caches/reconcile-state.ts'
import { mastersOf } from '../connection/connect.ts'
import type { Keys } from '../connection/keys.ts'
import { refusalOf } from '../connection/refusals.ts'
import { scriptOn } from '../connection/script.ts'
import { type StoreContext, storeContextOn } from '../context.ts'
import type { Signer } from '../integrity/sign.ts'
import { holder, setterAside } from './claim.ts'
import { withLeaseLost } from './move.ts'
import { createFiles, createMemory, createPast } from './past-requests.ts'
import { bucketsOfLine, bucketsOfPress } from './rate-limits.ts'
import * as scripts from './scripts.ts'
import { loadReadable, loadRequest, requestText, stateIn } from './state.ts'

/** Slack's response address lives this long. ms. */
const replyLife = 30 * 60_000
/** A delivery that comes again within this time is the same press. ms. */
const pressMemory = 24 * 3_600_000
/** The job on its way is given this long before the sweep does its work. ms. */
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
  /** Heads of the audit that were noted outside Redis. */
  readonly noted?: () => Promise<readonly Head[]>
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

  const receive = scriptOn(redis, 'lamplighterReceive', scripts.storeRequest)
  const press = scriptOn(redis, 'lamplighterPress', scripts.storePress)
  const claim = scriptOn(redis, 'lamplighterClaim', scripts.claim)
  const due = scriptOn(redis, 'lamplighterDue', scripts.due)
  const leave = scriptOn(redis, 'lamplighterLeave', scripts.leave)
  const ground = storeContextOn(redis, keys, signer, clock, policy)
  const { proof, trail } = ground
  const hold = holder({ ...ground, clock, commands, leaseMs })
  const setAside = setterAside(ground)
  const received = receiving(log)

  return withLeaseLost({
    ...createNames(ground),
    ...createPrices(ground),
    ...createFiles(ground),
    ...createPast(ground),
    ...createMemory(ground),
    ...createAudit(ground, project, options.noted),
    ...createRulings(ground),
    ...createReadings(ground),

    async receive(request, replyUrl) {
      const { id } = request
      const { kind, via = 'typed' } = request
      const verb = request.line.split(' ', 1)[0] ?? ''
      const row = commands.find(verb)
      const tellsHowFull = row?.kind === 'query' && row.evenFull === true
      if (kind === 'query' && !tellsHowFull && !isAutomatic(request) && options.isFull?.() === true)
        return { kind: 'refused', why: 'storage' }
      const buckets = bucketsOfLine(keys, request, row, perMinute, clock.now())
      const places = [keys.request(id), keys.wake, keys.reply(id), keys.heartbeat, ...buckets.places]
      const args = [
        Date.now() + skew() + patience,
        id,
        requestText(signer, request, 1),
        clock.now() + headStart,
        replyUrl === undefined ? '' : signer.sign(['reply', id], replyUrl),
        replyLife,
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

    async claim(id) {
      const [token, since] = [randomUUID(), clock.monotonic()]
      const rootIn = proof.reading()
      const places = [keys.request(id), keys.lease(id), keys.presses(id), keys.wake, keys.root]
      const [answer, ...fields] = (await claim(places, [token, leaseMs, id, clock.now() + leaseMs])) as string[]
      if (answer !== 'yours') return null
      try {
        const root = rootIn(fields[5] ?? '')
        const state = stateIn(signer, id, fields)
        const taken = (): ClaimedRequest => hold({ id, token, since, state })
        if (await trail.prove(root, state.version, state.request)) return taken()
        throw new Unproven(id, taken)
      } catch (error) {
        if (error instanceof Tampered) await setAside(id, token, fields[1])
        if (error instanceof Newer) await leave([keys.lease(id), keys.request(id), keys.wake], [token, id, clock.now()])
        throw error
      }
    },

    load: (id) => loadRequest(ground, id),
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

/** What a door's script says, as the lifecycle names it. */
function receivedOf(answer: unknown): Received {
  if (!Array.isArray(answer)) return { kind: 'perhaps' }
  const [kind, more] = answer as [string, number]
  if (kind === 'stored' || kind === 'known') return { kind, workers: more === 1 }
  if (kind === 'refused') return { kind, why: more === 1 ? 'person' : 'project' }
  return kind === 'gone' ? { kind } : { kind: 'nothing', why: 'slow' }
}

/** What came in: its fields are for the log, so nothing that a person typed stands in them but the verb. */
export interface IncomingFields {
  readonly request: string
  readonly [field: string]: string | boolean | undefined
}

/**
 * Tells a write that cannot have been stored from one whose reply was merely lost. Redis' own refusals and a
 * connection that was not there before anything was sent are certain; a time-out or a cut is not.
 *
 * Each is logged, after whoever waits for it has been answered; refusals once, and then by their count.
 */
export function receiving(
  log: Log,
): (came: IncomingFields, says: string, write: Promise<unknown>) => Promise<Received> {
  const warn = sparingly(log)
  return async (came, says, write) => {
    try {
      const received = receivedOf(await write)
      if (received.kind === 'stored') setImmediate(() => log.info(came, says))
      else if (received.kind === 'refused') warn(received.kind, { ...came, why: received.why }, 'too much comes in')
      else if (received.kind === 'nothing') warn(received.why, { ...came, why: received.why }, 'Redis stored nothing')
      return received
    } catch (err) {
      const why = err instanceof Error ? refusalOf(err) : null
      if (why === null) warn('perhaps', { ...came, err }, 'Redis did not say whether it stored what came in')
      else warn(why, { ...came, why, err }, 'Redis stored nothing')
      return why === null ? { kind: 'perhaps' } : { kind: 'nothing', why }
    }
  }
}

/**
 * What is sent to Redis in this turn of the loop leaves in one write. Redis then reads it at once and flushes its log
 * once for all of it, which is most of the time that an acknowledgement takes.
 */
function inOneWrite(redis: Redis): void {
  for (const { stream } of mastersOf(redis)) {
    if (stream?.writable !== true) continue
    stream.cork()
    setImmediate(() => stream.uncork())
  }
}

/** More than anybody has open at once; the rest is in the channels. */
const most = 200

/**
 * The operations that are under way or wait for somebody, the longest waiting first. Each has a time at which it must
 * be looked at again, so the alarm clocks already are their index and nothing more has to be kept.
 */
async function openRequests(context: StoreContext): Promise<readonly Request[]> {
  const ids = await context.redis.zrange(context.keys.wake, '0', String(most - 1))
  const found = await Promise.all(ids.map((id) => loadReadable(context, id)))
  return found
    .filter((request) => request !== null)
    .filter(({ kind, status }) => kind === 'operation' && !isEnded(status))
    .toSorted((a, b) => a.receivedAt - b.receivedAt)
}
