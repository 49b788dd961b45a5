import { call } from '../commands/call.ts'
import { at } from '../commands/platform-steps.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Step } from '../model/plan.ts'
import { withRemedy } from '../ports/platform.ts'
import type { Services } from '../ports/services.ts'

/** A live read. `gone`: the platform has no such endpoint for this key; `no`: it will not say; `later`: try again. */
export type ReadOfOne =
  | { readonly kind: 'read'; readonly endpoint: Endpoint }
  | { readonly kind: 'gone'; readonly says: string }
  | { readonly kind: 'no'; readonly says: string }
  | { readonly kind: 'later'; readonly says: string }

/**
 * A 200 that carries a problem is half a read: `is_active` stands in it, and is believed before anything else; what it
 * shows of the live state may be old, or a guess. It comes to `later`, except where half of it is enough.
 */
export async function readEndpoint(
  services: Services,
  id: string,
  enough: 'whole' | 'half' = 'whole',
): Promise<ReadOfOne> {
  const outcome = await services.platform.send(call('get', '/endpoints/{endpoint_id}', { params: at({ id }) }))
  switch (outcome.kind) {
    case 'answered': {
      const endpoint = outcome.answer
      const { problem, active } = endpoint
      if (problem === undefined || (enough === 'half' && active !== null)) return { kind: 'read', endpoint }
      return { kind: 'later', says: problem }
    }
    case 'refused':
      return { kind: outcome.status === 404 ? 'gone' : 'no', says: withRemedy(outcome) }
    default:
      return { kind: 'later', says: outcome.says }
  }
}

/** How much of a read tells where a step stands: whether it is stopped is told by `is_active` alone. */
export function partNeededFor({ goal }: Pick<Step, 'goal'>): 'whole' | 'half' {
  return goal === 'stopped' ? 'half' : 'whole'
}
