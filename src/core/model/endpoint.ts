import { say, type Words } from './words.ts'

/** One endpoint as last read. Every reader of the platform's answers makes this one shape. */
export interface Endpoint {
  readonly id: string
  readonly name: string
  /** `is_active`; null when the platform did not say. Unknown counts as active wherever it would hurt. */
  readonly active: boolean | null
  /** The platform's own word (RUNNING, DEPLOYING, …): an open list, shown and never trusted before `active`. */
  readonly status?: string
  readonly replicas?: number
  readonly autoscaled?: boolean
  readonly gpu?: string
  readonly url?: string
  readonly replicasByState?: Readonly<Record<string, number>>
  readonly tags?: readonly string[]
  /** A sentence when the platform's live look-up failed: the read is incomplete, and only a stop may rest on it. */
  readonly problem?: Words
  /** ISO 8601, as the platform wrote it. */
  readonly updatedAt?: string
}

/** As it runs once a line has started it: with the replicas that the line names, unless the platform scales it. */
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

/** What start and stop answer. `message` is the platform's own sentence. */
export interface StartStopAnswer {
  readonly id: string
  readonly active: boolean | null
  readonly message: string
}

/** The settings a patch can change, as its answer shows them. Values of environment variables are never kept: keys only. */
export interface Settings {
  readonly id: string
  readonly name: string
  readonly active: boolean | null
  readonly container_start_command: string | null
  readonly env_keys: readonly string[] | null
  readonly container_port: number | null
  readonly container_health_check_path: string | null
  readonly container_health_check_timeout: number | null
  readonly health_check_timeout: number | null
  readonly container_metric_path: string | null
  readonly updatedAt?: string
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

/** What may stand as an id in a path: `..`, or a slash, would turn one operation into another. */
export const endpointIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** What a replica can run on, and what an hour of it costs. */
export interface InstanceType {
  readonly names: readonly string[]
  /** Its GPU, where it has just one. */
  readonly gpu?: string
  readonly perHour?: number
  readonly currency?: string
}

export interface InstanceTypePage {
  readonly types: readonly InstanceType[]
  readonly pages: number
}

/** An endpoint as a request names it. */
export interface NamedEndpoint {
  readonly id: string
  readonly name: string
  /** Its name could be taken for another one's, so people who decide see its id as well. */
  readonly ambiguous?: true
}

/** Names made of these letters alone, ASCII's and Korean syllables, are told apart by reading them. */
const plain = /^[\w. 가-힣-]*$/

/** The endpoint by its id and name. `all`: every endpoint whose name it could be taken for. */
export function namedAmong({ id, name }: NamedEndpoint, all: readonly NamedEndpoint[]): NamedEndpoint {
  const ids = idsByName(all).get(folded(name)) ?? []
  return { id, name, ...((!plain.test(name) || ids.some((other) => other !== id)) && { ambiguous: true }) }
}

/** "Its id is ep-llm; …" of an endpoint whose name is not enough; else empty. */
export function idNote(endpoint: NamedEndpoint | undefined): Words {
  return endpoint?.ambiguous === true ? say('endpoint.idNote', { id: endpoint.id }) : ''
}

/** A list stays the same object until it changes. */
const known = new WeakMap<readonly NamedEndpoint[], ReadonlyMap<string, readonly string[]>>()

function idsByName(all: readonly NamedEndpoint[]): ReadonlyMap<string, readonly string[]> {
  const before = known.get(all)
  if (before !== undefined) return before
  const ids = new Map<string, readonly string[]>()
  for (const { id, name } of all) ids.set(folded(name), [...(ids.get(folded(name)) ?? []), id])
  known.set(all, ids)
  return ids
}

/** A name whatever its case, its width and its blanks. */
export function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().trim().replace(/ +/g, ' ')
}
