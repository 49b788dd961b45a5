import type { Endpoint } from '../domain/endpoint.ts'
import type { Step } from '../domain/plan.ts'
import { call } from './call.ts'

/** The path parameter of every call on one endpoint. */
export function at(endpoint: Pick<Endpoint, 'id'>): { path: { endpoint_id: string } } {
  return { path: { endpoint_id: endpoint.id } }
}

export function starting(endpoint: Endpoint): Step {
  const start = call('post', '/endpoints/{endpoint_id}/start', { params: at(endpoint) })
  return { says: 'start', call: start, goal: 'serving', repeatable: true }
}

export function stopping(endpoint: Endpoint): Step {
  const stop = call('post', '/endpoints/{endpoint_id}/stop', { params: at(endpoint) })
  return { says: 'stop', call: stop, goal: 'stopped', repeatable: true }
}
