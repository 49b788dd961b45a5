import type { components } from '../../generated/api.ts'
import type { Faults } from './faults.ts'
import type { OperationName, Traffic } from './names.ts'
import type { ScrapeFate } from './scrape.ts'
import type { ServerKind } from './servers.ts'

export type Schemas = components['schemas']

export type Settings = Required<Schemas['PatchRequest']>

/** A clock in ms since 1970. A test moves it by returning another time. */
export interface SandboxClock {
  now(): number
}

export interface PlatformOptions {
  /** The port on 127.0.0.1; by default, a free one. */
  readonly port?: number
  readonly clock?: SandboxClock
  /** By default, one key that may access every endpoint. */
  readonly keys?: readonly SandboxKey[]
  readonly endpoints?: readonly NewEndpoint[]
  /** ms from a start until replicas run; 0 by default. */
  readonly startDelayMs?: number
  /** ms from a stop until the status is STOPPED, while `is_active` is false at once; 0 by default. */
  readonly stopDelayMs?: number
  /** The most replicas that a start brings back, as if stock had run low; by default, as many as before. */
  readonly mostAfterStart?: number
  /** Whether replicas listen on ports of their own; if not, thousands of active endpoints cost nothing. */
  readonly listeningReplicas?: boolean
  /** The only accepted name of a scale's field, `replica_count` by default; the other is refused. */
  readonly scaleField?: 'replica_count' | 'num_replicas'
  /** Prices of a replica by its GPU, KRW per hour; without them, there is no list of instance types. */
  readonly prices?: Readonly<Record<string, number>>
  /** Whether a patch replaces the environment variables (the default) or adds to them: platforms do not say. */
  readonly envVars?: 'replace' | 'merge'
}

export interface SandboxKey {
  readonly key: string
  /** The id that records use instead of the key itself. */
  readonly id: string
  readonly user?: string
  /** Ids it may access; all if left out. */
  readonly endpoints?: readonly string[]
}

export interface NewEndpoint {
  /** A UUID by default. */
  readonly id?: string
  readonly name: string
  readonly active?: boolean
  readonly replicas?: number
  readonly autoscaled?: boolean
  readonly gpu?: string
  readonly tags?: readonly string[]
  readonly settings?: Partial<Settings>
  /** The bearer token that the endpoint's own address requires. */
  readonly servingKey?: string
  /** What its replicas run; vLLM by default. */
  readonly server?: ServerKind
  /** No traffic by default. */
  readonly traffic?: Traffic
}

/** How a deployment turns out after the startup delay. */
export type Fate = 'running' | 'deploy_failed' | 'unhealthy'

/** A change to an endpoint, even one that had no effect. Refused calls are not listed. */
export interface Change {
  readonly at: number
  readonly endpointId: string
  readonly kind: 'start' | 'stop' | 'scale' | 'patch'
  /** False if the endpoint was already so. */
  readonly effective: boolean
  readonly by: 'api' | 'console'
  /** The id of the API key, never the key. */
  readonly key: string | null
}

export interface CallRecord {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly operation: OperationName | null
  readonly endpointId: string | null
  readonly key: string | null
  /** The status of the answer; null until then, or if there was none. */
  status: number | null
}

/** A moment in a call, at which a test may for example kill the caller's process. */
export interface CallMoment {
  readonly when: 'before acting' | 'before answering'
  readonly operation: OperationName
  readonly endpointId: string | null
}

/** An endpoint as an observer sees it: the truth, whatever the API claims at the moment. */
export interface EndpointView {
  readonly id: string
  readonly name: string
  readonly active: boolean
  readonly status: string
  readonly replicas: number
  readonly settings: Settings
  readonly traffic: Required<Traffic>
}

export interface ReplicaView {
  readonly id: string
  readonly state: string
  /** Its address; null if it doesn't listen. */
  readonly url: string | null
}

/** Actions that only the sandbox has. */
export interface Control {
  /** Resolves to the id once the replicas of an active endpoint listen. */
  readonly add: (endpoint: NewEndpoint) => Promise<string>
  readonly remove: (id: string) => void
  readonly rename: (id: string, name: string) => void
  /** Changes it as a person at the console would, bypassing the API. */
  readonly console: {
    readonly start: (id: string) => void
    readonly stop: (id: string) => void
    readonly scale: (id: string, count: number) => void
    readonly patch: (id: string, settings: Partial<Settings>) => void
  }
  readonly fate: (id: string, fate: Fate) => void
  readonly traffic: (id: string, traffic: Traffic) => void
  /** Sets how it answers reads of its metrics. */
  readonly scrapes: (id: string, fate: ScrapeFate) => void
  /** Limits the replicas that its address leads to; null means all. */
  readonly reach: (id: string, replicas: number | null) => void
  /** Restarts the processes of its replicas, so that they count from zero. */
  readonly renew: (id: string) => void
  readonly log: (id: string, line: string) => void
  readonly endpoints: () => readonly EndpointView[]
  readonly replicas: (id: string) => Promise<readonly ReplicaView[]>
  readonly changes: () => readonly Change[]
  readonly calls: () => readonly CallRecord[]
}

export interface PlatformSandbox extends Control {
  /** The base address, which ends in /external/api/v1. */
  readonly url: string
  readonly apiKey: string
  readonly faults: Faults
  /** Awaits the listener at each moment of a call. Returns a function that removes it. */
  onCall(listener: (moment: CallMoment) => void | Promise<void>): () => void
  /** Calls the listener at every request to an endpoint's own address. Returns a function that removes it. */
  onVisit(listener: () => void): () => void
  /** Closes every connection and ends every replica. */
  stop(): Promise<void>
}
