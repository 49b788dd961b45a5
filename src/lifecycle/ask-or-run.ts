import type { Commands } from '../core/commands/commands.ts'
import { endsLockdown, startsAtOnce } from '../core/model/records.ts'
import { type Request, waitsForPeople } from '../core/model/request.ts'
import { isSame } from '../core/model/roles.ts'
import { say } from '../core/model/words.ts'
import { whyTooMany } from '../core/policy/programs.ts'
import type { ClaimedRequest, Moved, MoveOptions, Services } from '../core/ports/services.ts'
import { end, replan } from '../core/requests/end.ts'
import { applyChange } from './execution/apply-change.ts'
import { send } from './execution/send.ts'
import { currentStep, seenIn } from './execution/work.ts'
import { refuseTaken, takeFrom } from './make-way.ts'
import type { PlannedChange } from './planning/plan.ts'
import { withPlan } from './planning/planned-request.ts'

/** Asks people or begins the work, unless the policy or an open question is against it. */
export async function askOrRun(services: Services, claim: ClaimedRequest, request: Request, found: PlannedChange) {
  const planned: PlannedChange = startsInstead(request, found)
    ? { ...found, decided: { ...found.decided, requirement: 'confirmation' } }
    : found
  const { endpoint, decided, change } = planned
  if (decided.requirement === 'refusal') {
    const about = request.endpoint && { change: { endpoint: request.endpoint } }
    return end(services, claim, 'refused', { says: say('plan.refused', { rule: decided.inWords }), ...about })
  }
  if (decided.requirement === 'approval' && services.seals === null)
    return end(services, claim, 'refused', { says: say('approval.needsKey') })
  const next = await withPlan(services, request, planned)
  const asks = waitsForPeople(next)
  const proposes = asks && request.through !== undefined
  // Counted first, so that a question asked after this makes the move below outdated.
  const proposals = proposes ? await services.store.proposals() : undefined
  const open = asks
    ? (await services.store.open()).filter(({ id, status }) => status === 'awaiting' && id !== next.id)
    : []
  const same = askedAlready(services, next, open)
  if (same !== undefined) return refuseTaken(services, claim, endpoint?.name ?? '', same)
  const tooMany = proposes ? whyTooMany(request, open) : null
  if (tooMany !== null) return end(services, claim, 'refused', { says: tooMany })
  if (change !== undefined && next.status === 'running') return applyChange(services, claim, next, planned)
  return lockAndMove(services, claim, request, next, planned, proposals)
}

/** Whether people were asked about a later stop, and a yes would now start the endpoint, which by itself needs nothing. */
export function startsInstead({ ask, change }: Request, { change: next, decided }: PlannedChange): boolean {
  return ask !== undefined && decided.requirement === 'nothing' && startsAtOnce(next) && !startsAtOnce(change)
}

/**
 * Moves a request to its question or its first call. Both take the endpoint's lock, which is held until its end.
 * `proposals`: the expected count of programs' proposals; set if this is one.
 */
async function lockAndMove(
  services: Services,
  claim: ClaimedRequest,
  request: Request,
  next: Request,
  planned: PlannedChange,
  proposals: number | undefined,
): Promise<void> {
  const { endpoint, change, records, why, waitsUntil } = planned
  const proposes = proposals !== undefined
  const at = services.clock.now()
  const event = {
    at,
    what: next.status,
    by: request.actor,
    detail: [`${request.line} —`, why, next.ask?.again ?? ''],
    ...(endpoint && { seen: seenIn(endpoint, at) }),
  }
  // A change to our own records is one write, so it needs no lock.
  const needsLock = endpoint !== undefined && change === undefined
  // A program's proposal takes the lock only after people agree.
  const by = needsLock && proposes ? await services.store.holderOf(endpoint.id) : null
  const told: MoveOptions = { records, ...(proposes && { proposals }) }
  const options: MoveOptions = { ...told, ...(needsLock && !proposes && { lock: 'take' }) }
  const calls = next.status === 'running' && waitsUntil === undefined
  async function locked(): Promise<Moved> {
    if (by !== null && by !== request.id) return { kind: 'taken', by }
    if (!calls || endpoint === undefined) return claim.move(next, [event], options)
    // Without an agreement there is nothing to check again: this worker has just read the endpoint.
    return send(currentStep(services, claim, next), seenIn(endpoint, at), { event, ...options })
  }
  const moved = await locked()
  if (moved.kind === 'outdated') return replan(services, claim, request)
  if (moved.kind !== 'taken') return
  const { ask } = next
  return takeFrom(
    services,
    claim,
    request,
    endpoint?.name ?? '',
    moved.by,
    ask && ((under) => claim.move({ ...next, ask: { ...ask, why: [ask.why, under] } }, [event], told)),
  )
}

/** Finds an open question about the same endpoint or the same change to our own records, which no lock prevents. */
function askedAlready({ commands }: Services, request: Request, open: readonly Request[]): Request | undefined {
  const { actor, change, endpoint } = request
  const isQuestion = commands.operation(request.line).row.needsApproval === true
  const wanted = change && changeIn(request, commands)
  return open.find((one) => {
    if (one.requirement === 'notice') return false
    // Two people may ask the same question and each need an answer; so may two steps of a workflow.
    if (isQuestion && (!isSame(one.actor, actor) || request.through !== undefined)) return false
    // A program's proposal does not block people.
    if (one.through !== undefined && request.through === undefined) return false
    if (change === undefined || one.change === undefined)
      return one.change === change && one.endpoint?.id === endpoint?.id
    return changeIn(one, commands) === wanted
  })
}

/** The change as text without its reason, so that an endpoint's name and its id compare as equal. */
function changeIn({ endpoint, line, change }: Request, { operation }: Commands): string {
  const { row, values } = operation(line)
  const { because: _, endpoint: __, ...rest } = values
  return JSON.stringify([row.name, endpoint?.id, rest, endsLockdown(change)])
}
