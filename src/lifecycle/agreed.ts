import { isSame, policyFile } from '../domain/actor.ts'
import { isApprover } from '../domain/answering.ts'
import type { Vote } from '../domain/ask.ts'
import { isStricter } from '../domain/demand.ts'
import { sentences } from '../domain/errors.ts'
import { isAutomatic, type Request } from '../domain/request.ts'
import { mostAsks } from '../domain/terms.ts'
import { operationIn } from '../operations/stored.ts'
import { begin } from './begin.ts'
import { end } from './end.ts'
import { mayAct, standpointOf } from './identify.ts'
import { inUse } from './in-use.ts'
import type { Held, House } from './ports.ts'
import type { Proposal } from './propose.ts'
import { unwanted } from './wanted.ts'

/**
 * Whether what people agreed to is still what would be done, and they still may agree to it. Otherwise the same card
 * asks again, or the request ends; then there is nothing more to do for it.
 */
export async function stillAgreed(house: House, held: Held, proposal: Proposal): Promise<boolean> {
  const { request } = held
  const { endpoint } = proposal
  const left = await unwanted(house, request, endpoint)
  const used = left === null ? await inUse(house, request, endpoint) : null
  if (left !== null || used !== null) {
    await end(house, held, 'cancelled', left ?? { says: used ?? '' })
    return false
  }
  // Before anything else: what has to be asked again, or takes nothing by now, is still theirs to ask for.
  const gone = await askerGone(house, request)
  if (gone !== null) {
    await end(house, held, 'refused', { says: gone })
    return false
  }
  const then = { requirement: request.requirement ?? 'nothing', asking: request.ask?.asking ?? proposal.demand.asking }
  if (proposal.digest !== request.digest || isStricter(proposal.demand, then)) {
    if ((request.ask?.n ?? 0) >= mostAsks) await end(house, held, 'cancelled', { says: sentences.changing })
    else await begin(house, held, request, proposal)
    return false
  }
  const refusal = await approvalGone(house, request, proposal)
  if (refusal === null) return true
  await end(house, held, 'refused', { says: refusal })
  return false
}

/** Roles may have been taken away since the asking. */
async function askerGone(house: House, request: Request): Promise<string | null> {
  const { line, actor, place, requirement } = request
  if (isAutomatic(request) && isSame(actor, policyFile)) return null
  const { row, values } = operationIn(line)
  const fresh = requirement === 'approval' ? 'fresh' : undefined
  const asker = await mayAct(house, actor, place, row.needs?.(values) ?? 'operator', fresh)
  return asker.kind === 'not' ? asker.says : null
}

/** And since the press: whoever agreed must still be somebody who may, by the policy of this moment. */
async function approvalGone(house: House, request: Request, { demand }: Proposal): Promise<string | null> {
  const { decision, place, requirement, ask, votes = [] } = request
  if (decision === undefined || ask === undefined) return null
  if (decision.glass === true || requirement !== 'approval') {
    const needed = decision.glass === true ? 'admin' : 'operator'
    const decider = await mayAct(house, decision.by, place, needed, decision.glass && 'fresh')
    return decider.kind === 'not' ? decider.says : null
  }
  const counted = await Promise.all(votes.map((vote) => counts(house, request, vote, demand)))
  return counted.filter(Boolean).length >= ask.asking.needed ? null : sentences.approvalGone
}

/** Whether a vote would be given again now. */
async function counts(
  house: House,
  { place, ask }: Request,
  vote: Vote,
  { asking }: Proposal['demand'],
): Promise<boolean> {
  const [by, whose] = await Promise.all([
    standpointOf(house, vote.by, place, 'fresh'),
    standpointOf(house, vote.for ?? vote.by, place, 'fresh'),
  ])
  if (by === null || whose === null) return false
  const named = isApprover(whose, asking, ask?.fellBackAt !== undefined)
  return named && by.person.standing === 'full'
}
