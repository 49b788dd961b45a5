import { say, type Words } from './words.ts'

/** An endpoint as last read. All answers of the platform are converted to this shape. */
export interface Endpoint {
  readonly id: string
  readonly name: string
  /** `is_active`; null if the platform did not say. An unknown state counts as active if that is safer. */
  readonly active: boolean | null
  /** The platform's own status (RUNNING, DEPLOYING, …), from an open list. Shown, but `active` takes precedence. */
  readonly status?: string
  readonly replicas?: number
  readonly autoscaled?: boolean
  readonly gpu?: string
  readonly url?: string
  readonly replicasByState?: Readonly<Record<string, number>>
  readonly tags?: readonly string[]
  /** Set if the platform's live lookup failed: the read is incomplete, and only a stop may rely on it. */
  readonly problem?: Words
  /** ISO 8601, as the platform wrote it. */
  readonly updatedAt?: string
}

/** The state of an endpoint, in our words. A failed one is active but does not serve; it still costs. */
export type State = 'running' | 'stopped' | 'starting' | 'stopping' | 'changing' | 'failed' | 'unknown'

/** The platform's words for our states, the worst first; any other word is shown beside ours. */
const words: readonly (readonly [State, RegExp])[] = [
  // Ray Serve's DEPLOY_FAILED and UNHEALTHY, and similar ones.
  ['failed', /FAIL|UNHEALTHY|ERROR|CRASH/i],
  ['stopping', /^(STOPPING|TERMINATING|DELETING|SHUTTING_?DOWN|DRAINING)$/i],
  ['starting', /^(STARTING|DEPLOYING|PENDING|PROVISIONING|INITIALI[SZ]ING|CREATING|LOADING|QUEUED)$/i],
  // An active endpoint with such a status is on its way up or down.
  ['changing', /^(STOPPED|INACTIVE|UPDATING|SCALING|UPSCALING|DOWNSCALING|RESTARTING)$/i],
  ['running', /^(RUNNING|ACTIVE|READY|HEALTHY|SERVING)$/i],
]

/** Translates the platform's status into our words; undefined for any other status. */
export function stateOfWord(status: string): State | undefined {
  return words.find(([, pattern]) => pattern.test(status))?.[0]
}

/** `is_active` decides whether an endpoint is stopped, because a stopped one may keep an old status. */
export function currentState({ active, status = '' }: Pick<Endpoint, 'active' | 'status'>): State {
  if (active === null) return 'unknown'
  return active ? (stateOfWord(status) ?? 'running') : 'stopped'
}

/** Returns the endpoint after a start with these values: with the line's replicas, unless it is autoscaled. */
export function asStarted(endpoint: Endpoint, { replicas }: { readonly replicas?: unknown }): Endpoint {
  return typeof replicas !== 'number' || endpoint.autoscaled === true ? endpoint : { ...endpoint, replicas }
}

/** A page of the list; `pages` counts from 1. */
export interface EndpointPage {
  readonly endpoints: readonly Endpoint[]
  readonly page: number
  readonly pages: number
  readonly total: number
}

export interface KeyContext {
  readonly organization: string
  readonly project: string
  readonly key: string | null
  readonly user: string | null
}

/** The answer to a start or stop. `message` is the platform's own sentence. */
export interface StartStopAnswer extends Pick<Endpoint, 'id' | 'active'> {
  readonly message: string
}

/** The settings that a patch can change, as its answer shows them. Environment variables keep only their keys. */
export interface Settings extends Pick<Endpoint, 'id' | 'name' | 'active' | 'updatedAt'> {
  readonly container_start_command: string | null
  readonly env_keys: readonly string[] | null
  readonly container_port: number | null
  readonly container_health_check_path: string | null
  readonly container_health_check_timeout: number | null
  readonly health_check_timeout: number | null
  readonly container_metric_path: string | null
}

type Updated = Pick<Endpoint, 'updatedAt'>

/** Whether the platform's times of update show a later change. They are compared by the second. */
export function isUpdatedSince({ updatedAt = '' }: Updated, { updatedAt: before = '' }: Updated): boolean {
  return Math.floor(Date.parse(updatedAt) / 1_000) > Math.floor(Date.parse(before) / 1_000)
}

export interface Replica {
  readonly id: string
  readonly state: string
  readonly node: string | null
  /** Unix seconds, may have a fraction. */
  readonly startedAt: number | null
}

export interface LogFile {
  readonly node: string
  readonly replica: string
  readonly filename: string
  readonly historical: boolean
  readonly start: string | null
  readonly end: string | null
}

/** Valid ids in a path. `..` or a slash would turn one operation into another. */
export const endpointIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** Hardware that a replica can run on, and its hourly price. */
export interface InstanceType {
  readonly names: readonly string[]
  /** Its GPU, if it has exactly one. */
  readonly gpu?: string
  readonly perHour?: number
  readonly currency?: string
}

export interface InstanceTypePage {
  readonly types: readonly InstanceType[]
  readonly pages: number
}

export interface NamedEndpoint {
  readonly id: string
  readonly name: string
  /** The name could be mistaken for another endpoint's, so the people who decide also see the id. */
  readonly ambiguous?: true
}

/** Names of only these letters (ASCII and Korean syllables) cannot be mistaken for each other. */
const plain = /^[\w. 가-힣-]*$/

/** Returns an endpoint's id and name. `all`: every endpoint that it could be mistaken for. */
export function namedAmong({ id, name }: NamedEndpoint, all: readonly NamedEndpoint[]): NamedEndpoint {
  const ids = idsByName(all).get(folded(name)) ?? []
  return { id, name, ...((!plain.test(name) || ids.some((other) => other !== id)) && { ambiguous: true }) }
}

/** "Its id is ep-llm; …" for an endpoint with an ambiguous name, otherwise empty. */
export function idNote(endpoint: NamedEndpoint | undefined): Words {
  return endpoint?.ambiguous === true ? say('endpoint.idNote', { id: endpoint.id }) : ''
}

/** A list stays the same object until it changes, so it can be a key. */
const known = new WeakMap<readonly NamedEndpoint[], ReadonlyMap<string, readonly string[]>>()

function idsByName(all: readonly NamedEndpoint[]): ReadonlyMap<string, readonly string[]> {
  const before = known.get(all)
  if (before !== undefined) return before
  const ids = new Map<string, readonly string[]>()
  for (const { id, name } of all) ids.set(folded(name), [...(ids.get(folded(name)) ?? []), id])
  known.set(all, ids)
  return ids
}

/** Normalizes a name's case, width and blanks. */
export function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().trim().replace(/ +/g, ' ')
}
