import type { Endpoint } from '../domain/endpoint.ts'
import { call } from '../operations/call.ts'
import { at } from '../operations/steps.ts'
import type { House } from './ports.ts'

/** A live read. `gone`: the platform has no such endpoint for this key; `no`: it will not say; `later`: try again. */
export type ReadOfOne =
  | { readonly kind: 'read'; readonly endpoint: Endpoint }
  | { readonly kind: 'gone'; readonly says: string }
  | { readonly kind: 'no'; readonly says: string }
  | { readonly kind: 'later'; readonly says: string }

export async function readEndpoint(house: House, id: string): Promise<ReadOfOne> {
  const outcome = await house.platform.send(call('get', '/endpoints/{endpoint_id}', { params: at({ id }) }))
  switch (outcome.kind) {
    case 'answered': {
      const endpoint = outcome.answer
      // A 200 that carries a problem is half a read: what it shows of the state may be old, or a guess.
      return endpoint.problem === undefined ? { kind: 'read', endpoint } : { kind: 'later', says: endpoint.problem }
    }
    case 'refused':
      return { kind: outcome.status === 404 ? 'gone' : 'no', says: outcome.says }
    default:
      return { kind: 'later', says: outcome.says }
  }
}
