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

/** Sets an absolute number of replicas, so that repeating it changes nothing. */
export function scalingTo(endpoint: Endpoint, count: number): Step {
  return { ...scaling(endpoint, count), goal: `scaled:${count}` }
}

/** Restores the replicas that the endpoint had, if a start comes back with fewer. */
export function restoring(endpoint: Endpoint): readonly Step[] {
  const { replicas, autoscaled } = endpoint
  if (replicas === undefined || replicas < 1 || autoscaled !== false) return []
  return [always(scaleBackStep(endpoint, replicas))]
}

/** Scales up to `count`, if a start has come back with fewer. */
export function scaleBackStep(endpoint: Endpoint, count: number): Step {
  return { ...scaling(endpoint, count), goal: `restored:${count}` }
}

function scaling(endpoint: Endpoint, count: number): Omit<Step, 'goal'> {
  const scale = call('post', '/endpoints/{endpoint_id}/scale', { params: at(endpoint), body: { replica_count: count } })
  return { says: `scale to ${count}`, call: scale, repeatable: false, needs: 'active' }
}

/** A step that is done also if an earlier one has failed. */
export function always(step: Step): Step {
  return { ...step, always: true }
}

export function stopping(endpoint: Endpoint): Step {
  const stop = call('post', '/endpoints/{endpoint_id}/stop', { params: at(endpoint) })
  return { says: 'stop', call: stop, goal: 'stopped', repeatable: true }
}
