import type { Commands } from '../core/commands/commands.ts'
import { endsLockdown } from '../core/model/records.ts'
import { type Request, terms } from '../core/model/request.ts'
import { isSame, type Role } from '../core/model/roles.ts'
import { idOf, say } from '../core/model/words.ts'
import { whyNotThrough, whyTooMany } from '../core/policy/programs.ts'
import type { ClaimedRequest, Moved, MoveOptions, Services } from '../core/ports/services.ts'
import { type Authorization, authorizeRequester, keptOf } from '../core/requests/authorize.ts'
import { end, replan, retryLater } from '../core/requests/end.ts'
import { named } from '../core/requests/find-endpoint.ts'
import { deeds } from './act-on-request.ts'
import { applyChange } from './execution/apply-change.ts'
import { send } from './execution/send.ts'
import { currentStep, seenIn } from './execution/work.ts'
import { refuseTaken, takeFrom } from './make-way.ts'
import { announcedOn } from './messages/ahead.ts'
import { type Proposal, propose } from './planning/plan.ts'
import { withPlan } from './planning/planned-request.ts'

/** How often to check an endpoint that is already starting, ms. */
const comingEvery = 5_000

/** A dry run: the requester is treated as having the role, and `planned` receives the proposal. */
interface Trial {
  admit(standing: Authorization, needed: Role): Authorization
  planned(proposal: Proposal): void
}

/** Authorizes a received request, finds its endpoint and plans it. Then refuses it, asks about it or begins it. */
export async function submit(services: Services, held: ClaimedRequest, trial?: Trial): Promise<void> {
  const { request } = held
  if (services.clock.now() - request.receivedAt > terms.ask)
    return end(services, held, 'expired', { says: say('request.notTaken') })
  const { row, values } = held.command
  const needed = row.needs?.(values) ?? 'operator'
  // If no agreement is needed, this is the last check before the call.
  const mine = await authorizeRequester(services, request, needed, 'recent')
  const standing = trial?.admit(mine, needed) ?? mine
  if (standing.kind === 'not')
    return end(services, held, 'refused', { says: standing.says, ...(await keptOf(services, standing, request)) })

  if (row.deed !== undefined && request.through !== undefined) {
    const records = await services.store.records()
    const why = whyNotThrough(request, held.command, { records, now: services.clock.now() })
    if (why !== null) return end(services, held, 'refused', { says: why })
  }
  if (row.deed !== undefined) return deeds[row.deed](services, held, standing.role)
  const endpoint = 'endpoint' in row.fields ? await named(services, held) : request.endpoint
  if (endpoint === null) return
  const asked: Request = { ...request, ...(endpoint && { endpoint }) }
  const proposal = await propose(services, asked, held.command)
  if (proposal.kind === 'later') return retryLater(services, held, proposal.says)
  if (proposal.kind === 'plan') trial?.planned(proposal)
  const now = services.clock.now()
  // A program continues when it has an answer, so it gets one when the endpoint is serving.
  const waits = request.through !== undefined && trial === undefined && now - request.receivedAt < terms.settle
  if (proposal.kind === 'no' && proposal.asItIs === 'coming' && waits)
    return void (await held.move({ ...asked, nextAt: now + comingEvery }, []))
  // A running request may be changing this state.
  if (proposal.kind === 'no' && proposal.asItIs !== undefined && endpoint !== undefined) {
    const holder = await services.store.holderOf(endpoint.id)
    const work = holder === null ? null : await services.store.load(holder)
    if (work?.status === 'running') return refuseTaken(services, held, endpoint.name, work)
  }
  if (proposal.kind === 'no') {
    const { says, holds, offers = [] } = proposal
    const change = { ...(endpoint && { endpoint }) }
    // A notice's button contains a time, which may have passed when the button is pressed.
    const isOver = request.via === 'button' && idOf(says) === 'time.past'
    // The endpoint runs, but an announced stop is about to end that.
    const isUp = holds === true && proposal.asItIs !== undefined && row.wants === 'up'
    const coming = (isOver || isUp) && endpoint !== undefined ? await announcedOn(services, endpoint.id) : null
    const all = [...(coming?.offers ?? []), ...offers]
    const more = { ...(holds && { holds }), ...(all.length > 0 && { offers: all }) }
    return end(services, held, 'refused', { says: isUp && coming ? [says, coming.says] : says, change, ...more })
  }
  // Settings cannot be read. Only the answer to the last patch can be compared with and restored.
  const patches = endpoint !== undefined && proposal.plan.some(({ goal }) => goal === 'answered')
  const before = patches ? await services.store.settingsOf(endpoint.id) : null
  return askOrRun(services, held, before === null ? asked : { ...asked, before }, proposal)
}

/** Asks people or begins the work. Both take the endpoint's lock, which is held until the request ends. */
export async function askOrRun(
  services: Services,
  held: ClaimedRequest,
  request: Request,
  proposal: Proposal,
): Promise<void> {
  const { endpoint, decided, change, records } = proposal
  if (decided.requirement === 'refusal')
    return end(services, held, 'refused', { says: say('plan.refused', { rule: decided.inWords }) })
  if (decided.requirement === 'approval' && services.seals === null)
    return end(services, held, 'refused', { says: say('approval.needsKey') })
  const next = await withPlan(services, request, proposal)
  const asks = next.status === 'awaiting' && next.requirement !== 'notice'
  const proposes = asks && request.through !== undefined
  // Counted first, so that a question asked after this makes the move below outdated.
  const proposals = proposes ? await services.store.proposals() : undefined
  const open = asks
    ? (await services.store.open()).filter(({ id, status }) => status === 'awaiting' && id !== next.id)
    : []
  const same = askedAlready(services, next, open)
  if (same !== undefined) return refuseTaken(services, held, endpoint?.name ?? '', same)
  const tooMany = proposes ? whyTooMany(request, open) : null
  if (tooMany !== null) return end(services, held, 'refused', { says: tooMany })
  if (change !== undefined && next.status === 'running') return applyChange(services, held, next, proposal)
  const at = services.clock.now()
  const event = {
    at,
    what: next.status,
    by: request.actor,
    detail: [`${request.line} —`, proposal.why, next.ask?.again ?? ''],
    ...(endpoint && { seen: seenIn(endpoint, at) }),
  }
  // A change to our own records is one write, so it needs no lock.
  const needsHold = endpoint !== undefined && change === undefined
  // A program's proposal takes the lock only after people agree.
  const by = needsHold && proposes ? await services.store.holderOf(endpoint.id) : null
  const told: MoveOptions = { records, ...(proposals !== undefined && { proposals }) }
  const options: MoveOptions = { ...told, ...(needsHold && !proposes && { lock: 'take' }) }
  const calls = next.status === 'running' && proposal.waitsUntil === undefined
  // Without an agreement there is nothing to check again: this worker has just read the endpoint.
  const moved: Moved =
    by !== null && by !== request.id
      ? { kind: 'taken', by }
      : calls && endpoint !== undefined
        ? await send(currentStep(services, held, next), seenIn(endpoint, at), { event, ...options })
        : await held.move(next, [event], options)
  if (moved.kind === 'outdated') return replan(services, held, request)
  if (moved.kind !== 'taken') return
  const { ask } = next
  return takeFrom(
    services,
    held,
    request,
    endpoint?.name ?? '',
    moved.by,
    ask && ((under) => held.move({ ...next, ask: { ...ask, why: [ask.why, under] } }, [event], told)),
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
