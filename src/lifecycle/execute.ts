import { terms } from '../core/model/limits.ts'
import { isAnswered, progressOf, waitFor } from '../core/model/plan.ts'
import { sentences } from '../core/model/sentences.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { end, replan, retryLater } from '../core/requests/end.ts'
import { partNeededFor, readEndpoint } from '../core/requests/find-endpoint.ts'
import { sealedIn } from '../core/requests/sealed-values.ts'
import { askOrRun } from './ask-or-run.ts'
import { applyChange } from './execution/apply-change.ts'
import { failureText, isHalted, stepFailed } from './execution/compensate.ts'
import { judge } from './execution/resolve-unknown.ts'
import { checkEffect, completeStep, send } from './execution/send.ts'
import { currentStep, lookAgain, seenIn, type Work, withProgress } from './execution/work.ts'
import { propose } from './planning/plan.ts'
import { recheck } from './recheck.ts'

/** Does the next thing that the first unfinished step needs: one call, or one look. */
export async function runStep(services: Services, held: ClaimedRequest): Promise<void> {
  const { request } = held
  const hasCalled = request.progress?.some(({ sends }) => sends.length > 0)
  if (request.change !== undefined || !hasCalled) return beginAgreed(services, held)
  const work = currentStep(services, held)
  if (work.last === undefined) return next(work)
  return isAnswered(work.last) ? checkEffect(work) : judge(work)
}

/** Everything that was agreed to is looked up once more, right before the first call or the change of our own records. */
async function beginAgreed(services: Services, held: ClaimedRequest): Promise<void> {
  const { request } = held
  const now = services.clock.now()
  const since = request.decision?.at ?? request.startedAt ?? now
  if (now - since > terms.start) return end(services, held, 'expired', { says: sentences.tooLate })

  const proposal = await propose(services, request, held.command)
  if (proposal.kind === 'later') return retryLater(services, held, proposal.says)
  if (proposal.kind === 'no') return end(services, held, 'cancelled', { says: proposal.says })
  const found = await recheck(services, held, proposal)
  if (found.kind === 'over') return end(services, held, found.status, found.ending)
  if (found.kind === 'other') return askOrRun(services, held, request, proposal)
  if (proposal.endpoint === undefined || proposal.change !== undefined)
    return applyChange(services, held, request, proposal)
  // Found out before anything is stopped for it, rather than half way.
  if (request.sealed === true && (await sealedIn(services, held)) === null)
    return end(services, held, 'cancelled', { says: sentences.sealGone })
  const work = currentStep(services, held)
  if (proposal.waitsUntil !== undefined) return putOff(work, proposal.waitsUntil)
  const sent = await send(work, seenIn(proposal.endpoint, services.clock.now()), { records: proposal.records })
  if (sent.kind === 'outdated') return replan(services, held, request)
}

/** The step after one that was done: read first, since somebody may have moved the endpoint meanwhile. */
async function next(work: Work): Promise<void> {
  const { services, step, name } = work
  if (await isHalted(work)) return
  const [read, late] = await Promise.all([
    readEndpoint(services, work.id, step.goal === 'serving' ? 'half' : partNeededFor(step)),
    services.store.lateOf(work.id),
  ])
  if (read.kind === 'gone') return stepFailed(work, 'attention', { says: `${name} is no longer there. ${read.says}` })
  if (read.kind !== 'read') return lookAgain(work, null, 5_000)
  const seen = seenIn(read.endpoint, services.clock.now())
  // What we have stopped is started whatever a read says: it may still show what was before our own stop.
  const trusted = step.goal !== 'answered' && step.goal !== 'serving'
  if (trusted && progressOf(step.goal, read.endpoint) === 'reached') return completeStep(work, seen)
  const fits = step.needs === undefined || seen.active === (step.needs === 'active')
  if (!fits)
    return stepFailed(work, 'failed', { says: `${failureText(work)} Somebody else changed it meanwhile.`, seen })
  const waitsUntil = waitFor(late, step, services.clock.now())
  if (waitsUntil !== null) return putOff(work, waitsUntil)
  await send(work, seen)
}

/** An earlier call that would undo this one may still arrive. */
async function putOff({ held, at, progress }: Work, waitsUntil: number): Promise<void> {
  await held.move(withProgress(held.request, at, { ...progress, waitsUntil }, waitsUntil), [])
}
