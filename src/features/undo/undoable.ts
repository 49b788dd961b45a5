import { isAnswered, isUnclear } from '../../core/model/plan.ts'
import { keyOf, type Records, type StoredRecord, startsAtOnce } from '../../core/model/records.ts'
import { type Ending, isAutomatic, type Request } from '../../core/model/request.ts'
import { startedBy } from '../../core/model/rules.ts'
import { say } from '../../core/model/words.ts'
import type { BotServices } from '../../core/ports/services.ts'
import { holderOn } from '../../core/requests/claim-other.ts'
import { phraseOrSkip, requestPhrase } from '../../core/requests/in-words.ts'
import { undoOffer } from '../history/command.ts'
import { endedAt, isOver, isRecordChange, lastChangeOn, leftBy, newerOf, soonAfter } from '../history/last-change.ts'

/** The request to undo, or what to ask the person first. */
export type Undoable = { readonly last: Request | null } | { readonly asks: Pick<Ending, 'says' | 'offers'> }

/** Finds the request that `undo` means. `named` is the id of a request the person chose. */
export async function undoableOn(services: BotServices, endpoint: string, named?: string): Promise<Undoable> {
  const found = await lastOn(services, endpoint, named)
  const passed = named === undefined && 'last' in found ? await passedChangeOn(services, endpoint) : undefined
  if (passed === undefined || !('last' in found) || found.last === null) return found
  // The person may mean the change whose time has passed.
  if (endedAt(passed) < endedAt(found.last)) return found
  const [line = '', last = ''] = [passed, found.last].map((one) => phraseOrSkip(services.commands, one))
  return { asks: { says: say('undo.passed', { line, last }), offers: [undoOffer(found.last)] } }
}

/** Finds the last change that counts. A person chooses between their change and a rule's later request. */
async function lastOn(services: BotServices, endpoint: string, named?: string): Promise<Undoable> {
  const [changed, recent] = [await lastChangeOn(services, endpoint), await services.store.recentOn(endpoint)]
  const done = newerOf(await services.store.lastDone(endpoint), recent.find(mayHaveChanged))
  const last = newerOf(done, changed)
  if (changed?.change === undefined || last === null) return { last }
  if (last === changed && startsAtOnce(changed.change)) {
    // Once that start was sent, removing its end would not undo it, even if it failed or never served.
    const isSent = (one: Request) => startedBy(one.occurrence) === changed.id && leftBy(one) !== undefined
    return { last: recent.find(isSent) ?? last }
  }
  if (last === changed || !isAutomatic(last) || last.decision !== undefined) return { last }
  // A one-off cannot be undone once its time has come.
  const hasBegun = changed.change.put?.some((one) => one.kind === 'once' && one.at <= services.clock.now()) === true
  if (hasBegun || !isAsLeft(changed, await services.store.records())) return { last }
  if (named !== undefined) return { last: named === changed.id ? changed : last }
  if ((last.startedAt ?? last.receivedAt) - endedAt(changed) < soonAfter) return { last: changed }
  const [change = '', after = ''] = [changed, last].map((one) => requestPhrase(services.commands, one))
  return { asks: { says: say('undo.which', { change, done: after }), offers: [undoOffer(changed), undoOffer(last)] } }
}

/** Returns the request under way on an endpoint: until it ends, nobody knows what to undo. */
export async function underWay({ store }: Pick<BotServices, 'store'>, endpoint: string): Promise<Request | null> {
  const found = await holderOn(store, endpoint)
  return found?.status === 'running' ? found : null
}

/** Whether the records are still as a request left them. */
export function isAsLeft({ change }: Request, records: Records): boolean {
  const { put = [], drop = [] } = change ?? {}
  // Request and record were stored from the same text, so their fields have the same order.
  const isThere = (one: StoredRecord) => JSON.stringify(records.get(keyOf(one))) === JSON.stringify(one)
  return put.every(isThere) && !drop.some((key) => records.has(key))
}

/** Whether a request that did not succeed may have left its endpoint changed. */
function mayHaveChanged(request: Request): boolean {
  const last = request.progress?.map(({ sends }) => sends.at(-1)) ?? []
  const was = last[0]?.before.active === true ? 'started' : 'stopped'
  // A start or stop that was answered changes nothing if the endpoint was already so.
  const isSet = (at: number) => !/^(serving|stopped|restored)/.test(request.plan?.[at]?.goal ?? '')
  const isChanged = last.some((send, at) => send && (isUnclear(send) || (isAnswered(send) && isSet(at))))
  return request.status !== 'succeeded' && (isChanged || (leftBy(request) ?? was) !== was)
}

/** Returns the newest record change or skip of an endpoint if its time has passed, so that an older one counts again. */
async function passedChangeOn({ store, clock }: BotServices, endpoint: string): Promise<Request | undefined> {
  const newest = (await store.recentOn(endpoint)).find(isRecordChange)
  const isPassed = newest !== undefined && !startsAtOnce(newest.change)
  return isPassed && isOver(newest, await store.records(), clock.now()) ? newest : undefined
}
