import { randomUUID } from 'node:crypto'
import { written } from '../../../core/model/formats.ts'
import { wasCarriedOut } from '../../../core/model/past.ts'
import { assertMove, type Event, type Request } from '../../../core/model/request.ts'
import { LeaseLost, type Moved, type MoveOptions, Tampered } from '../../../core/ports/services.ts'
import { isOutage } from '../connection/refusals.ts'
import { scriptOn } from '../connection/script.ts'
import type { StoreContext } from '../context.ts'
import { entryOf } from '../integrity/chain.ts'
import { type Proven, provenArgs } from '../integrity/records.ts'
import * as scripts from './scripts.ts'
import { loadReadable, requestText, type StoredState } from './state.ts'

/** How long an ended request is remembered, ms: a query's answer is soon stale, an operation is history. */
const life = { query: 10 * 60_000, operation: 90 * 24 * 3_600_000 } as const

export function lifeOf({ kind, stranger }: Request): number {
  return stranger === true ? life.query : life[kind]
}

/** A move of a request from a state, by whoever has the lease. Throws LeaseLost, Tampered, Newer. */
export type Mover = (
  state: Pick<StoredState, 'version' | 'request'>,
  token: string,
  next: Request,
  events: readonly Event[],
  options: MoveOptions,
) => Promise<Moved>

export function moverOn(context: StoreContext): Mover {
  const { redis, keys, signer, proof, policy } = context
  const script = scriptOn(redis, 'lamplighterMove', scripts.move)

  return async ({ version, request }, token, next, events, { lock = '', answered = 0, stranger, change, records }) => {
    const { id, status } = request
    assertMove(status, next.status, events)
    if (records !== undefined) proof.understand(records)
    const endpoint = next.endpoint?.id ?? ''
    // What is only counted has no history: it waits to be counted, in the very write that it belongs to.
    const isCounted = next.stranger === true || stranger === true
    const places = [
      keys.request(id),
      keys.lease(id),
      isCounted ? keys.strangers : keys.history(id),
      keys.presses(id),
      keys.lock(endpoint),
      keys.done(endpoint),
      keys.past,
      keys.root,
      keys.audit,
      keys.records,
    ]
    const done = wasCarriedOut(next) ? 'done' : ''
    const text = requestText(signer, next, version + 1)
    const words = [token, randomUUID(), version, text, lock, id, answered, done, ...indexed(next)]
    const label = isCounted ? (['stranger'] as const) : (['event', id] as const)
    const history = events.map((event) => signer.sign(label, written('event', event)))
    async function send(proven?: Proven): Promise<readonly [string, ...string[]]> {
      return (await script(places, [...words, ...provenArgs(proven), ...history])) as [string, ...string[]]
    }
    const decided = { project: next.project, policy: policy() ?? next.policy }
    const told = isCounted ? [] : events
    const entries = told.map((event) => entryOf(decided, event, { ...next, version: version + 1 }, change))
    const proving = entries.length > 0 || change !== undefined || records !== undefined
    const [answer, by = ''] = await orLeaseLost(proving ? proof.carry({ entries, change, records }, send) : send())
    if (answer === 'taken') return takenBy(by, endpoint)
    if (answer === 'outdated') return { kind: answer }
    if (answer !== 'moved') throw new LeaseLost('Another worker holds this request now.')
    return { kind: 'moved' }
  }

  /** A lock says no more than an id; what that request is about it says itself. */
  async function takenBy(by: string, endpoint: string): Promise<Moved> {
    const holder = await loadReadable(context, by)
    if (holder !== null && holder.endpoint?.id !== endpoint)
      throw new Tampered(`The lock of ${endpoint} names the request ${by}, which is about something else.`)
    return { kind: 'taken', by }
  }
}

/** When an operation ended, or nothing, and the time before which nobody remembers any; ms since 1970. */
function indexed({ kind, ending, stranger }: Request): readonly [number | '', number] {
  return kind === 'operation' && ending !== undefined && stranger !== true
    ? [ending.at, ending.at - life.operation]
    : ['', 0]
}

/** Where the storage does not answer, what we hold is no longer sure: it is put down where it is. Faults of ours pass. */
export async function orLeaseLost<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw isOutage(cause) ? new LeaseLost('The storage did not answer.', { cause }) : cause
  }
}

/** The same with whatever is asked of it: no outage of its storage ends a request. */
export function withLeaseLost<Asked extends object>(asked: Asked): Asked {
  const acts = Object.entries(asked).map(([name, act]: [string, unknown]) => [
    name,
    typeof act === 'function' ? (...args: unknown[]) => answered(act(...args)) : act,
  ])
  return Object.fromEntries(acts) as Asked
}

function answered(answer: unknown): unknown {
  return answer instanceof Promise ? orLeaseLost(answer) : answer
}
