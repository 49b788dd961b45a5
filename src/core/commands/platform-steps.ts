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

/** Sets the number of replicas, always as an absolute one, so that twice is the same as once. */
export function scalingTo(endpoint: Endpoint, count: number): Step {
  return { ...scaling(endpoint, count), goal: `scaled:${count}` }
}

/** Brings back the replicas it had, where a start came back with fewer; otherwise there is nothing to do. */
export function restoring(endpoint: Endpoint): readonly Step[] {
  const { replicas, autoscaled } = endpoint
  if (replicas === undefined || replicas < 1 || autoscaled !== false) return []
  return [always(bringing(endpoint, replicas))]
}

/** As many replicas as wanted, where a start came back with fewer. */
export function bringing(endpoint: Endpoint, count: number): Step {
  return { ...scaling(endpoint, count), goal: `restored:${count}` }
}

function scaling(endpoint: Endpoint, count: number): Omit<Step, 'goal'> {
  const scale = call('post', '/endpoints/{endpoint_id}/scale', { params: at(endpoint), body: { replica_count: count } })
  return { says: `scale to ${count}`, call: scale, repeatable: false, needs: 'active' }
}

/** Done also when a step before has failed. */
export function always(step: Step): Step {
  return { ...step, always: true }
}

export function stopping(endpoint: Endpoint): Step {
  const stop = call('post', '/endpoints/{endpoint_id}/stop', { params: at(endpoint) })
  return { says: 'stop', call: stop, goal: 'stopped', repeatable: true }
}
