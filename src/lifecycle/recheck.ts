import { neededFor } from '../core/commands/permissions.ts'
import type { PolicyDecision } from '../core/model/policy.ts'
import { mostAsks } from '../core/model/question.ts'
import type { Ending, Request } from '../core/model/request.ts'
import type { Actor, Place, Role } from '../core/model/roles.ts'
import { idOf, say, type Words } from '../core/model/words.ts'
import { isStricter } from '../core/policy/requirement.ts'
import { asksOthers, confirmerOf, voteNow } from '../core/policy/who-answers.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { type Authorization, authorize, authorizeRequester, lookUpPerson } from '../core/requests/authorize.ts'
import type { PlannedChange } from './planning/plan.ts'
import { lookAtIdle, whyOutdated } from './while-waiting.ts'

/** `other`: ask again; `over`: end; `unsure`: a role is unknown. `seen`: the current reason for an idle stop. */
type Recheck =
  | { readonly kind: 'agreed' | 'other'; readonly seen?: Pick<Request, 'evidence' | 'reason'> }
  | { readonly kind: 'over'; readonly status: 'cancelled' | 'refused'; readonly ending: Omit<Ending, 'at'> }
  | { readonly kind: 'unsure'; readonly says: Words }

type Refusal = Extract<Authorization, { readonly kind: 'not' }>

/** Compares the new plan with the agreed one, and checks that the people who agreed still may. */
export async function recheck(services: Services, claim: ClaimedRequest, planned: PlannedChange): Promise<Recheck> {
  const { request, command } = claim
  const { endpoint, decided } = planned
  const left = await whyOutdated(services, claim, endpoint)
  const idle = left ?? (await lookAtIdle(services, request, endpoint))
  if (idle !== null && 'says' in idle) return over('cancelled', idle)
  // The requester still needs the role, even if people are asked again or no agreement is needed any more.
  const needed = neededFor(command.row, command.values)
  const sure = request.requirement === 'approval' ? 'fresh' : 'recent'
  const requester = await authorizeRequester(services, request, needed, sure)
  if (requester.kind === 'not') return without(services, request.actor, needed, requester)
  const then = { requirement: request.requirement ?? 'nothing', asking: request.ask?.asking ?? decided.asking }
  if (planned.digest !== request.digest || isStricter(decided, then)) return other(request)
  const answers = await answersNow(services, request, decided)
  return answers.kind === 'agreed' && idle !== null ? { ...answers, seen: idle } : answers
}

function over(status: 'cancelled' | 'refused', ending: Omit<Ending, 'at'>): Recheck {
  return { kind: 'over', status, ending }
}

/** Names the person who lacks the role, also one who has left or is a guest: everyone in the channel reads why it ends. */
function without({ project }: Services, who: Actor, role: Role, { says, lacks, stranger, unsure }: Refusal): Recheck {
  if (unsure === true) return { kind: 'unsure', says }
  const isLost = lacks !== undefined || stranger !== undefined || idOf(says) === 'role.guest'
  return over('refused', { says: isLost ? say('role.lost', { who: { person: who }, role, project }) : says })
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
  if (decision === undefined || ask === undefined || requirement === 'nothing') return { kind: 'agreed' }
  if (decision.glass === true || requirement !== 'approval') {
    const confirmer = confirmerOf(request)
    const needed = decision.glass === true ? 'admin' : confirmer === 'requester' ? 'viewer' : confirmer
    const sure = needed === 'admin' ? 'fresh' : 'recent'
    const decider = await authorize(services, decision.by, decision.place ?? unknownPlace, needed, sure)
    return decider.kind === 'may' ? { kind: 'agreed' } : without(services, decision.by, needed, decider)
  }
  const counted = await Promise.all(
    votes.map(async ({ by, for: whose = by, place = unknownPlace }) => {
      const people = [by, whose].map((one) => lookUpPerson(services, one, place, 'fresh'))
      const [giver = null, absent = null] = await Promise.all(people)
      return voteNow(request, giver, absent, decided.asking)
    }),
  )
  if (counted.filter((one) => one === 'counts').length >= ask.asking.needed) return { kind: 'agreed' }
  if (counted.includes('unsure')) return { kind: 'unsure', says: say('approval.unchecked') }
  // The policy now names other approvers, who can be asked.
  const isListed = decided.requirement === 'approval' && decided.asking.from !== null
  const canAsk = isListed || asksOthers(decided, { requirement, asking: ask.asking })
  return canAsk && !counted.includes('gone') ? other(request) : over('refused', { says: say('approval.gone') })
}
