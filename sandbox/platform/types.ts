import type { components } from '../../generated/api.ts'
import type { Faults } from './faults.ts'
import type { OperationName, Traffic } from './names.ts'
import type { ScrapeFate } from './scrape.ts'
import type { ServerKind } from './servers.ts'

export type Schemas = components['schemas']

export type Settings = Required<Schemas['PatchRequest']>

/** ms since 1970. A test moves it by answering something else. */
export interface SandboxClock {
  now(): number
}

export interface PlatformOptions {
  /** Where to listen on 127.0.0.1; a free port unless given. */
  readonly port?: number
  readonly clock?: SandboxClock
  /** Unless given, one key that may touch everything. */
  readonly keys?: readonly SandboxKey[]
  readonly endpoints?: readonly NewEndpoint[]
  /** ms from a start until replicas run; 0 unless given. */
  readonly startDelayMs?: number
  /** ms from a stop until the status says that it is stopped, while `is_active` says so at once; 0 unless given. */
  readonly stopDelayMs?: number
  /** The most replicas a start comes back with, as where stock has run low; unless given, as many as there were. */
  readonly mostAfterStart?: number
  /** Whether replicas listen on ports of their own; without, thousands of active endpoints cost nothing. */
  readonly listeningReplicas?: boolean
  /** The one name a scale's field may have; the other is refused. `replica_count` unless given. */
  readonly scaleField?: 'replica_count' | 'num_replicas'
  /** What an hour of a replica costs by its GPU, in KRW; without, there is no list of instance types. */
  readonly prices?: Readonly<Record<string, number>>
  /** Whether a patch replaces the environment variables (unless given) or adds to them: platforms do not say. */
  readonly envVars?: 'replace' | 'merge'
  /** For the control routes; random unless given. */
  readonly controlToken?: string
}

export interface SandboxKey {
  readonly key: string
  /** What records call it instead of the key itself. */
  readonly id: string
  readonly user?: string
  /** Ids it may touch; all when left out. */
  readonly endpoints?: readonly string[]
}

export interface NewEndpoint {
  /** A UUID unless given. */
  readonly id?: string
  readonly name: string
  readonly active?: boolean
  readonly replicas?: number
  readonly autoscaled?: boolean
  readonly gpu?: string
  readonly tags?: readonly string[]
  readonly settings?: Partial<Settings>
  /** A key that the endpoint's own address asks for, as a bearer token. */
  readonly servingKey?: string
  /** What its replicas run; vLLM unless given. */
  readonly server?: ServerKind
  /** Nobody uses it unless given. */
  readonly traffic?: Traffic
}

/** How a deployment turns out once the start-up delay is over. */
export type Fate = 'running' | 'deploy_failed' | 'unhealthy'

/** One thing that was done to an endpoint, or asked for and already so. What was refused is not here. */
export interface Change {
  readonly at: number
  readonly endpointId: string
  readonly kind: 'start' | 'stop' | 'scale' | 'patch'
  /** False when it was so already. */
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
  /** What was answered; null while, or because, nothing was. */
  status: number | null
}

/** A moment in the life of a call, at which a test may for example end the caller's process. */
export interface CallMoment {
  readonly when: 'before acting' | 'before answering'
  readonly operation: OperationName
  readonly endpointId: string | null
}

/** What an observer sees of an endpoint: the truth, whatever the API claims at the moment. */
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
  /** Where it listens, or null when it does not. */
  readonly url: string | null
}

/** What only the sandbox can do. Each is also a POST to `/_sandbox/<name>` with its arguments as a JSON array. */
export interface Control {
  /** Answers the id, once the replicas of an active endpoint listen. */
  readonly add: (endpoint: NewEndpoint) => Promise<string>
  readonly remove: (id: string) => void
  readonly rename: (id: string, name: string) => void
  /** As someone at the console would do it, past the API. */
  readonly consoleStart: (id: string) => void
  readonly consoleStop: (id: string) => void
  readonly fate: (id: string, fate: Fate) => void
  readonly traffic: (id: string, traffic: Traffic) => void
  /** How it answers those who read its metrics. */
  readonly scrapes: (id: string, fate: ScrapeFate) => void
  /** Its address leads to so many of its replicas only; null: to all. */
  readonly reach: (id: string, replicas: number | null) => void
  /** The processes of its replicas begin anew, and count from nothing. */
  readonly renew: (id: string) => void
  readonly log: (id: string, line: string) => void
  readonly endpoints: () => readonly EndpointView[]
  readonly replicas: (id: string) => Promise<readonly ReplicaView[]>
  readonly changes: () => readonly Change[]
  readonly calls: () => readonly CallRecord[]
  readonly addFault: Faults['plan']
  readonly clearFaults: () => void
}

export interface PlatformSandbox extends Control {
  /** The base address, which ends in /external/api/v1. */
  readonly url: string
  readonly apiKey: string
  readonly controlUrl: string
  readonly controlToken: string
  readonly faults: Faults
  readonly console: { start(id: string): void; stop(id: string): void }
  /** The listener is awaited; answers a function that takes it away again. */
  onCall(listener: (moment: CallMoment) => void | Promise<void>): () => void
  /** Called whenever anybody asks an endpoint's own address for something; answers as `onCall` does. */
  onVisit(listener: () => void): () => void
  /** Ends every connection and every replica. */
  stop(): Promise<void>
}
