import type { Endpoint } from '../model/endpoint.ts'
import type { Step } from '../model/plan.ts'
import { call } from './call.ts'

/** The path parameter of every call on one endpoint. */
export function at(endpoint: Pick<Endpoint, 'id'>): { path: { endpoint_id: string } } {
  return { path: { endpoint_id: endpoint.id } }
}

export function starting(endpoint: Endpoint): Step {
  const start = call('post', '/endpoints/{endpoint_id}/start', { params: at(endpoint) })
  return { says: 'start', call: start, goal: 'serving', repeatable: true }
}

/** Sets an absolute number of replicas. `restored`: only if a start has come back with fewer. */
export function scalingTo(endpoint: Endpoint, count: number, goal: 'scaled' | 'restored'): Step {
  const scale = call('post', '/endpoints/{endpoint_id}/scale', { params: at(endpoint), body: { replica_count: count } })
  return { says: `scale to ${count}`, call: scale, goal: `${goal}:${count}`, repeatable: false, needs: 'active' }
}

/** Starts it again with the replicas it had, also if a step before has failed. */
export function startingAgain(endpoint: Endpoint): readonly Step[] {
  const { replicas, autoscaled } = endpoint
  const hasFixed = replicas !== undefined && replicas >= 1 && autoscaled === false
  const steps = [starting(endpoint), ...(hasFixed ? [scalingTo(endpoint, replicas, 'restored')] : [])]
  return steps.map((step) => ({ ...step, always: true }))
}

export function stopping(endpoint: Endpoint): Step {
  const stop = call('post', '/endpoints/{endpoint_id}/stop', { params: at(endpoint) })
  return { says: 'stop', call: stop, goal: 'stopped', repeatable: true }
}
