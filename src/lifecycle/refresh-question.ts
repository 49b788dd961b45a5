import { mostAsks } from '../core/model/request.ts'
import { say } from '../core/model/words.ts'
import { isStricter } from '../core/policy/requirement.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { end } from '../core/requests/end.ts'
import { remind } from '../features/approvals/question.ts'
import { propose } from './planning/plan.ts'
import { toldWith } from './planning/planned-request.ts'
import { askOrRun } from './submit.ts'

/**
 * Plans a waiting request again, as it is planned before its call. What is no longer needed ends, what would do something
 * else or now takes more is asked anew, and any other question says how things stand by now.
 */
export async function refreshQuestion(services: Services, held: ClaimedRequest): Promise<void> {
  const { request } = held
  const { ask, digest, endpoint, change, requirement = 'nothing' } = request
  const proposal = await propose(services, request, held.command)
  // Whether the platform can be read matters before the call.
  if (ask === undefined || proposal.kind === 'later') return remind(services, held, request)
  if (proposal.kind === 'no') {
    const { says, holds } = proposal
    return end(services, held, 'cancelled', { says, ...(holds && { holds }) })
  }
  const { decided } = proposal
  const isOther = proposal.digest !== digest || isStricter(decided, { requirement, asking: ask.asking })
  // What nobody has to agree to any more waits for an answer all the same, since people were asked.
  if (isOther && decided.requirement !== 'nothing')
    return ask.n < mostAsks
      ? askOrRun(services, held, request, proposal)
      : end(services, held, 'cancelled', { says: say('request.changing', { asks: mostAsks }) })
  // Beside the work of another request, the question tells of that too.
  const holder = endpoint === undefined || change !== undefined ? null : await services.store.holderOf(endpoint.id)
  if (holder !== null && holder !== request.id) return remind(services, held, request)
  const told = await toldWith(services, request, proposal)
  return remind(services, held, { ...request, ask: { ...ask, why: told.why }, means: told.means })
}
