import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Request } from '../../core/model/request.ts'
import type { Services } from '../../core/ports/services.ts'
import { idleCandidateOf, idleContextNow } from './candidate.ts'
import { whyCancelled } from './follow-up.ts'
import { idleRuleOf } from './idle-rules.ts'
import { watchEndpoint } from './watch-endpoints.ts'

/**
 * Looks once more right before an idle stop: why it is not made after all, or null. Unknown use prevents it. After a
 * person's agreement there is no look.
 */
export async function whyInUse(
  services: Services,
  request: Request,
  endpoint: Endpoint | undefined,
): Promise<string | null> {
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
