import type { paths } from '../../../generated/api.ts'
import type {
  Endpoint,
  EndpointPage,
  InstanceTypePage,
  KeyContext,
  LogFile,
  Replica,
  Settings,
  StartStopAnswer,
} from '../model/endpoint.ts'
import type { PlannedCall, Step } from '../model/plan.ts'

type Method = PlannedCall['method']

/** Our type for each answer in the specification. The parsers are in `adapters/platform/read.ts`. */
export interface Answers {
  'get /me': KeyContext
  'get /endpoints': EndpointPage
  'get /instance-types': InstanceTypePage
  'get /endpoints/{endpoint_id}': Endpoint
  'patch /endpoints/{endpoint_id}': Settings
  'post /endpoints/{endpoint_id}/start': StartStopAnswer
  'post /endpoints/{endpoint_id}/stop': StartStopAnswer
  'post /endpoints/{endpoint_id}/scale': Pick<StartStopAnswer, 'message'>
  'get /endpoints/{endpoint_id}/replicas': readonly Replica[]
  'get /endpoints/{endpoint_id}/logs': readonly LogFile[]
  'get /endpoints/{endpoint_id}/logs/file': { readonly content: string }
}

/** A call to the platform as a value, which can be stored, compared and made later. */
export interface Call<Answer = unknown> extends PlannedCall {
  /** Carries the type of the answer; never set. */
  readonly answers?: Answer
}

type PathsWith<M extends Method> = {
  [P in keyof paths]: `${M} ${P}` extends keyof Answers ? P : never
}[keyof paths]

type Given<Name extends string, T> = [T] extends [undefined]
  ? object
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }
type Clean<T> = Exclude<T, undefined>
type Of<P extends keyof paths, M extends Method> = M extends keyof paths[P] ? NonNullable<paths[P][M]> : never
type Params<O> = O extends { parameters: { path?: infer Path; query?: infer Query } }
  ? Given<'path', Clean<Path>> & Given<'query', Clean<Query>>
  : object
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? { body: B } : object
type Init<P extends keyof paths, M extends Method> = Given<'params', Params<Of<P, M>>> & Body<Of<P, M>>

/** Makes a call typed by the specification: a wrong path, method, parameter or body does not compile. */
export function call<M extends Method, P extends PathsWith<M>>(
  method: M,
  path: P,
  ...init: object extends Init<P, M> ? [Init<P, M>?] : [Init<P, M>]
): Call<Answers[`${M} ${P}` & keyof Answers]> {
  return { method, path, ...init[0] }
}

export function at(endpoint: Pick<Endpoint, 'id'>): { path: { endpoint_id: string } } {
  return { path: { endpoint_id: endpoint.id } }
}

export function starting(endpoint: Endpoint): Step {
  const start = call('post', '/endpoints/{endpoint_id}/start', { params: at(endpoint) })
  return { says: 'start', call: start, goal: 'serving', repeatable: true }
}

/** Sets an absolute number of replicas. `restored`: only if a start came back with fewer. */
export function scalingTo(endpoint: Endpoint, count: number, goal: 'scaled' | 'restored'): Step {
  const scale = call('post', '/endpoints/{endpoint_id}/scale', { params: at(endpoint), body: { replica_count: count } })
  return { says: `scale to ${count}`, call: scale, goal: `${goal}:${count}`, repeatable: false, needs: 'active' }
}

/** Starts the endpoint again with its previous replicas, even after a failed step. */
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
