import type { SentenceId } from '../../words/english.ts'
import { isUpdatedSince } from '../model/endpoint.ts'
import type { Offer } from '../model/query-answer.ts'
import { type Ending, type Event, isAutomatic, type Request, type Status, terms } from '../model/request.ts'
import { startedBy } from '../model/rules.ts'
import { findSentence, say, type Words } from '../model/words.ts'
import { quotedMessage } from '../ports/platform.ts'
import type { ClaimedRequest, Moved, MoveOptions, Services } from '../ports/services.ts'
import { requestPhrase } from './in-words.ts'
import { dropSealed } from './sealed-values.ts'

type End = Extract<Status, 'succeeded' | 'failed' | 'attention' | 'refused' | 'declined' | 'expired' | 'cancelled'>

/** The final message, and what else the last move changes. */
export interface LastMove extends Omit<Ending, 'at'> {
  readonly event?: Partial<Event>
  readonly change?: Partial<Request>
  readonly options?: Omit<MoveOptions, 'lock'> & { readonly lock?: 'free' }
}

/** Ends a request with its last move, which also releases the endpoint's lock. */
export async function end(services: Services, claim: ClaimedRequest, status: End, last: LastMove): Promise<void> {
  await endWith(services, claim, status, last)
}

/** Ends a request and changes our own records in one write, which fails if the records have changed since. */
export async function endWith(services: Services, claim: ClaimedRequest, status: End, last: LastMove): Promise<Moved> {
  const { event, change, options, ...ending } = last
  const at = services.clock.now()
  const next: Request = { ...claim.request, ...change, status, ending: { at, ...ending }, nextAt: null }
  const detail = [ending.says, ending.quote ?? '']
  // Only the next patch uses them, so nothing fails for it.
  await Promise.all([dropSealed(services, claim.request), keepSettings(services, next).catch(() => undefined)])
  return claim.move(next, [{ at, what: status, detail, ...event }], { lock: 'drop', ...options })
}

/** Keeps the known settings after our own calls, if nobody had changed the endpoint between them and the first call. */
async function keepSettings({ store }: Services, { endpoint, progress = [] }: Request): Promise<void> {
  const [before, last] = [progress[0]?.sends[0]?.before, progress.flatMap(({ looks }) => looks).at(-1)]
  if (endpoint === undefined || before === undefined || last?.updatedAt === undefined) return
  const known = await store.settingsOf(endpoint.id)
  if (known === null || isUpdatedSince(before, known) || !isUpdatedSince(last, known)) return
  await store.rememberSettings({ ...known, updatedAt: last.updatedAt })
}

/** How many reads may fail before the request ends. */
const mostTries = 4

/** Handles a failed read before the first call: retries as `triesAgain` does, then ends the request. */
export async function retryLater(services: Services, claim: ClaimedRequest, says: Words, pause = 0): Promise<void> {
  if (await triesAgain(services, claim, says, pause)) return
  const why = say('endpoint.unread', { why: quotedMessage(says) })
  return end(services, claim, 'failed', { says: failedBecause(services, claim.request, why) })
}

/** "Stop my-llm: failed. ", with the reason; the line as typed if its endpoint is not known yet. Of a query, the reason. */
export function failedBecause({ commands }: Services, request: Request, why: Words): Words {
  const { endpoint, kind, line } = request
  if (kind !== 'operation') return why
  return [say('end.failed', { deed: endpoint === undefined ? line : requestPhrase(commands, request) }), why]
}

/** The pause before a rule's request tries again, ms. Nobody waits for it as for a person's request. */
const aMinute = 60_000

/** Handles a role that could not be looked up before the first call: retries like a read, then refuses the request. */
export async function retryRole(services: Services, claim: ClaimedRequest, says: Words): Promise<void> {
  const pause = isAutomatic(claim.request) ? aMinute : 0
  if (!(await triesAgain(services, claim, says, pause))) await end(services, claim, 'refused', { says })
}

/**
 * Has a request taken up again after 1, 2 and 4 s, and one that people were warned of then every minute until it is too
 * late: announcing it again would take longer. False if that has been done too often.
 */
async function triesAgain(services: Services, claim: ClaimedRequest, why: Words, pause: number): Promise<boolean> {
  const { request } = claim
  const [at, tries] = [services.clock.now(), (request.tries ?? 0) + 1]
  const lasts = request.status === 'running' && isAutomatic(request) ? terms.late / aMinute : 0
  if (tries >= mostTries + lasts) return false
  const wait = tries < mostTries ? 1_000 * 2 ** (tries - 1) : aMinute
  await claim.move({ ...request, tries, nextAt: at + Math.max(pause, wait) }, [{ at, what: 'unread', detail: why }])
  return true
}

/** How often to check an endpoint that is already starting, ms. */
const comingEvery = 5_000

/** Looks again soon at a starting endpoint, if a program waits since `since` (ms). Returns whether it waits. */
export async function waitsForStart(services: Services, claim: ClaimedRequest, request: Request, since: number) {
  const now = services.clock.now()
  // A program continues when it has an answer, so it gets one when the endpoint is serving.
  if (request.through === undefined || now - since >= terms.settle) return false
  await claim.move({ ...request, nextAt: now + comingEvery }, [])
  return true
}

/** How often a plan is remade because its records have changed. */
const mostPlans = 20

/** Plans `request` again at once, because its records changed before anything was done. */
export async function replan(services: Services, claim: ClaimedRequest, request: Request): Promise<void> {
  const replans = (claim.request.replans ?? 0) + 1
  if (replans > mostPlans) return end(services, claim, 'failed', { says: say('request.unsettled') })
  await claim.move({ ...request, replans, nextAt: services.clock.now() }, [])
}

/** The ends of requests that nobody took up in time. */
const tooLate: readonly SentenceId[] = ['request.tooLate', 'request.notTaken']

/** Offers to retry a failed request if nothing better is offered. Programs do so themselves; sealed values are gone. */
export function failureOffers(request: Request): readonly Offer[] {
  const { asked, ending, line, occurrence, sealed, status, through } = request
  // The start of a run is as a person asked for it.
  const retried = (startedBy(occurrence) && asked) ?? line
  const isUndone = status === 'failed' || tooLate.some((id) => findSentence(ending?.says ?? '', id) !== undefined)
  const isAgain = isUndone && through === undefined && sealed !== true
  return ending?.offers ?? (isAgain ? [{ label: say('end.retry'), line: retried }] : [])
}
