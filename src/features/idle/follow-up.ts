import { idleRuleOf, type Matchable } from '../../core/model/automation.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { isUntaken } from '../../core/model/plan.ts'
import { isMark } from '../../core/model/reading.ts'
import { type Change, type IdleRule, type ReconcileState, type Records, recordOn } from '../../core/model/records.ts'
import { isAutomatic, isEnded, type Request } from '../../core/model/request.ts'
import { mostAttempts } from '../../core/model/rules.ts'
import { say, untilIn, valueIn, type Words } from '../../core/model/words.ts'
import { lookInstant } from '../../core/ports/endpoint-use.ts'
import type { Services } from '../../core/ports/services.ts'
import { end } from '../../core/requests/end.ts'
import { withTags } from '../../core/requests/find-endpoint.ts'
import { ruleRequestId } from '../../core/requests/receive.ts'
import { causeOf } from '../savings/stops.ts'
import { onAnnounced, refreshAnnounced } from '../schedules/announced.ts'
import { noteOnKept } from '../schedules/hand-in.ts'
import { type LookContext, pausedBy, saveState } from '../schedules/look.ts'
import { rulesNow } from '../schedules/preview.ts'
import { earlyRestartsOf, type IdleCandidate, idleTimeOf, idlingKey, whySpared } from './candidate.ts'
import { mostUnknown } from './idle-clock.ts'

/** Checks what became of an announced stop, and cancels it if the endpoint is no longer idle. */
export async function followUp(
  services: Services,
  endpoint: Endpoint,
  candidate: IdleCandidate | null,
  reconcileState: ReconcileState,
): Promise<void> {
  const request = await refreshAnnounced(services, endpoint, reconcileState)
  if (request === 'unsure') return
  if (request === null || isEnded(request.status)) {
    const hold = recordOn(await services.store.records(), 'hold', endpoint.id)
    // `left` restarts the clock: a person's no, and a last look that found use, count as use.
    const state = request?.status === 'succeeded' ? 'met' : isUndecided(request, reconcileState) ? 'held' : 'left'
    return saveState(services, idlingKey(endpoint.id), {
      ...reconcileState,
      // Whoever kept it may end the hold before another look sees it.
      ...(untilIn(request?.ending?.says) !== undefined && { since: hold?.until ?? services.clock.now() }),
      state,
      at: request?.ending?.at ?? services.clock.now(),
    })
  }
  const why = whyWithdrawn(candidate, reconcileState.occurrence)
  if (why !== null && request.status === 'awaiting') await withdrawStop(services, endpoint, reconcileState, why)
}

/** Whether a person's request came first, or no worker, no read or no platform took it in time. It is announced again. */
function isUndecided(request: Request | null, { attempts }: ReconcileState): boolean {
  const { status, plan, progress, ending } = request ?? {}
  if (ending?.takenBy !== undefined) return true
  if (status === 'failed') return attempts < mostAttempts && isUntaken(progress)
  return status === 'expired' && (plan === undefined || progress !== undefined)
}

/** Cancels announced stops that people have ruled out, and corrects the cards of those that are no longer kept. */
export async function followUpIdle(services: Services, context: LookContext): Promise<void> {
  const { listed, reconcileStates, records, policy, book, now } = context
  for (const endpoint of listed) {
    const reconcileState = reconcileStates.get(idlingKey(endpoint.id))
    if (reconcileState?.state === 'left') await noteEndOfHold(endpoint, reconcileState)
    if (reconcileState?.state !== 'asked') continue
    const rule = idleRuleOf(records, policy, endpoint)
    const why = ruledOut(rule, rule && whySpared(book.of(endpoint), endpoint, rule, now))
    if (why !== null) await withdrawStop(services, endpoint, reconcileState, why)
    // The idle rounds look only at endpoints that run.
    else if (endpoint.active === false) await refreshAnnounced(services, endpoint, reconcileState)
  }

  /** `since` is later than the time the stop was left only if a hold came between. */
  async function noteEndOfHold(endpoint: Endpoint, state: ReconcileState): Promise<void> {
    const isOver = book.of(endpoint).holds.every(({ until }) => until <= now)
    if (!isOver || (state.since ?? 0) <= state.at) return
    await noteOnKept(services, ruleRequestId(services, state.occurrence, state.attempts), now)
    await saveState(services, idlingKey(endpoint.id), { ...state, state: 'held' })
  }
}

async function withdrawStop(services: Services, endpoint: Endpoint, reconcileState: ReconcileState, why: Words) {
  const id = ruleRequestId(services, reconcileState.occurrence, reconcileState.attempts)
  await onAnnounced(services, id, async (other) => {
    const records = await services.store.records()
    const [hold, by] = [recordOn(records, 'hold', endpoint.id), recordOn(records, 'protection', endpoint.id)?.by]
    const now = services.clock.now()
    const isKept = hold !== undefined && hold.by !== 'console' && now < hold.until
    const kept = isKept ? pausedBy(hold, endpoint, (await rulesNow(services, 'known'))(endpoint), 'idle') : null
    await end(services, other, 'cancelled', {
      says: say('notice.inUse', { name: endpoint.name, why }),
      ...(by && { by }),
      ...kept,
    })
    const since = isKept ? { since: hold.until } : {}
    await saveState(services, idlingKey(endpoint.id), { ...reconcileState, ...since, state: 'left', at: now })
  })
}

/** Says why an announced stop is no longer right, as the end of a sentence; null if it still is. */
export function whyWithdrawn(candidate: IdleCandidate | null, occurrence: string | undefined): Words | null {
  const ruled = ruledOut(candidate?.rule ?? null, candidate?.spared ?? null)
  if (ruled !== null || candidate === null) return ruled
  const { clock, watched } = candidate
  if (candidate.occurrence !== occurrence) {
    const mark = watched.segments.findLast(isMark)
    if (mark?.to !== clock.since) return say('withdrawn.changed')
    return mark.state === 'busy' ? say('withdrawn.inUse', { why: mark.why }) : mark.why
  }
  return clock.unknown > mostUnknown ? say('withdrawn.unknown', { why: doubtIn(candidate) }) : null
}

function ruledOut(rule: IdleRule | null, spared: Words | null): Words | null {
  if (rule === null) return say('withdrawn.off')
  if (rule.mode !== 'on') return say('withdrawn.try')
  // Rules that want the endpoint stopped too are no reason to let it run on.
  return valueIn(spared ?? '', 'want') === 'down' ? null : spared
}

function doubtIn({ watched, clock, idleMs, now }: IdleCandidate): Words {
  const from = lookInstant(watched, now) - idleMs
  const doubt = watched.segments.findLast(({ state, to }) => state === 'unknown' && to > from)
  return (
    doubt?.why ?? say('withdrawn.partly', { unknown: { lasting: clock.unknown * idleMs }, span: { lasting: idleMs } })
  )
}

/** A person's start within this time after an idle stop shows that the stop was wrong, ms. */
const earlyWithin = 3_600_000

/** Returns the regret that a person's start shows; null if it shows none. `last`: the request before the start. */
export async function regretOf(services: Services, request: Request, last: Request) {
  const { endpoint, receivedAt } = request
  if (endpoint === undefined || isAutomatic(request)) return null
  if (causeOf(last) !== 'idle' || receivedAt - (last.ending?.at ?? 0) > earlyWithin) return null
  const [tagged, records] = await Promise.all([withTags(services, endpoint), services.store.records()])
  return regretFor(services, tagged, records, services.clock.now())
}

/** Stores and announces the regret that a start made elsewhere shows, if only in the start time of the replicas. */
export async function noteEarlyRestart(services: Services, records: Records, candidate: IdleCandidate): Promise<void> {
  const { endpoint, watched, now } = candidate
  const last = await services.store.lastDone(endpoint.id)
  const [stopped, started = 0] = [last?.ending?.at ?? 0, watched.newest]
  if (last === null || causeOf(last) !== 'idle' || started <= stopped || started - stopped > earlyWithin) return
  if (earlyRestartsOf(records, endpoint.id, now).includes(started) || (await wasOurs(services, endpoint.id, stopped)))
    return
  const { record, says } = regretFor(services, endpoint, records, started)
  const told = [say('idle.startedElsewhere', { name: endpoint.name }), says]
  await services.store.write(record, [{ at: now, what: 'regretted', detail: told }])
  void services.announce([told])
}

/** Whether a request may have started it: one that is in progress, or one that made calls and has ended since. */
async function wasOurs({ store }: Services, endpoint: string, since: number): Promise<boolean> {
  if ((await store.holderOf(endpoint)) !== null) return true
  const isCalled = ({ progress = [], ending }: Request) =>
    (ending?.at ?? 0) > since && progress.some(({ sends }) => sends.length > 0)
  return (await store.recentOn(endpoint)).some(isCalled)
}

function regretFor(services: Services, endpoint: Pick<Endpoint, 'id'> & Matchable, records: Records, started: number) {
  const policy = services.policy()
  const at = [...earlyRestartsOf(records, endpoint.id, services.clock.now()), started]
  const rule = idleRuleOf(records, policy, endpoint)
  const length = rule === null ? null : idleTimeOf(rule, at.length, policy.automation.idle.most)
  const longer = length === null ? '' : say('idle.fromNowOn', { length: { lasting: length } })
  const record: Change = { put: [{ kind: 'regrets', endpoint: endpoint.id, at }] }
  return { record, says: [say('idle.tooEarly'), longer] }
}
