import { at, call } from '../../core/commands/call.ts'
import { storedLine } from '../../core/commands/commands.ts'
import type { Row } from '../../core/commands/define.ts'
import { type Endpoint, isUpdatedSince } from '../../core/model/endpoint.ts'
import { isAnswered, isUnclear } from '../../core/model/plan.ts'
import { isRule, keyOf, type Records, recordOn, startsAtOnce } from '../../core/model/records.ts'
import { type Event, isAutomatic, isSkipped, type Past, type Request, wasCarriedOut } from '../../core/model/request.ts'
import { startedBy } from '../../core/model/rules.ts'
import { programOf } from '../../core/model/token.ts'
import { findSentence, say, untilIn, type Words } from '../../core/model/words.ts'
import { stale } from '../../core/ports/endpoint-use.ts'
import type { BotServices, Services } from '../../core/ports/services.ts'
import { holderOn } from '../../core/requests/claim-other.ts'

/** A rule's request within this time of a change belongs to the change, ms. */
export const soonAfter = 60_000

export function isRecordChange(request: Request): boolean {
  return (request.status === 'succeeded' && request.change !== undefined) || isSkipped(request)
}

/** Returns the last record change or skipped stop of an endpoint that still counts. */
export async function lastChangeOn({ store, clock }: BotServices, endpoint: string): Promise<Request | undefined> {
  const [recent, records] = await Promise.all([store.recentOn(endpoint), store.records()])
  return recent.find((one) => isRecordChange(one) && !isOver(one, records, clock.now()))
}

/** Whether a change has ended by itself, or by its run’s failed start, so that the one before it is the last change again. */
export function isOver(request: Request, records: Records, now: number): boolean {
  const { ask, change, costs, endpoint, id, via } = request
  // A skip counts while its hold is in force, which the next tick creates; that of an idle stop or a run has none.
  const skippedUntil = runEnd(request) ?? (via === 'idle' ? (ask?.due ?? 0) : endedAt(request) + soonAfter)
  if (isSkipped(request))
    return costs?.unpaused !== true && recordOn(records, 'hold', endpoint?.id ?? '')?.id !== id && now >= skippedUntil
  if (startsAtOnce(change) && change?.put?.some((one) => isRule(one) && !records.has(keyOf(one))) === true) return true
  const ends = change?.put?.map((one) => {
    const end = 'until' in one ? one.until : undefined
    return end ?? (one.kind === 'once' ? one.at : Infinity)
  })
  return ends?.some((end) => end <= now) === true
}

/** Returns until when a run that this start begins lasts, ms; undefined for anything else. */
export function runEnd({ reason = '' }: Request): number | undefined {
  return untilIn(findSentence(reason, 'once.runsUntil'))
}

export function newerOf(done: Request | null, changed: Request | undefined): Request | null {
  return changed !== undefined && endedAt(changed) > (done?.ending?.at ?? 0) ? changed : done
}

/** Returns a filter for requests, newest first, that drops a line whose own start is listed already, or in `open`. */
export function toldOnce(open: readonly Request[] = []): (request: Request) => boolean {
  // A start by a schedule doesn’t replace the request that made the schedule.
  const begun = new Set(open.flatMap(({ asked, occurrence }) => (asked === undefined ? [] : [startedBy(occurrence)])))
  return ({ asked, id, occurrence }) => {
    if (asked !== undefined) begun.add(startedBy(occurrence))
    return !begun.has(id)
  }
}

export function endedAt({ ending }: Request): number {
  return ending?.at ?? 0
}

type Done = 'started' | 'stopped'

/** Returns whether a line stops or starts its endpoint, in history's words; undefined if it does neither. */
export function doneBy({ line }: Request, rows: readonly Row[]): Done | undefined {
  const wants = storedLine(line, rows)?.row.wants
  return wants && (wants === 'up' ? 'started' : 'stopped')
}

/** Returns what the last start or stop call of a request did, `unclear` without an answer; undefined if none was sent. */
export function leftBy({ plan = [], progress = [] }: Request): Done | 'unclear' | undefined {
  const left = plan.map(({ goal }, nth) => {
    const sent = progress[nth]?.sends.findLast((one) => isAnswered(one) || isUnclear(one))
    if (sent === undefined || (goal !== 'serving' && goal !== 'stopped')) return undefined
    return isAnswered(sent) ? (goal === 'serving' ? 'started' : 'stopped') : 'unclear'
  })
  return left.findLast((one) => one !== undefined)
}

/** Whether a request stopped its endpoint and started it again, which also explains why it runs. */
export function isRestart({ plan = [] }: Request): boolean {
  return plan[0]?.goal === 'stopped' && plan.some(({ goal }) => goal === 'serving')
}

/** Finds out whether a stopped endpoint runs or ran again, which a person asking why it stopped may not know. */
export async function endedSince(services: Services, past: Request, was: Done): Promise<Pick<Past, 'endedSince'>> {
  const id = past.endpoint?.id ?? ''
  const { active, updatedAt = '' } = (await stateNow(services, id)) ?? {}
  if (typeof active !== 'boolean') return {}
  const recent = (await services.store.recentOn(id)).filter((one) => endedAt(one) > endedAt(past))
  const done = recent.filter(wasCarriedOut)
  const ended = done.find((one) => ![undefined, was].includes(doneBy(one, services.commands.rows)))
  const isEnded = active === (was === 'stopped')
  if (isEnded && ended !== undefined) return { endedSince: ended }
  const seen = isEnded || was === 'started' ? null : await services.store.watchedOf(id)
  const hasRun = seen?.segments.some(({ from, to }) => Math.max(from, to - stale) > endedAt(past)) === true
  if ((await holderOn(services.store, id))?.status === 'running') return {}
  if (!isEnded && ended === undefined && !hasRun) return changedSince(past, recent, updatedAt)
  // A request that failed may have left it so.
  if (recent.some((one) => !done.includes(one) && leftBy(one) !== undefined)) return {}
  return { endedSince: active ? 'running' : 'stopped' }
}

/** Finds out whether an endpoint that is as a request left it was changed in between. Only its `updated_at` tells. */
function changedSince(past: Request, recent: readonly Request[], updatedAt: string): Pick<Past, 'endedSince'> {
  const left = past.progress?.at(-1)?.looks.at(-1)
  const changedAt = Date.parse(updatedAt)
  // The platform may note what a request did later than we saw it.
  const isLater = left !== undefined && isUpdatedSince({ updatedAt }, left) && changedAt > endedAt(past) + soonAfter
  return isLater && !recent.some(({ progress = [] }) => progress.length > 0) ? { endedSince: { changedAt } } : {}
}

export const endStates: ReadonlySet<string> = new Set(['succeeded', 'failed', 'attention'])

/** Returns the newest start, stop or restart of an endpoint if it failed; its state may come from that. */
export async function failedLast({ store, commands }: Services, id: string): Promise<readonly Past[]> {
  const isMeant = (one: Request) => doneBy(one, commands.rows) !== undefined || isRestart(one)
  const newest = (await store.recentOn(id)).find((one) => endStates.has(one.status) && isMeant(one))
  return newest === undefined || newest.status === 'succeeded' ? [] : [{ request: newest, events: [] }]
}

/** Reads an endpoint as it is now; undefined if it can't be read. */
export async function stateNow({ platform, store }: Services, id: string): Promise<Endpoint | undefined> {
  const read = await platform.send(call('get', '/endpoints/{endpoint_id}', { params: at({ id }) }))
  if (read.kind !== 'answered') return undefined
  // The rest of the answer comes from the list, which may be a minute old.
  await store.rememberState(read.answer)
  return read.answer
}

export function endedText({ endedSince: ended }: Past, what: Done, now: number): Words {
  if (ended === undefined) return ''
  if (typeof ended === 'string')
    return say('history.endedOutside', { what: ended === 'running' ? 'stopped' : 'started' })
  if ('changedAt' in ended) return say('history.changedSince', { ago: { lasting: now - ended.changedAt } })
  return say('history.backSince', { what, ...wayOf(ended), at: { at: endedAt(ended) } })
}

/** Whether a person ran an announced change before its time. */
export function isPressed({ requirement, decision }: Request): boolean {
  return requirement === 'notice' && decision?.yes === true
}

/** Says who caused a request, and through what. A person who runs an announced stop now is its requester. */
export function wayOf(request: Request) {
  const { via = '', asked, actor, occurrence, decision } = request
  const program = programOf(request)
  const isNow = isPressed(request)
  const isAtOnce = isNow || startedBy(occurrence) !== undefined
  const byHand = asked === undefined || isAtOnce ? 'person' : 'once'
  const how = isAutomatic(request) && asked === undefined && !isNow ? via : byHand
  const by = { person: isNow && decision !== undefined ? decision.by : actor }
  return { via: program === undefined ? how : 'program', program: program ?? '', by }
}

/** The answers to the run that a start begins. */
export function answersToItsRun({ agreed: { votes = [], decision } = {} }: Request): readonly Event[] {
  const given = votes.map((vote) => ({ ...vote, what: 'approved' }))
  if (decision === undefined) return given
  const { at, by, because = '', glass } = decision
  if (glass === true) return [...given, { at, what: 'broke the glass', by, detail: because }]
  return votes.length > 0 ? given : [{ at, what: 'agreed', by }]
}
