import { buttonTo } from '../core/commands/phrases.ts'
import { idleRuleOf } from '../core/model/automation.ts'
import type { Endpoint } from '../core/model/endpoint.ts'
import { type Ask, mostAsks } from '../core/model/question.ts'
import { beginWork, type Ending, type Event, type Request, terms } from '../core/model/request.ts'
import { findSentence, say, type Words } from '../core/model/words.ts'
import { isStricter } from '../core/policy/requirement.ts'
import { asksOthers } from '../core/policy/who-answers.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { end, waitsForStart } from '../core/requests/end.ts'
import { underItsName } from '../core/requests/find-endpoint.ts'
import { nextLookAt, remind } from '../features/approvals/question.ts'
import { idleCandidateOf, idleContextNow } from '../features/idle/candidate.ts'
import { whyIdle } from '../features/idle/consider-stop.ts'
import { whyWithdrawn } from '../features/idle/follow-up.ts'
import { watchEndpoint } from '../features/idle/watch-endpoints.ts'
import { costsPutOff, startsBefore } from '../features/schedules/costs-of-leaving.ts'
import { type Withdrawal, whySkipped, withLateness } from '../features/schedules/look.ts'
import { rulesNow } from '../features/schedules/preview.ts'
import { desired } from '../features/schedules/rules/desired-state.ts'
import { askOrRun, startsInstead } from './ask-or-run.ts'
import { makePlan } from './planning/plan.ts'
import { toldWith } from './planning/planned-request.ts'

const minute = 60_000
/** How long the stop of a busy endpoint is postponed at a time, and in total (also while the bot comes and goes), ms. */
const busyWait = 15 * minute
const busyMost = 2 * 3_600_000
/** An idle stop is cancelled once its notice has not been delivered for this many times its length. */
const untoldMost = 2.5

/** Plans a waiting request again, as before its call. Then ends it, asks again, or updates the question. */
export async function refreshQuestion(services: Services, claim: ClaimedRequest): Promise<void> {
  const { request } = claim
  const { ask, digest, endpoint, change, requirement = 'nothing' } = request
  const planned = await makePlan(services, request, claim.command)
  // Whether the platform can be read matters only before the call.
  if (ask === undefined || planned.kind === 'later') return remind(services, claim, request)
  if (planned.kind === 'no') {
    const { says, asItIs, holds, gone } = planned
    // A read may miss the endpoint once.
    if (gone && ask.missedAt === undefined)
      return remind(services, claim, { ...request, ask: { ...ask, missedAt: services.clock.now() } })
    // If the other start fails, the question still needs an answer.
    if (asItIs === 'coming' && request.through !== undefined)
      return (await waitsForStart(services, claim, request, ask.at)) ? undefined : remind(services, claim, request)
    return end(services, claim, 'cancelled', { says, ...(holds && { holds }) })
  }
  const { decided } = planned
  const then = { requirement, asking: ask.asking }
  const isOther = planned.digest !== digest || isStricter(decided, then) || asksOthers(decided, then)
  // A question that needs no agreement any more still waits for an answer, because people were asked.
  if (isOther && (decided.requirement !== 'nothing' || startsInstead(request, planned)))
    return ask.n < mostAsks
      ? askOrRun(services, claim, request, planned)
      : end(services, claim, 'cancelled', { says: say('request.changing', { asks: mostAsks }) })
  // If another request is running, the question describes that too.
  const holder = endpoint === undefined || change !== undefined ? null : await services.store.holderOf(endpoint.id)
  if (holder !== null && holder !== request.id) return remind(services, claim, request)
  const told = await toldWith(services, request, planned)
  const named = planned.endpoint && { endpoint: await underItsName(services, planned.endpoint, endpoint) }
  const { missedAt: _, ...next } = ask
  const steps = isOther && { plan: planned.plan, exposure: planned.standing, digest: planned.digest }
  return remind(services, claim, { ...request, ...named, ...steps, ask: { ...next, why: told.why }, means: told.means })
}

/** Carries out a due notice without objections, postpones it for a busy endpoint, or repeats it if it is too late. */
export async function actOnNotice(services: Services, claim: ClaimedRequest): Promise<void> {
  const { request } = claim
  const { ask, endpoint } = request
  if (ask?.due === undefined || endpoint === undefined) throw new Error('Only a notice has a due time.')
  const now = services.clock.now()
  if (now > ask.due + terms.late) return tellAgain(services, claim, ask, ask.due)
  if (request.via === 'idle') {
    // People get some time from when they could read the notice. A schedule's stop is known without one.
    const told = services.notifier.toldAt(claim)
    const length = Math.max(terms.warning, (ask.dueFirst ?? ask.due) - ask.at)
    if (told === null && now - ask.at > untoldMost * length)
      return end(services, claim, 'cancelled', { says: say('notice.nobodyTold', { name: endpoint.name }) })
    const detail = say('notice.untold')
    if (told === null)
      return putOff(services, claim, { ...ask, due: now + length }, { at: now, what: 'untold', detail })
    const due = told + terms.warning
    if (due - now > minute) return putOff(services, claim, { ...ask, due }, { at: now, what: 'told late' })
  }
  // Nobody can object while no bot is alive, or Redis is away. A clock that was set back may leave a time ahead.
  const due = Math.min((await services.store.pressableSince()) ?? now, now) + terms.warning
  if (due - now > minute && now - Math.max(ask.at, ask.dueFirst ?? 0) < busyMost)
    return putOff(services, claim, { ...ask, due }, { at: now, what: 'bot back' })
  const reading = request.via === 'schedule' ? await services.reading(endpoint.id) : null
  if (reading?.state === 'busy') return waitWhileBusy(services, claim, ask, reading.why)
  await claim.move({ ...request, ...beginWork(request.plan ?? [], now) }, [
    { at: now, what: 'fell due', detail: say('notice.fellDue') },
  ])
}

/** No worker ran when the notice was due, so it is posted again with a new time. */
async function tellAgain(services: Services, claim: ClaimedRequest, ask: Ask, missed: number): Promise<void> {
  const now = services.clock.now()
  // Whole minutes, so that requests that end together give the same reason.
  const late = { lasting: Math.floor((now - missed) / minute) * minute }
  const due = now + Math.max(terms.warning, services.policy().automation.notice)
  if (ask.n >= mostAsks || (await startsBefore(services, claim.request, due)))
    return end(services, claim, 'expired', { says: say('notice.tooLate', { late }), ...offerToStop(claim) })
  // It may have been handed in or announced late, or put off before.
  const { due: first = missed, reason = '' } = claim.request
  const { length } = findSentence(reason, 'rule.late')?.with ?? {}
  const planned = first - (typeof length === 'object' && 'lasting' in length ? length.lasting : 0)
  const next = { ...ask, n: ask.n + 1, at: now, due, why: withLateness(ask.why, due - planned) }
  await putOff(services, claim, next, { at: now, what: 'late', detail: say('notice.late', { late }) })
}

/** Postpones the stop of a busy endpoint. After two hours, people decide. */
async function waitWhileBusy(services: Services, claim: ClaimedRequest, ask: Ask, busy: Words): Promise<void> {
  const { name = '' } = claim.request.endpoint ?? {}
  const now = services.clock.now()
  const due = now + busyWait
  if (due - (ask.dueFirst ?? now) > busyMost) {
    const says = say('notice.stillBusy', { name, length: { lasting: now - (ask.dueFirst ?? now) }, busy })
    return end(services, claim, 'cancelled', { says, ...offerToStop(claim) })
  }
  await putOff(services, claim, { ...ask, due, busy }, { at: now, what: 'busy', detail: busy })
}

function offerToStop({ request: { endpoint } }: ClaimedRequest): Pick<Ending, 'offers'> {
  return endpoint === undefined ? {} : { offers: [buttonTo('stop', endpoint)] }
}

async function putOff(services: Services, claim: ClaimedRequest, ask: Ask & { readonly due: number }, event: Event) {
  const next = { ...ask, expiresAt: ask.due + terms.late }
  const costs = await costsPutOff(services, claim.request, ask.due)
  await claim.move({ ...claim.request, ...costs, ask: next, nextAt: nextLookAt(next, event.at) }, [event])
}

/** Reads the endpoint right before an idle stop that nobody confirmed. Returns why not to stop it, or why to. */
export async function lookAtIdle(
  services: Services,
  request: Request,
  endpoint?: Endpoint,
): Promise<Withdrawal | Pick<Request, 'evidence' | 'reason'> | null> {
  if (request.via !== 'idle' || request.decision !== undefined || endpoint === undefined) return null
  const [records, before] = await Promise.all([services.store.records(), services.store.watchedOf(endpoint.id)])
  const rule = idleRuleOf(records, services.policy(), endpoint)
  const watched = await watchEndpoint(services, endpoint, rule, before, { last: true })
  const candidate = idleCandidateOf(await idleContextNow(services), endpoint, watched)
  const last = watched.segments.at(-1)
  const why = whyWithdrawn(candidate, request.occurrence)
  if (why === null && last?.state === 'quiet') return candidate && whyIdle(candidate, last)
  const unseen = () => say('withdrawn.unknown', { why: last?.why ?? say('reading.unlooked') })
  return { says: say('notice.inUse', { name: endpoint.name, why: why ?? unseen() }) }
}

/** Returns why a schedule's request is cancelled, or null. A request that a person agreed to is never cancelled. */
export async function whyOutdated(services: Services, claim: ClaimedRequest, endpoint?: Endpoint) {
  const { via, decision, due = 0 } = claim.request
  if (via !== 'schedule' || decision !== undefined || endpoint === undefined) return null
  // A stop is announced before its time.
  const at = Math.max(services.clock.now(), due)
  const rules = (await rulesNow(services, 'known'))(endpoint)
  return desired(rules, at).want === claim.command.row.wants ? null : whySkipped(services, endpoint, rules, at)
}
