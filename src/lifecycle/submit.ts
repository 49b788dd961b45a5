import { terms } from '../core/model/limits.ts'
import type { Request } from '../core/model/request.ts'
import type { Role } from '../core/model/roles.ts'
import { sentences } from '../core/model/sentences.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { type Authorization, authorizeRequester, keptOf } from '../core/requests/authorize.ts'
import { end, retryLater } from '../core/requests/end.ts'
import { named } from '../core/requests/find-endpoint.ts'
import { deeds } from './act-on-request.ts'
import { askOrRun } from './ask-or-run.ts'
import { refuseTaken } from './make-way.ts'
import { type Proposal, propose } from './planning/plan.ts'

/** How a request is tried out: people are let in as if they had the role it takes, and its plan is looked at. */
export interface Trial {
  admit(standing: Authorization, needed: Role): Authorization
  planned(proposal: Proposal): void
}

/** Takes up what was asked: who may, which endpoint, what it takes. Ends with a refusal, a question, or a start. */
export async function submit(services: Services, held: ClaimedRequest, trial?: Trial): Promise<void> {
  const { request } = held
  if (services.clock.now() - request.receivedAt > terms.ask)
    return end(services, held, 'expired', { says: sentences.notTaken })
  const { row, values } = held.command
  const needed = row.needs?.(values) ?? 'operator'
  // If nobody has to agree, this is the last check before the call.
  const mine = await authorizeRequester(services, request, needed, 'recent')
  const standing = trial?.admit(mine, needed) ?? mine
  if (standing.kind === 'not')
    return end(services, held, 'refused', { says: standing.says, ...(await keptOf(services, standing, request)) })

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
  if (proposal.kind === 'no')
    return end(services, held, 'refused', { says: proposal.says, change: { ...(endpoint && { endpoint }) } })
  // Settings can be read nowhere: what the last patch answered is all there is to compare with, and to go back to.
  const patches = endpoint !== undefined && proposal.plan.some(({ goal }) => goal === 'answered')
  const before = patches ? await services.store.settingsOf(endpoint.id) : null
  return askOrRun(services, held, before === null ? asked : { ...asked, before }, proposal)
}
