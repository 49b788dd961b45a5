import type { Endpoint } from '../domain/endpoint.ts'
import { idleRuleOf } from '../domain/idle-rules.ts'
import type { Request } from '../domain/request.ts'
import { idlerOf, knownNow } from './idler.ts'
import { noMore } from './idling-asked.ts'
import type { House } from './ports.ts'
import type { Watched } from './watch.ts'
import { lookAt } from './watching.ts'

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
