import type { Redis } from 'ioredis'
import type { Commands } from '../../../core/commands/commands.ts'
import { written } from '../../../core/model/formats.ts'
import { isAutomatic } from '../../../core/model/request.ts'
import { type Meter, sparingly, unmetered } from '../../../core/ports/meter.ts'
import type { Clock, Log, Received, Store } from '../../../core/ports/services.ts'
import { refusalOf, scriptOn } from '../connection/calls.ts'
import { lossOf, mastersOf } from '../connection/connect.ts'
import type { StoreContext } from '../integrity/proof.ts'
import { bucketsOf, countedAs } from './rate-limits.ts'
import * as scripts from './scripts.ts'
import { requestText } from './state.ts'

/** How long Slack's response URL works, ms. */
const replyLife = 30 * 60_000
/** A repeated delivery within this time is the same press. ms. */
const pressMemory = 24 * 3_600_000
/** How long the sweep waits for the job on its way before it does the work itself, ms. */
const headStart = 3_000
/** After this the caller says that nothing was done, so nothing may be stored any more. ms. */
const storedWithin = 800

export interface IntakeOptions {
  readonly project: string
  readonly commands: Commands
  readonly clock: Clock
  /** Redis' clock minus ours, ms. */
  readonly skew: () => number
  /** Multiplies how long Redis may take, when many tests share a machine; otherwise 1. */
  readonly patience?: number | undefined
  /** How many lines of one person are accepted in a minute; absent: no limit. */
  readonly perMinute?: number
  /** Whether Redis is so full that queries are refused. */
  readonly isFull?: () => boolean
  readonly log: Log
  readonly meter?: Pick<Meter, 'happened'>
}

export function createIntake(
  { redis, keys, signer }: StoreContext,
  { project, commands, clock, skew, patience = 1, perMinute, isFull, log, meter = unmetered }: IntakeOptions,
): Pick<Store, 'receive' | 'press'> {
  const receive = scriptOn(redis, 'lamplighterReceive', scripts.storeRequest)
  const press = scriptOn(redis, 'lamplighterPress', scripts.storePress)
  const logged = receiving(log, () => lossOf(redis))
  const received: typeof logged = async (...what) => counted(await logged(...what))

  function counted(answer: Received): Received {
    const why = answer.kind === 'perhaps' ? answer.kind : 'why' in answer ? answer.why : null
    if (why !== null) meter.happened('unstored', { project, why })
    return answer
  }

  /** Returns the first arguments of both scripts. `of`: the request; `id`: the id of the line or press itself. */
  function stored(of: string, text: string, id: string, replyUrl: string | undefined): readonly (string | number)[] {
    const reply = replyUrl === undefined ? '' : signer.sign(['reply', id], replyUrl)
    return [Date.now() + skew() + storedWithin * patience, of, text, clock.now() + headStart, reply, replyLife]
  }

  return {
    async receive(request, replyUrl) {
      const { id, kind, via = 'typed', line } = request
      const verb = line.split(' ', 1)[0] ?? ''
      const row = commands.find(verb)
      const tellsHowFull = row?.kind === 'query' && row.evenFull === true
      if (kind === 'query' && !tellsHowFull && !isAutomatic(request) && isFull?.() === true)
        return counted({ kind: 'refused', why: 'storage' })
      const program = request.through?.token
      const buckets = bucketsOf(keys, request.actor, countedAs(request, row), perMinute, clock.now(), program)
      const mark = keys.stranger(request.actor.user)
      const places = [keys.request(id), keys.wake, keys.reply(id), keys.heartbeat, mark, ...buckets.places]
      const args = [...stored(id, requestText(signer, request, 1), id, replyUrl), ...buckets.args]
      const came = { request: id, project, kind, verb, via, by: request.actor.user }
      inOneWrite(redis)
      return received(came, 'accepted', receive(places, args))
    },

    async press(one, replyUrl) {
      const { id, request } = one
      const buckets = bucketsOf(keys, one.actor, 'answer', perMinute, clock.now())
      const places = [keys.request(request), keys.presses(request), keys.wake, keys.reply(id), keys.press(id)]
      const text = signer.sign(['press', request], written('press', one))
      const args = [...stored(request, text, id, replyUrl), pressMemory, ...buckets.args]
      inOneWrite(redis)
      return received(
        { request, project, yes: one.yes },
        'a press was accepted',
        press([...places, keys.heartbeat, ...buckets.places], args),
      )
    },
  }
}

function receivedOf(answer: unknown): Received {
  if (!Array.isArray(answer)) return { kind: 'perhaps' }
  const [kind, more] = answer as [string, number]
  if (kind === 'stored' || kind === 'known') return { kind, workers: more === 1 }
  if (kind === 'refused') return { kind, why: more === 1 ? 'person' : more === 2 ? 'project' : 'hour' }
  return kind === 'gone' ? { kind } : { kind: 'nothing', why: 'slow' }
}

/** The log's fields for a line or press. The verb is all that they have of what a person typed. */
type Incoming = Readonly<Record<string, string | boolean | undefined>>

/**
 * Distinguishes a write that was certainly not stored (refused, or never connected) from one whose reply was lost. A
 * stored line is logged after its caller has been answered; a repeated refusal is logged once, then counted. `loss`:
 * the error of a lost connection, which may be a rejected login.
 */
export function receiving(log: Log, loss: () => Error | undefined) {
  const warn = sparingly(log)
  return async (came: Incoming, says: string, write: Promise<unknown>): Promise<Received> => {
    try {
      const received = receivedOf(await write)
      if (received.kind === 'stored') setImmediate(() => log.info(came, says))
      else if (received.kind === 'refused') warn(received.kind, { ...came, why: received.why }, 'rate limit exceeded')
      else if (received.kind === 'nothing')
        warn(received.why, { ...came, why: received.why }, 'Redis did not store this')
      return received
    } catch (err) {
      const refusal = err instanceof Error ? refusalOf(err) : null
      const lost = refusal === 'away' ? loss() : undefined
      const why = (lost && refusalOf(lost)) ?? refusal
      if (why === null) warn('perhaps', { ...came, err }, 'Redis did not confirm whether it stored this')
      else warn(why, { ...came, why, err }, 'Redis did not store this')
      return why === null ? { kind: 'perhaps' } : { kind: 'nothing', why }
    }
  }
}

/** Sends all commands of this turn of the event loop in one write, so that Redis flushes its log only once for them. */
function inOneWrite(redis: Redis): void {
  for (const { stream } of mastersOf(redis)) {
    if (stream?.writable !== true) continue
    stream.cork()
    setImmediate(() => stream.uncork())
  }
}
