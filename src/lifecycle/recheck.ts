import type { Place } from '../core/model/actor.ts'
import type { Endpoint } from '../core/model/endpoint.ts'
import { mostAsks } from '../core/model/limits.ts'
import type { PolicyDecision } from '../core/model/policy.ts'
import type { Ending, Request } from '../core/model/request.ts'
import { sentences } from '../core/model/sentences.ts'
import { isStricter } from '../core/policy/requirement.ts'
import { confirmerOf, voteNow } from '../core/policy/who-answers.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { authorize, authorizeRequester, lookUpPerson } from '../core/requests/authorize.ts'
import { idleCandidateOf, idleContextNow } from '../features/idle/candidate.ts'
import { whyCancelled } from '../features/idle/follow-up.ts'
import { idleRuleOf } from '../features/idle/idle-rules.ts'
import { watchEndpoint } from '../features/idle/watch-endpoints.ts'
import { whySkipped } from '../features/schedules/look.ts'
import { bookFor } from '../features/schedules/rulebook-cache.ts'
import { desired } from '../features/schedules/rules/desired-state.ts'
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

/**
 * Looks once more right before an idle stop: why it is not made after all, or null. Unknown use prevents it. After a
 * person's agreement there is no look.
 */
async function whyInUse(services: Services, request: Request, endpoint: Endpoint | undefined): Promise<string | null> {
  if (request.via !== 'idle' || request.decision !== undefined || endpoint === undefined) return null
  const [records, before] = await Promise.all([services.store.records(), services.store.watchedOf(endpoint.id)])
  const rule = idleRuleOf(records, services.policy(), endpoint)
  const watched = await watchEndpoint(services, endpoint, rule, before, { last: true })
  const idler = idleCandidateOf(await idleContextNow(services), endpoint, watched)
  const last = watched.segments.at(-1)
  const unseen = last?.state === 'quiet' ? null : `whether it is used cannot be seen (${last?.why})`
  const why = whyCancelled(idler, request.occurrence) ?? unseen
  return why === null ? null : `${endpoint.name} was left up: ${why}.`
}

/** Why a rule's request is cancelled after all, or null. One that a person agreed to is never cancelled. */
async function whyWithdrawn(
  services: Services,
  { request: { via, decision }, command }: ClaimedRequest,
  endpoint: Endpoint | undefined,
): Promise<Pick<Ending, 'says' | 'keptBy'> | null> {
  if (via !== 'schedule' || decision !== undefined || endpoint === undefined) return null
  const now = services.clock.now()
  const rules = bookFor(services, await services.store.records()).of(endpoint)
  const { want } = desired(rules, now)
  return want === command.row.wants ? null : whySkipped(endpoint.name, rules, now)
}
