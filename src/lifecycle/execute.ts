import { isAnswered, isUntaken, type LateCall, progressOf, waitFor } from '../core/model/plan.ts'
import { isAutomatic, type Request, terms } from '../core/model/request.ts'
import { say, type Words } from '../core/model/words.ts'
import type { ClaimedRequest, Moved, MoveOptions, Services } from '../core/ports/services.ts'
import { end, replan, retryLater, retryRole, waitsForStart } from '../core/requests/end.ts'
import { knownSettings, partNeededFor, readEndpoint, underItsName } from '../core/requests/find-endpoint.ts'
import { sealedIn } from '../core/requests/sealed-values.ts'
import { askOrRun } from './ask-or-run.ts'
import { applyChange } from './execution/apply-change.ts'
import { failureText, isHalted, leftUnread, notFound, stepFailed } from './execution/compensate.ts'
import { completeStep } from './execution/complete.ts'
import { dueAgain, isRestoringStart, lateCallOf } from './execution/resend.ts'
import { judge } from './execution/resolve-unknown.ts'
import { checkEffect, send } from './execution/send.ts'
import { currentStep, lookAgain, seenIn, type Work, withProgress } from './execution/work.ts'
import { takeFrom } from './make-way.ts'
import { type Denial, makePlan, type PlannedChange } from './planning/plan.ts'
import { recheck } from './recheck.ts'

/** Makes the next call or read that the first unfinished step needs. */
export async function runStep(services: Services, claim: ClaimedRequest): Promise<void> {
  const { request } = claim
  const hasCalled = request.progress?.some(({ sends }) => sends.length > 0)
  if (request.change !== undefined || !hasCalled) return beginAgreed(services, claim)
  const work = currentStep(services, claim)
  if (work.last === undefined) return beginNext(work)
  if (isAnswered(work.last)) return checkEffect(work)
  // As long as the platform has taken no call, people are asked again about what has changed since.
  const isFirst = isUntaken(request.progress)
  if (isFirst && !(await maySendAgain(work))) return
  return judge(work, async () => isFirst || maySendAgain(work))
}

/** Checks what must hold before a first call, because no call has had an effect yet. If it doesn't, ends or asks. */
async function maySendAgain(work: Work): Promise<boolean> {
  const { services, claim, request, at, step, progress } = work
  if (await isHalted(work)) return false
  const [now, { sends }] = [services.clock.now(), progress]
  // What the first step did is not left half done. Reads may take longer to show that a call had no effect.
  if (at > 0 || now < dueAgain(sends)) return true
  if (now - dueAgain(sends) > (isUntaken(request.progress) && !isAutomatic(request) ? terms.start : terms.settle)) {
    await end(services, claim, 'expired', { says: say('request.tooLate') })
    return false
  }
  const planned = await makePlan(services, request, claim.command)
  // What the endpoint's own state means for the call is decided from a read.
  if (planned.kind === 'later' || (planned.kind === 'no' && planned.asItIs !== undefined)) return true
  const late = lateCallOf(step.goal, sends, services.platform.timeoutMs)
  const also = late !== null && now < late.until ? say('step.mayArrive') : ''
  return (await stillAgreed(work, planned, also)) !== null
}

/** Plans again and checks the agreement, right before the first call or the change to our own records. */
async function beginAgreed(services: Services, claim: ClaimedRequest): Promise<void> {
  const { request } = claim
  const since = request.decision?.at ?? request.startedAt ?? Number.POSITIVE_INFINITY
  const planned = await makePlan(services, request, claim.command)
  const { asItIs, endpoint: starting } = planned.kind === 'no' ? planned : {}
  if (asItIs === 'coming' && starting !== undefined) {
    const { at, progress } = currentStep(services, claim)
    const looks = [seenIn(starting, services.clock.now())]
    if (await waitsForStart(services, claim, withProgress(request, at, { ...progress, looks }), since)) return
  }
  // A question starts nothing. A program may have waited longer for another start, and people were warned of a rule's.
  const hasWaited = request.progress?.some(({ looks }) => looks.length > 0) === true
  const late = services.clock.now() - since - (hasWaited || isAutomatic(request) ? terms.settle : terms.start)
  if (late > 0 && asItIs === undefined && claim.command.row.needsApproval !== true)
    return end(services, claim, 'expired', { says: say('request.tooLate') })

  if (planned.kind === 'later') {
    if (hasWaited && (await waitsForStart(services, claim, request, since))) return
    return retryLater(services, claim, planned.says, planned.pause)
  }
  const found = await stillAgreed({ services, claim }, planned)
  if (planned.kind === 'no' || found === null) return
  if (planned.endpoint === undefined || planned.change !== undefined)
    return applyChange(services, claim, request, planned)
  // Checked before anything is stopped, because otherwise the request would fail halfway.
  if (request.sealed === true && (await sealedIn(services, claim)) === null)
    return end(services, claim, 'cancelled', { says: say('secret.gone') })
  const endpoint = await underItsName(services, planned.endpoint, request.endpoint)
  const seen = { ...found.seen, ...(await settingsNow(services, planned)), endpoint }
  const work = currentStep(services, claim, { ...request, ...seen })
  const options = { records: planned.records, lock: 'take' } as const
  // It waited for another start, so the endpoint was stopped after this was requested.
  if (work.progress.looks.length > 0)
    return stepFailed(work, 'cancelled', { says: say('step.stoppedElsewhere', { name: work.name }) })
  const moved =
    planned.waitsUntil === undefined
      ? await send(work, seenIn(planned.endpoint, services.clock.now()), options)
      : await putOff(work, planned.waitsUntil, options)
  if (moved.kind === 'outdated') return replan(services, claim, request)
  if (moved.kind === 'taken') return takeFrom(services, claim, request, planned.endpoint.name, moved.by)
}

/** Returns the settings before a patch, if they are known. */
export async function settingsNow(
  { store }: Services,
  { endpoint, plan }: PlannedChange,
): Promise<Pick<Request, 'before'>> {
  if (endpoint === undefined || !plan.some(({ goal }) => goal === 'answered')) return {}
  const before = await knownSettings(store, endpoint)
  return before === null ? {} : { before }
}

/** Compares a new plan with the agreed one. Null if it ended, asks or waits instead. `also`: what its end says besides. */
async function stillAgreed(on: Pick<Work, 'services' | 'claim'>, planned: PlannedChange | Denial, also: Words = '') {
  const { services, claim } = on
  const told = (says: Words) => (also === '' ? says : [says, also])
  if (planned.kind === 'no') {
    const { says, holds, gone } = planned
    // A read may miss the endpoint, and a rule tries again what was refused.
    const isMissed = gone && isAutomatic(claim.request)
    await (isMissed && (claim.request.tries ?? 0) < 2
      ? retryLater(services, claim, says, 60_000)
      : end(services, claim, isMissed ? 'refused' : 'cancelled', { says: told(says), ...(holds && { holds: true }) }))
    return null
  }
  const found = await recheck(services, claim, planned)
  if (found.kind === 'agreed') return found
  if (found.kind === 'unsure') {
    await retryRole(services, claim, found.says)
    return null
  }
  const { progress: _, ...unbegun } = claim.request
  await (found.kind === 'over'
    ? end(services, claim, found.status, { ...found.ending, says: told(found.ending.says) })
    : askOrRun(services, claim, unbegun, planned))
  return null
}

/** Begins the next step with a read, because someone may have changed the endpoint meanwhile. */
async function beginNext(work: Work): Promise<void> {
  const { services, step } = work
  if (await isHalted(work)) return
  const [read, late] = await Promise.all([
    readEndpoint(services, work.id, step.goal === 'serving' ? 'half' : partNeededFor(step)),
    services.store.lateOf(work.id),
  ])
  if (read.kind === 'gone') return notFound(work)
  if (read.kind !== 'read') return beginUnread(work, late)
  const seen = seenIn(read.endpoint, services.clock.now())
  // A restart's start is always sent, because a read may still show the state before our stop.
  const trusted = step.goal !== 'answered' && step.goal !== 'serving'
  if (trusted && progressOf(step.goal, read.endpoint) === 'reached') return completeStep(work, seen)
  const fits = step.needs === undefined || seen.active === (step.needs === 'active')
  if (!fits) return stepFailed(work, 'failed', { says: [failureText(work), say('step.elsewhere')], seen })
  const waitsUntil = waitFor(late, step, services.clock.now())
  const { unreadSince: _, goneSince: __, ...progress } = work.progress
  await (waitsUntil === null ? send(work, seen) : putOff({ ...work, progress }, waitsUntil))
}

/** After a minute without a read, sends a start that puts back what we stopped. Gives up any other step. */
async function beginUnread(work: Work, late: LateCall | null): Promise<void> {
  const { services, request, step, progress } = work
  const now = services.clock.now()
  const { unreadSince = now } = progress
  const unread = { ...work, progress: { ...progress, unreadSince } }
  if (now - unreadSince < terms.decided) return lookAgain(unread, null, 5_000)
  const waitsUntil = waitFor(late, step, now)
  if (waitsUntil !== null) return void (await putOff(work, waitsUntil))
  const last = request.progress?.flatMap(({ sends, looks }) => looks.at(-1) ?? sends.at(-1)?.before ?? []).at(-1)
  if (isRestoringStart(step) && last !== undefined) return void (await send(work, last))
  return leftUnread(work)
}

/** Postpones a call while an earlier one that would undo it may still arrive. */
function putOff({ claim, at, progress }: Work, waitsUntil: number, options?: MoveOptions): Promise<Moved> {
  return claim.move(withProgress(claim.request, at, { ...progress, waitsUntil }, waitsUntil), [], options)
}
