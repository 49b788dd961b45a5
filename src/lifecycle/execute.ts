import { neededFor } from '../core/commands/permissions.ts'
import { isAnswered, type LateCall, progressOf, waitFor } from '../core/model/plan.ts'
import type { PolicyDecision } from '../core/model/policy.ts'
import { type Ending, mostAsks, type Request, terms } from '../core/model/request.ts'
import type { Place } from '../core/model/roles.ts'
import { say } from '../core/model/words.ts'
import { isStricter } from '../core/policy/requirement.ts'
import { confirmerOf, voteNow } from '../core/policy/who-answers.ts'
import type { ClaimedRequest, Moved, MoveOptions, Services } from '../core/ports/services.ts'
import { authorize, authorizeRequester, lookUpPerson } from '../core/requests/authorize.ts'
import { end, replan, retryLater } from '../core/requests/end.ts'
import { partNeededFor, readEndpoint } from '../core/requests/find-endpoint.ts'
import { sealedIn } from '../core/requests/sealed-values.ts'
import { askOrRun } from './ask-or-run.ts'
import { applyChange } from './execution/apply-change.ts'
import { failureText, isHalted, stepFailed } from './execution/compensate.ts'
import { completeStep } from './execution/complete.ts'
import { isRestoringStart } from './execution/resend.ts'
import { judge } from './execution/resolve-unknown.ts'
import { checkEffect, send } from './execution/send.ts'
import { currentStep, lookAgain, seenIn, type Work, withProgress } from './execution/work.ts'
import { takeFrom } from './make-way.ts'
import { makePlan, type PlannedChange } from './planning/plan.ts'
import { lookAtIdle, whyOutdated } from './while-waiting.ts'

/** Makes the next call or read that the first unfinished step needs. */
export async function runStep(services: Services, claim: ClaimedRequest): Promise<void> {
  const { request } = claim
  const hasCalled = request.progress?.some(({ sends }) => sends.length > 0)
  if (request.change !== undefined || !hasCalled) return beginAgreed(services, claim)
  const work = currentStep(services, claim)
  if (work.last === undefined) return beginNext(work)
  return isAnswered(work.last) ? checkEffect(work) : judge(work)
}

/** Plans again and checks the agreement, right before the first call or the change to our own records. */
async function beginAgreed(services: Services, claim: ClaimedRequest): Promise<void> {
  const { request } = claim
  const since = request.decision?.at ?? request.startedAt ?? Number.POSITIVE_INFINITY
  if (services.clock.now() - since > terms.start)
    return end(services, claim, 'expired', { says: say('request.tooLate') })

  const planned = await makePlan(services, request, claim.command)
  if (planned.kind === 'later') return retryLater(services, claim, planned.says, planned.pause)
  if (planned.kind === 'no') {
    const { says, holds } = planned
    return end(services, claim, 'cancelled', { says, ...(holds && { holds: true }) })
  }
  const found = await recheck(services, claim, planned)
  if (found.kind === 'over') return end(services, claim, found.status, found.ending)
  if (found.kind === 'other') return askOrRun(services, claim, request, planned)
  if (planned.endpoint === undefined || planned.change !== undefined)
    return applyChange(services, claim, request, planned)
  // Checked before anything is stopped, because otherwise the request would fail halfway.
  if (request.sealed === true && (await sealedIn(services, claim)) === null)
    return end(services, claim, 'cancelled', { says: say('secret.gone') })
  const work = currentStep(services, claim, { ...request, ...found.seen })
  const options = { records: planned.records, lock: 'take' } as const
  const moved =
    planned.waitsUntil === undefined
      ? await send(work, seenIn(planned.endpoint, services.clock.now()), options)
      : await putOff(work, planned.waitsUntil, options)
  if (moved.kind === 'outdated') return replan(services, claim, request)
  if (moved.kind === 'taken') return takeFrom(services, claim, request, planned.endpoint.name, moved.by)
}

/** Begins the next step with a read, because someone may have changed the endpoint meanwhile. */
async function beginNext(work: Work): Promise<void> {
  const { services, step, name } = work
  if (await isHalted(work)) return
  const [read, late] = await Promise.all([
    readEndpoint(services, work.id, step.goal === 'serving' ? 'half' : partNeededFor(step)),
    services.store.lateOf(work.id),
  ])
  if (read.kind === 'gone') return stepFailed(work, 'attention', { says: say('step.gone', { name }) })
  if (read.kind !== 'read') return beginUnread(work, late)
  const seen = seenIn(read.endpoint, services.clock.now())
  // A restart's start is always sent, because a read may still show the state before our stop.
  const trusted = step.goal !== 'answered' && step.goal !== 'serving'
  if (trusted && progressOf(step.goal, read.endpoint) === 'reached') return completeStep(work, seen)
  const fits = step.needs === undefined || seen.active === (step.needs === 'active')
  if (!fits) return stepFailed(work, 'failed', { says: [failureText(work), say('step.elsewhere')], seen })
  const waitsUntil = waitFor(late, step, services.clock.now())
  const { unreadSince: _, ...progress } = work.progress
  await (waitsUntil === null ? send(work, seen) : putOff({ ...work, progress }, waitsUntil))
}

/** After a minute without a read, a start that puts back what we stopped is sent anyway. Any other step is given up. */
async function beginUnread(work: Work, late: LateCall | null): Promise<void> {
  const { services, request, step, name, progress } = work
  const now = services.clock.now()
  const { unreadSince = now } = progress
  const unread = { ...work, progress: { ...progress, unreadSince } }
  if (now - unreadSince < terms.decided) return lookAgain(unread, null, 5_000)
  const waitsUntil = waitFor(late, step, now)
  if (waitsUntil !== null) return void (await putOff(work, waitsUntil))
  const last = request.progress?.flatMap(({ looks }) => looks).at(-1)
  if (isRestoringStart(step) && last !== undefined) return void (await send(work, last))
  return stepFailed(work, 'attention', { says: say('step.unread', { name }), advice: say('step.seePlatform') })
}

/** Postpones a call while an earlier one that would undo it may still arrive. */
function putOff({ claim, at, progress }: Work, waitsUntil: number, options?: MoveOptions): Promise<Moved> {
  return claim.move(withProgress(claim.request, at, { ...progress, waitsUntil }, waitsUntil), [], options)
}

/** `other`: people are asked again; `over`: the request ends. `seen`: the current reason for an idle stop. */
type Recheck =
  | { readonly kind: 'agreed' | 'other'; readonly seen?: Pick<Request, 'evidence' | 'reason'> }
  | { readonly kind: 'over'; readonly status: 'cancelled' | 'refused'; readonly ending: Omit<Ending, 'at'> }

/** Compares the new plan with the agreed one, and checks that the people who agreed still may. */
async function recheck(services: Services, claim: ClaimedRequest, planned: PlannedChange): Promise<Recheck> {
  const { request, command } = claim
  const { endpoint, decided } = planned
  const left = await whyOutdated(services, claim, endpoint)
  const idle = left ?? (await lookAtIdle(services, request, endpoint))
  if (idle !== null && 'says' in idle) return over('cancelled', idle)
  // The requester still needs the role, even if people are asked again or no agreement is needed anymore.
  const needed = neededFor(command.row, command.values)
  const sure = request.requirement === 'approval' ? 'fresh' : 'recent'
  const requester = await authorizeRequester(services, request, needed, sure)
  if (requester.kind === 'not') return over('refused', { says: requester.says })
  const then = { requirement: request.requirement ?? 'nothing', asking: request.ask?.asking ?? decided.asking }
  if (planned.digest !== request.digest || isStricter(decided, then)) return other(request)
  const answers = await answersNow(services, request, decided)
  return answers.kind === 'agreed' && idle !== null ? { ...answers, seen: idle } : answers
}

function over(status: 'cancelled' | 'refused', ending: Omit<Ending, 'at'>): Recheck {
  return { kind: 'over', status, ending }
}

function other({ ask }: Request): Recheck {
  return (ask?.n ?? 0) >= mostAsks
    ? over('cancelled', { says: say('request.changing', { asks: mostAsks }) })
    : { kind: 'other' }
}

/** The place of an answer that was stored without one. No channel gives a role there. */
const unknownPlace: Place = { channel: '', chosen: true }

/** Checks that the people who agreed still may, under the current policy. */
async function answersNow(services: Services, request: Request, decided: PolicyDecision): Promise<Recheck> {
  const { decision, requirement, ask, votes = [] } = request
  if (decision === undefined || ask === undefined) return { kind: 'agreed' }
  if (decision.glass === true || requirement !== 'approval') {
    const confirmer = confirmerOf(request)
    const needed = decision.glass === true ? 'admin' : confirmer === 'requester' ? 'viewer' : confirmer
    const sure = needed === 'admin' ? 'fresh' : 'recent'
    const decider = await authorize(services, decision.by, decision.place ?? unknownPlace, needed, sure)
    return decider.kind === 'may' ? { kind: 'agreed' } : over('refused', { says: decider.says })
  }
  const counted = await Promise.all(
    votes.map(async ({ by, for: whose = by, place = unknownPlace }) => {
      const people = [by, whose].map((one) => lookUpPerson(services, one, place, 'fresh'))
      const [giver = null, absent = null] = await Promise.all(people)
      return voteNow(request, giver, absent, decided.asking)
    }),
  )
  if (counted.filter((one) => one === 'counts').length >= ask.asking.needed) return { kind: 'agreed' }
  // The policy now names other approvers, who can be asked.
  const isListed = decided.requirement === 'approval' && decided.asking.from !== null
  return isListed && !counted.includes('gone') ? other(request) : over('refused', { says: say('approval.gone') })
}
