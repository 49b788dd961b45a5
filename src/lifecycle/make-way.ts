import type { Command } from '../core/commands/commands.ts'
import type { Operation } from '../core/commands/define.ts'
import { phrase } from '../core/commands/phrases.ts'
import { writeWord } from '../core/commands/quoting.ts'
import { isAnswered } from '../core/model/plan.ts'
import { keyOf, ruleKey } from '../core/model/records.ts'
import { isAutomatic, isEnded, type Request } from '../core/model/request.ts'
import { includes, isSame } from '../core/model/roles.ts'
import { startedBy } from '../core/model/rules.ts'
import { say, type Words } from '../core/model/words.ts'
import type { ClaimedRequest, Moved, Services } from '../core/ports/services.ts'
import { lookUpPerson } from '../core/requests/authorize.ts'
import { actOn, lookAgainSoon } from '../core/requests/claim-other.ts'
import { end, replan } from '../core/requests/end.ts'
import { askWord, inWords, labelOn, parsedBy, pressOf, requestPhrase, yesOf } from '../core/requests/in-words.ts'
import { mandatesUnder } from '../features/approvals/review.ts'
import { stepFailed, wasAnswered } from './execution/compensate.ts'
import { currentStep } from './execution/work.ts'

/**
 * Called when another request, `holder`, has the endpoint's lock. Either that request gives way, or this one ends. If
 * this request needs an agreement, `ask` asks for it first. Until then the holder continues, or its notice stays if both
 * are stops: a schedule's stop waits for no answer to a person's.
 */
export async function takeFrom(
  services: Services,
  claim: ClaimedRequest,
  request: Request,
  name: string,
  holder: string,
  ask?: (under: Words) => Promise<Moved>,
): Promise<void> {
  const found = await services.store.load(holder)
  if (found === null || !givesWay(found, request, claim.command))
    return refuseTaken(services, claim, name, found ?? holder)
  const goesOn = found.status === 'running'
  const { wants } = services.commands.operation(found.line).row
  if (ask !== undefined && (goesOn || request.through !== undefined || wants === claim.command.row.wants)) {
    const line = requestPhrase(services.commands, found)
    const asked = await ask(goesOn ? say('way.later', { line }) : say('way.announced', { line }))
    return asked.kind === 'outdated' ? replan(services, claim, request) : undefined
  }
  const isOver = await actOn(services, holder, (other) => endFor(services, other, request, claim.command))
  if (isOver === null) return lookAgainSoon(services, claim)
  // A call of the cancelled request may still arrive, so the plan is made again.
  if (isOver) return replan(services, claim, request)
  return refuseTaken(services, claim, name, (await services.store.load(holder)) ?? holder)
}

/** Refuses a request, with buttons for the one that has the lock or asks the same: `by`, only its id if it is gone. */
export async function refuseTaken(services: Services, claim: ClaimedRequest, name: string, by: Request | string) {
  if (typeof by === 'string')
    return end(services, claim, 'refused', { says: say('request.taken', { name, line: say('way.ending') }), about: by })
  const { id: about, actor, ask, status, through, change } = by
  const line = requestPhrase(services.commands, by)
  const whose = isSame(actor, claim.request.actor) ? 'you' : { person: actor }
  const isByHand = status === 'awaiting' && through === undefined && !isAutomatic(by)
  const how = !isByHand ? 'taken' : isSameCommand(services, claim, by) ? 'askedBy' : 'takenBy'
  const asks = say(`request.${how}`, { name, line, by: whose })
  const offers = await offersOn(services, claim, by)
  // The line and the state in `why` show how the open request differs from this one. The `why` of an undo doesn't.
  const why = isByHand && by.undoes === undefined ? (ask?.why ?? '') : ''
  const says = change === undefined ? [asks, why] : say('request.asked')
  return end(services, claim, 'refused', { says, about, ...(offers.length > 0 && { offers }) })
}

function isSameCommand({ commands }: Services, { command }: ClaimedRequest, by: Request): boolean {
  return commands.operation(by.line).row === command.row
}

/** Returns buttons to approve and to cancel an open request, for a person who may; or to pause a rule before its call. */
async function offersOn(services: Services, claim: ClaimedRequest, by: Request) {
  const { actor, place, through } = claim.request
  if (through !== undefined) return []
  if (by.status === 'running' && isUnbegunRule(by)) {
    const label = say('choice.keep', { length: { lasting: 3_600_000 } })
    return [{ label, line: `keep ${writeWord(by.endpoint?.id ?? '')} 1h` }]
  }
  if (by.status !== 'awaiting') return []
  const [may, stands] = await Promise.all([
    mandatesUnder(services, await services.store.records(), actor, place),
    lookUpPerson(services, actor, place),
  ])
  const request = parsedBy(services.commands, by)
  const { row, values } = request.command
  // A button can't show a time in its reader's zone.
  const label = yesOf(request, row.laterBy?.(values) === true ? pressOf(request) : inWords(request, 'ask'))
  // The button of another command would do something else than what was typed.
  const isOffered = isSameCommand(services, claim, by) && may?.(by).kind === 'may'
  const yes = isOffered ? [{ label, line: `approve ${askWord(by)}` }] : []
  if (!isSame(by.actor, actor) && !includes(stands?.role ?? null, 'approver')) return yes
  return [...yes, { label: labelOn(by, 'request.cancels'), line: `cancel ${writeWord(by.id)}` }]
}

/** Ends the request that has the lock, unless it no longer gives way. Returns whether it ended. */
async function endFor(services: Services, other: ClaimedRequest, request: Request, command: Command<Operation>) {
  if (!givesWay(other.request, request, command)) return false
  const { endpoint, setback, plan = [] } = other.request
  const line = requestPhrase(services.commands, { ...request, ...(endpoint && { endpoint }) })
  const isRule = isUnbegunRule(other.request)
  const says =
    isRule && other.command.row.wants === 'down'
      ? say('way.notice', { line, name: endpoint?.name ?? '' })
      : say('way.work', { line })
  const event = { by: request.actor }
  if (setback !== undefined) {
    const { status, offers: _, ...failed } = setback
    await end(services, other, status, { ...failed, says: [failed.says, says], event })
    return true
  }
  const isChanged = plan.some(({ goal }, at) => goal === 'answered' && wasAnswered(other.request, at))
  const told = isChanged ? [says, say('step.settingsChanged')] : says
  await end(services, other, 'cancelled', { says: told, ...(isRule && { takenBy: request.actor }), event })
  return true
}

/** An announced or waiting automatic action gives way to people; a request that only waits for its effect to a stop. */
function givesWay(other: Request, request: Request, { row }: Command<Operation>): boolean {
  if (isAutomatic(request)) return false
  const { status, plan = [], progress = [] } = other
  const last = progress.findLastIndex(({ sends }) => sends.length > 0)
  // At most a scale would follow, which a stopped endpoint does not need.
  const isLast = plan.slice(last + 1).every(({ goal }) => /^(scaled|restored):/.test(goal))
  const onlyWaits = status === 'running' && isLast && progress[last]?.sends.slice(-1).some(isAnswered) === true
  return isUnbegunRule(other) || (row.wants === 'down' && onlyWaits)
}

function isUnbegunRule({ status, requirement, progress, ...request }: Request): boolean {
  if (status === 'awaiting') return requirement === 'notice'
  const isUnbegun = progress?.every(({ sends }) => sends.length === 0) === true
  return status === 'running' && isAutomatic(request) && isUnbegun
}

/** Cancels a request between two calls. */
export async function callOff(services: Services, other: ClaimedRequest, by: ClaimedRequest, name: string) {
  const { request } = other
  const { actor, through } = by.request
  const { because: reason } = by.command.values
  const why =
    reason === undefined ? '' : say('cancel.why', { program: through?.name ?? 'none', reason: String(reason) })
  if (isEnded(request.status)) return refused(say('request.over', { ending: request.ending?.says ?? '' }))
  const deed = phrase(other.command, name, 'ask', request.change)
  const done = { status: 'succeeded', says: say('cancel.done', { deed }) } as const
  // A change to our own records is one write, so nothing has been done before it.
  if (request.status !== 'running' || request.change !== undefined) {
    await end(services, other, 'cancelled', {
      says: why === '' ? say('request.unchanged') : [why, say('request.unchanged')],
      by: actor,
      event: { by: actor },
    })
    return done
  }
  const work = currentStep(services, other)
  const last = work.last?.outcome?.kind
  if (work.step.always === true) return refused(say('cancel.restoring', { name }))
  if (work.last !== undefined && last !== 'answered' && last !== 'unreached') return refused(say('cancel.underWay'))
  const seen = work.progress.looks.at(-1) ?? work.last?.before
  // The end of a run goes with its start, or it would stop an endpoint that nobody asked for.
  const run = (await services.store.records()).get(ruleKey(startedBy(request.occurrence) ?? ''))
  const until = run?.kind === 'once' ? run.until : undefined
  const advice = until === undefined ? '' : say('end.noStop', { until: { at: until } })
  const options = run?.kind === 'once' && { options: { change: { drop: [keyOf(run)] } } }
  await stepFailed(work, 'cancelled', { says: why, seen, advice }, { by: actor, ...options })
  return done
}

function refused(says: Words) {
  return { status: 'refused', says } as const
}
