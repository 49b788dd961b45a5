import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Request } from '../../core/model/request.ts'
import type { Watched } from '../../core/ports/metrics.ts'
import type { House } from '../../core/ports/services.ts'
import { idlerOf, knownNow } from './candidate.ts'
import { noMore } from './follow-up.ts'
import { idleRuleOf } from './idle-rules.ts'
import { lookAt } from './watch-endpoints.ts'

/**
 * Why an endpoint is not to be stopped for idleness after all, looked at right before the call; or null. Not to know is
 * no yes. What a person has said yes to is theirs.
 */
export async function inUse(house: House, request: Request, endpoint: Endpoint | undefined): Promise<string | null> {
  if (request.via !== 'idle' || request.decision !== undefined || endpoint === undefined) return null
  const [records, before] = await Promise.all([house.store.records(), house.store.watchedOf(endpoint.id)])
  const rule = idleRuleOf(records, house.policy(), endpoint)
  const watched = await lookAt(house, endpoint, rule, before, { last: true })
  const idler = idlerOf(await knownNow(house), endpoint, watched)
  const why = noMore(idler, request.occurrence) ?? unseen(watched)
  return why === null ? null : `${endpoint.name} was left up: ${why}.`
}

function unseen({ segments }: Watched): string | null {
  const last = segments.at(-1)
  return last?.state === 'quiet' ? null : `whether it is used cannot be seen (${last?.why})`
}
