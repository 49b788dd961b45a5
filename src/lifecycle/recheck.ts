import type { Place } from '../core/model/actor.ts'
import { mostAsks } from '../core/model/limits.ts'
import type { PolicyDecision } from '../core/model/policy.ts'
import type { Ending, Request } from '../core/model/request.ts'
import { sentences } from '../core/model/sentences.ts'
import { isStricter } from '../core/policy/requirement.ts'
import { confirmerOf, voteNow } from '../core/policy/who-answers.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { authorize, authorizeRequester, lookUpPerson } from '../core/requests/authorize.ts'
import { whyInUse } from '../features/idle/last-look.ts'
import { whyWithdrawn } from '../features/schedules/hand-in.ts'
import type { Proposal } from './planning/plan.ts'

/** What has become of an agreement. `other`: people have to be asked again; `over`: the request ends. */
type Recheck =
  | { readonly kind: 'agreed' | 'other' }
  | { readonly kind: 'over'; readonly status: 'cancelled' | 'refused'; readonly ending: Omit<Ending, 'at'> }

/** Whether what people agreed to is still what would be done, and they may still agree to it. */
export async function recheck(services: Services, held: ClaimedRequest, proposal: Proposal): Promise<Recheck> {
  const { request, command } = held
  const { endpoint, demand } = proposal
  const left = await whyWithdrawn(services, held, endpoint)
  if (left !== null) return over('cancelled', left)
  const used = await whyInUse(services, request, endpoint)
  if (used !== null) return over('cancelled', { says: used })
  // The requester still needs the role, even if people are asked again or nobody has to agree any more.
  const needed = command.row.needs?.(command.values) ?? 'operator'
  const sure = request.requirement === 'approval' ? 'fresh' : 'recent'
  const requester = await authorizeRequester(services, request, needed, sure)
  if (requester.kind === 'not') return over('refused', { says: requester.says })
  const then = { requirement: request.requirement ?? 'nothing', asking: request.ask?.asking ?? demand.asking }
  if (proposal.digest !== request.digest || isStricter(demand, then)) return other(request)
  return answersNow(services, request, demand)
}

function over(status: 'cancelled' | 'refused', ending: Omit<Ending, 'at'>): Recheck {
  return { kind: 'over', status, ending }
}

function other({ ask }: Request): Recheck {
  return (ask?.n ?? 0) >= mostAsks ? over('cancelled', { says: sentences.changing }) : { kind: 'other' }
}

/** Of answers from before places were kept: no channel gives them a role. */
const unknownPlace: Place = { channel: '', chosen: true }

/** Whether those who agreed still may, by the policy of this moment. */
async function answersNow(services: Services, request: Request, demand: PolicyDecision): Promise<Recheck> {
  const { decision, requirement, ask, votes = [] } = request
  if (decision === undefined || ask === undefined) return { kind: 'agreed' }
  if (decision.glass === true || requirement !== 'approval') {
    const needed = decision.glass === true ? 'admin' : confirmerOf(request)
    const sure = needed === 'admin' ? 'fresh' : 'recent'
    const decider = await authorize(services, decision.by, decision.place ?? unknownPlace, needed, sure)
    return decider.kind === 'may' ? { kind: 'agreed' } : over('refused', { says: decider.says })
  }
  const counted = await Promise.all(
    votes.map(async ({ by, for: whose = by, place = unknownPlace }) => {
      const people = [by, whose].map((one) => lookUpPerson(services, one, place, 'fresh'))
      const [giver = null, absent = null] = await Promise.all(people)
      return voteNow(request, giver, absent, demand.asking)
    }),
  )
  if (counted.filter((one) => one === 'counts').length >= ask.asking.needed) return { kind: 'agreed' }
  // Nobody has lost anything; the policy names others by now, and they can be asked.
  const isListed = demand.requirement === 'approval' && demand.asking.from !== null
  return isListed && !counted.includes('gone') ? other(request) : over('refused', { says: sentences.approvalGone })
}
