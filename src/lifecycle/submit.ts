import type { Commands } from '../core/commands/commands.ts'
import { endsLockdown } from '../core/model/records.ts'
import { type Request, terms } from '../core/model/request.ts'
import type { Role } from '../core/model/roles.ts'
import { say } from '../core/model/words.ts'
import { whyNotThrough } from '../core/policy/programs.ts'
import type { ClaimedRequest, Moved, MoveOptions, Services } from '../core/ports/services.ts'
import { type Authorization, authorizeRequester, keptOf } from '../core/requests/authorize.ts'
import { end, replan, retryLater } from '../core/requests/end.ts'
import { named } from '../core/requests/find-endpoint.ts'
import { deeds } from './act-on-request.ts'
import { applyChange } from './execution/apply-change.ts'
import { send } from './execution/send.ts'
import { currentStep, seenIn } from './execution/work.ts'
import { refuseTaken, takeFrom } from './make-way.ts'
import { type Proposal, propose } from './planning/plan.ts'
import { withPlan } from './planning/planned-request.ts'

/** How a request is tried out: people are let in as if they had the role it takes, and its plan is looked at. */
interface Trial {
  admit(standing: Authorization, needed: Role): Authorization
  planned(proposal: Proposal): void
}

/** Takes up what was asked: who may, which endpoint, what it takes. Ends with a refusal, a question, or a start. */
export async function submit(services: Services, held: ClaimedRequest, trial?: Trial): Promise<void> {
  const { request } = held
  if (services.clock.now() - request.receivedAt > terms.ask)
    return end(services, held, 'expired', { says: say('request.notTaken') })
  const { row, values } = held.command
  const needed = row.needs?.(values) ?? 'operator'
  // If nobody has to agree, this is the last check before the call.
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
  // A request in progress may change this.
  if (proposal.kind === 'no' && proposal.asItIs === true && endpoint !== undefined) {
    const holder = await services.store.holderOf(endpoint.id)
    const work = holder === null ? null : await services.store.load(holder)
    if (work?.status === 'running') return refuseTaken(services, held, endpoint.name, work)
  }
  if (proposal.kind === 'no') {
    const { says, offers = [] } = proposal
    const change = { ...(endpoint && { endpoint }) }
    return end(services, held, 'refused', { says, change, ...(offers.length > 0 && { offers }) })
  }
  // Settings can be read nowhere: what the last patch answered is all there is to compare with, and to go back to.
  const patches = endpoint !== undefined && proposal.plan.some(({ goal }) => goal === 'answered')
  const before = patches ? await services.store.settingsOf(endpoint.id) : null
  return askOrRun(services, held, before === null ? asked : { ...asked, before }, proposal)
}

/** Asks people, or goes to work: either way the endpoint is held from here to the end. */
export async function askOrRun(
  services: Services,
  held: ClaimedRequest,
  request: Request,
  proposal: Proposal,
): Promise<void> {
  const { endpoint, decided, change, records } = proposal
  if (decided.requirement === 'refusal')
    return end(services, held, 'refused', { says: say('plan.refused', { rule: decided.rule }) })
  if (decided.requirement === 'approval' && services.seals === null)
    return end(services, held, 'refused', { says: say('approval.needsKey') })
  const next = await withPlan(services, request, proposal)
  const same = next.status === 'awaiting' ? await askedAlready(services, next) : undefined
  if (same !== undefined && change === undefined) return refuseTaken(services, held, endpoint?.name ?? '', same)
  if (same !== undefined) return end(services, held, 'refused', { says: say('request.asked'), about: same.id })
  if (change !== undefined && next.status === 'running') return applyChange(services, held, next, proposal)
  const at = services.clock.now()
  const event = {
    at,
    what: next.status,
    by: request.actor,
    detail: [`${request.line} —`, proposal.why, next.ask?.again ?? ''],
    ...(endpoint && { seen: seenIn(endpoint, at) }),
  }
  // Our own records are changed in one write: nothing has to be held for it.
  const needsHold = endpoint !== undefined && change === undefined
  // What a program proposes holds up neither people nor rules before it is agreed to.
  const waits = request.through !== undefined && next.status === 'awaiting'
  const by = needsHold && waits ? await services.store.holderOf(endpoint.id) : null
  const options: MoveOptions = { records, ...(needsHold && !waits && { lock: 'take' }) }
  const calls = next.status === 'running' && proposal.waitsUntil === undefined
  // What nobody has to agree to was read a moment ago, by this very worker: there is nothing to look up again.
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
    ask && ((under) => held.move({ ...next, ask: { ...ask, why: [ask.why, under] } }, [event], { records })),
  )
}

/** Another question about the same endpoint or the same change of our own records, which no lock prevents. */
async function askedAlready({ commands, store }: Services, request: Request): Promise<Request | undefined> {
  const { id, change, endpoint, requirement } = request
  // Two may ask the same question, and each needs an answer.
  if (requirement === 'notice' || commands.operation(request.line).row.approved === true) return undefined
  const wanted = change && changeIn(request, commands)
  return (await store.open()).find((one) => {
    if (one.status !== 'awaiting' || one.id === id || one.requirement === 'notice') return false
    // People do not wait for what a program has proposed.
    if (one.through !== undefined && request.through === undefined) return false
    if (change === undefined || one.change === undefined)
      return one.change === change && one.endpoint?.id === endpoint?.id
    return changeIn(one, commands) === wanted
  })
}

/** What would be changed, whatever the reason given, and whether the endpoint was written by its name or its id. */
function changeIn({ endpoint, line, change }: Request, { operation }: Commands): string {
  const { row, values } = operation(line)
  const { because: _, endpoint: __, ...rest } = values
  return JSON.stringify([row.name, endpoint?.id, rest, endsLockdown(change)])
}
