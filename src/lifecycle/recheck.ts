import { isSame, type Place, policyFile } from '../core/model/actor.ts'
import { mostAsks } from '../core/model/limits.ts'
import type { Vote } from '../core/model/question.ts'
import { isAutomatic, type Request } from '../core/model/request.ts'
import { sentences } from '../core/model/sentences.ts'
import { isStricter } from '../core/policy/requirement.ts'
import { confirmerOf, isApprover } from '../core/policy/who-answers.ts'
import type { Held, House } from '../core/ports/services.ts'
import { mayAct, standpointOf } from '../core/requests/authorize.ts'
import { end } from '../core/requests/end.ts'
import { inUse } from '../features/idle/last-look.ts'
import { unwanted } from '../features/schedules/hand-in.ts'
import { begin } from './ask-or-run.ts'
import type { Proposal } from './planning/proposal.ts'

/**
 * Whether what people agreed to is still what would be done, and they still may agree to it. Otherwise the same card
 * asks again, or the request ends; then there is nothing more to do for it.
 */
export async function stillAgreed(house: House, held: Held, proposal: Proposal): Promise<boolean> {
  const { request } = held
  const { endpoint } = proposal
  const left = await unwanted(house, held, endpoint)
  const used = left === null ? await inUse(house, request, endpoint) : null
  if (left !== null || used !== null) {
    await end(house, held, 'cancelled', left ?? { says: used ?? '' })
    return false
  }
  // Before anything else: what has to be asked again, or takes nothing by now, is still theirs to ask for.
  const gone = await askerGone(house, held)
  if (gone !== null) {
    await end(house, held, 'refused', { says: gone })
    return false
  }
  const then = { requirement: request.requirement ?? 'nothing', asking: request.ask?.asking ?? proposal.demand.asking }
  const isOther = proposal.digest !== request.digest || isStricter(proposal.demand, then)
  const refusal = isOther ? null : await approvalGone(house, request, proposal)
  if (isOther || refusal === narrowed) {
    if ((request.ask?.n ?? 0) >= mostAsks) await end(house, held, 'cancelled', { says: sentences.changing })
    else await begin(house, held, request, proposal)
    return false
  }
  if (refusal === null) return true
  await end(house, held, 'refused', { says: refusal })
  return false
}

/** Roles may have been taken away since the asking. */
async function askerGone(house: House, { request, command }: Held): Promise<string | null> {
  const { actor, place, requirement } = request
  if (isAutomatic(request) && isSame(actor, policyFile)) return null
  const { row, values } = command
  const sure = requirement === 'approval' ? 'fresh' : 'recent'
  const asker = await mayAct(house, actor, place, row.needs?.(values) ?? 'operator', sure)
  return asker.kind === 'not' ? asker.says : null
}

/** Of answers from before places were kept: no channel gives them a role. */
const unknownPlace: Place = { channel: '', chosen: true }

/** Nobody has lost anything; the policy wants others by now, and they can be asked. */
const narrowed = Symbol('narrowed')

/** And since the press: whoever agreed must still be somebody who may, by the policy of this moment. */
async function approvalGone(
  house: House,
  request: Request,
  { demand }: Proposal,
): Promise<string | typeof narrowed | null> {
  const { decision, requirement, ask, votes = [] } = request
  if (decision === undefined || ask === undefined) return null
  if (decision.glass === true || requirement !== 'approval') {
    const needed = decision.glass === true ? 'admin' : confirmerOf(request)
    const sure = needed === 'admin' ? 'fresh' : 'recent'
    const decider = await mayAct(house, decision.by, decision.place ?? unknownPlace, needed, sure)
    return decider.kind === 'not' ? decider.says : null
  }
  const counted = await Promise.all(votes.map((vote) => standing(house, request, vote, demand)))
  if (counted.filter((one) => one === 'counts').length >= ask.asking.needed) return null
  const isListed = demand.requirement === 'approval' && demand.asking.from !== null
  return isListed && !counted.includes('gone') ? narrowed : sentences.approvalGone
}

/** Whether a vote would be given again now; `unlisted`: only since the policy's list names others. */
async function standing(
  house: House,
  { ask }: Request,
  vote: Vote,
  { asking }: Proposal['demand'],
): Promise<'counts' | 'unlisted' | 'gone'> {
  const place = vote.place ?? unknownPlace
  const [by, whose] = await Promise.all([
    standpointOf(house, vote.by, place, 'fresh'),
    standpointOf(house, vote.for ?? vote.by, place, 'fresh'),
  ])
  if (by?.person.standing !== 'full' || whose?.person.standing !== 'full' || whose.role === null) return 'gone'
  return isApprover(whose, asking, ask?.fellBackAt !== undefined) ? 'counts' : 'unlisted'
}
