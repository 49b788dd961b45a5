import { randomUUID } from 'node:crypto'
import { written } from '../../../core/model/formats.ts'
import {
  assertMove,
  type Event,
  isEnded,
  type Request,
  wasCarriedOut,
  wasPlanned,
} from '../../../core/model/request.ts'
import { idOf } from '../../../core/model/words.ts'
import { unmetered } from '../../../core/ports/meter.ts'
import { LeaseLost, type Moved, type MoveOptions } from '../../../core/ports/services.ts'
import { orLeaseLost, scriptOn } from '../connection/calls.ts'
import { entryOf } from '../integrity/chain.ts'
import { type Answer, type Proven, provenArgs, type StoreContext } from '../integrity/proof.ts'
import type { IntakeOptions } from './intake.ts'
import { misled } from './remembered.ts'
import * as scripts from './scripts.ts'
import { loadReadable, requestText, type StoredState } from './state.ts'

/** How long an ended request is remembered, ms: a query's answer is soon stale, an operation is history. */
export const lives = { query: 10 * 60_000, operation: 90 * 24 * 3_600_000 } as const

/** Moves a request to its next state, for the holder of the lease. Throws LeaseLost, Tampered, Newer. */
export function moverOn(context: StoreContext) {
  const { redis, keys, signer, proof, policy } = context
  const script = scriptOn(redis, 'lamplighterMove', scripts.move)

  return async (
    { version, request }: Pick<StoredState, 'version' | 'request'>,
    token: string,
    next: Request,
    events: readonly Event[],
    { lock, answered = 0, stranger, unaudited, change, records, proposals }: MoveOptions,
  ): Promise<Moved> => {
    const { id, status } = request
    assertMove(status, next.status, events)
    if (records !== undefined) proof.understand(records)
    const endpoint = next.endpoint?.id ?? ''
    // Lines of strangers get no entries. The same write stores them to be counted later.
    const isCounted = next.stranger === true || stranger === true
    const places = [
      keys.request(id),
      keys.lease(id),
      keys.strangers,
      keys.presses(id),
      keys.lock(endpoint),
      keys.done(endpoint),
      keys.past,
      keys.root,
      keys.audit,
      keys.records,
      keys.recent(endpoint),
      keys.proposals,
      ...(isCounted ? [keys.stranger(events[0]?.by?.user ?? '')] : []),
    ]
    const isOver = !isEnded(status) && wasPlanned(next) && !isCounted
    const done = isOver ? (wasCarriedOut(next) ? 'done' : 'planned') : ''
    const text = requestText(signer, next, version + 1)
    const words = [token, randomUUID(), version, text, lock ?? '', id, answered, done, ...indexed(next)]
    const counted = isCounted ? events.map((event) => signer.sign(['stranger'], written('event', event))) : []
    async function send(proven?: Proven): Promise<Answer> {
      const entries = (proven?.links ?? []).map(({ seq }) => seq).join(',')
      return (await script(places, [...words, entries, proposals ?? '', ...provenArgs(proven), ...counted])) as Answer
    }
    const decided = { project: next.project, policy: policy()?.version ?? next.policy }
    const told = isCounted || unaudited === true ? [] : events
    const entries = told.map((event, nth) => {
      const about = { ...untold(next, nth === 0 ? request : next), version: version + 1 }
      return entryOf(decided, event, change === undefined ? about : { ...next, ...about }, change)
    })
    const proving = entries.length > 0 || change !== undefined || records !== undefined
    const [answer, by = ''] = await orLeaseLost(proving ? proof.carry({ entries, change, records }, send) : send())
    if (answer === 'taken') return takenBy(by, endpoint)
    if (answer === 'outdated') return { kind: answer }
    if (answer !== 'moved') throw leaseLost()
    return { kind: 'moved' }
  }

  /** A lock is only an id, so the request itself must say which endpoint it is about. */
  async function takenBy(by: string, endpoint: string): Promise<Moved> {
    const holder = await loadReadable(context, by)
    if (holder !== null && holder.endpoint?.id !== endpoint) throw misled('lock', endpoint)
    return { kind: 'taken', by }
  }
}

/** Fields that the entries of a request contain once, and again after a change. */
const saidOnce = ['line', 'actor', 'via', 'through', 'place', 'endpoint', 'digest'] as const

/** Returns what no entry says yet about a request. `before`: the request at its last entry, if it has one. */
function untold(next: Request, before: Request): Pick<Request, 'id' | 'status'> & Partial<Request> {
  if (before.status === 'received') return next
  const changed = saidOnce.filter((field) => next[field] !== before[field]).map((field) => [field, next[field]])
  return { id: next.id, status: next.status, ...Object.fromEntries(changed) }
}

/** Returns when an operation ended, or '', and the time before which operations are forgotten; ms since 1970. */
function indexed({ kind, ending, stranger }: Request): readonly [number | '', number] {
  return kind === 'operation' && ending !== undefined && stranger !== true
    ? [ending.at, ending.at - lives.operation]
    : ['', 0]
}

export function leaseLost(): LeaseLost {
  return new LeaseLost('Another worker has claimed this request.')
}

/** What the log calls an event. Never the event's own words, because people typed some of them. */
const told: Readonly<Record<string, string>> = {
  awaiting: 'asked',
  approved: 'decided',
  agreed: 'decided',
  'broke the glass': 'decided',
  'fell due': 'decided',
  sent: 'called',
  answered: 'the platform answered',
  refused: 'the platform refused',
  failed: 'the platform failed',
  unknown: 'the platform gave no clear answer',
  unreached: 'the platform could not be reached',
  'not seen yet': 'the platform accepted the call but does not show its effect yet',
}

/** Events of a call. Before any call, `refused` and `failed` are final statuses of the request. */
const calls = new Set(['sent', 'answered', 'refused', 'failed', 'unknown', 'unreached', 'not seen yet'])

type Telling = Pick<IntakeOptions, 'clock' | 'commands' | 'log' | 'meter'>

/** Counts a request that ends, and logs the events of its move. */
export function tellMove(telling: Telling, before: Request, next: Request, events: readonly Event[]): void {
  const { clock, commands, log, meter = unmetered } = telling
  if (!isEnded(before.status) && isEnded(next.status)) {
    const { project, line, via = 'typed', status, ask, receivedAt, ending, through } = next
    const verb = commands.find(line.split(' ', 1)[0] ?? '')?.name ?? 'unknown'
    const seconds = Math.max(0, (ending?.at ?? clock.now()) - receivedAt) / 1_000
    const asked = ask !== undefined
    meter.happened('ended', { project, verb, via, end: status, asked, seconds, token: through?.token })
  }
  const { id, status, endpoint } = next
  for (const { what, by } of events) {
    const isEnd = isEnded(status) && what === status
    const fields = isEnd ? { why: whyOf(next) } : { step: stepOf(next, what) }
    log.info(
      { request: id, endpoint: endpoint?.id, status, by: by?.user, ...fields },
      isEnd ? 'ended' : (told[what] ?? what),
    )
  }
}

/** The step that a call's event belongs to: "stop", "scale to 3". */
function stepOf({ plan = [], progress = [] }: Request, what: string): string | undefined {
  if (what === 'reached') return plan[progress.findLastIndex(({ done }) => done === true)]?.says
  return calls.has(what) ? plan[progress.findLastIndex(({ sends }) => sends.length > 0)]?.says : undefined
}

/** Why a request failed or was refused, without people's words: the outcome of its call, or the id of our sentence. */
function whyOf({ status, ending, progress = [] }: Request): string | undefined {
  if (status === 'succeeded') return undefined
  const outcome = progress.flatMap(({ sends }) => sends).at(-1)?.outcome?.kind
  return outcome === undefined || outcome === 'answered' ? idOf(ending?.says ?? '') : `the call: ${outcome}`
}
