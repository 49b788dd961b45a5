import type { Endpoint, Settings } from '../../../src/domain/endpoint.ts'
import type { Outcome, Platform } from '../../../src/lifecycle/platform.ts'
import type { Clock } from '../../../src/lifecycle/ports.ts'
import type { Call } from '../../../src/operations/call.ts'
import type { Mortal } from './mortal.ts'

export interface MemoryEndpoint {
  readonly id: string
  name: string
  active: boolean
  replicas: number
  autoscaled: boolean
  readonly tags: string[]
  /** When it serves after its last start, ms since 1970. */
  servesAt: number
  settings: Readonly<Record<string, unknown>>
}

/** What goes wrong with a call that would change something. `lost`: applied, and nobody hears of it. */
export type Trouble = 'refused' | 'failed' | 'unknown' | 'lost' | 'unreached'

/** A call that would change something, as it arrived. */
export interface Made {
  readonly at: number
  readonly endpoint: string
  readonly call: Call
}

export interface MemoryPlatform extends Platform {
  readonly endpoints: Map<string, MemoryEndpoint>
  readonly made: Made[]
  /** What becomes of the next calls that would change something. */
  readonly troubles: Trouble[]
  /** Told of each before it does anything. */
  onCall: (made: Made) => void
}

export interface MemoryPlatformOptions {
  readonly clock: Clock
  readonly mortal: Mortal
  /** How long a start takes to serve, ms. */
  readonly warmUp?: number
}

const no = { refused: 403, failed: 500 } as const

/** A platform that does what the specification says, at once: patch only what is stopped, scale only what is active. */
export function createMemoryPlatform({ clock, mortal, warmUp = 20_000 }: MemoryPlatformOptions): MemoryPlatform {
  const endpoints = new Map<string, MemoryEndpoint>()
  const platform: MemoryPlatform = {
    timeoutMs: 10_000,
    endpoints,
    made: [],
    troubles: [],
    onCall: () => undefined,
    async send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
      if (call.method === 'get') mortal.alive()
      else mortal.moment()
      const outcome = answer(call)
      if (call.method !== 'get') mortal.moment()
      return outcome as Outcome<Answer>
    },
    instanceTypes: async () => ({ kind: 'refused', status: 404, says: 'Not Found' }),
    async list() {
      mortal.alive()
      return { kind: 'answered', answer: [...endpoints.values()].map(shown) }
    },
  }

  function answer(call: Call): Outcome<unknown> {
    const id = call.params?.path?.['endpoint_id'] ?? ''
    const endpoint = endpoints.get(id)
    if (call.method === 'get') {
      if (endpoint === undefined) return { kind: 'refused', status: 404, says: 'Endpoint not found' }
      return { kind: 'answered', answer: shown(endpoint) }
    }
    const made = { at: clock.now(), endpoint: id, call }
    platform.made.push(made)
    platform.onCall(made)
    const trouble = platform.troubles.shift()
    if (trouble === 'refused' || trouble === 'failed')
      return { kind: trouble, status: no[trouble], says: 'The platform will not.' }
    if (trouble === 'unknown' || trouble === 'unreached') return { kind: trouble, says: 'Nothing came back.' }
    if (endpoint === undefined) return { kind: 'refused', status: 404, says: 'Endpoint not found' }
    const outcome = change(endpoint, call)
    return trouble === 'lost' ? { kind: 'unknown', says: 'Nothing came back.' } : outcome
  }

  function change(endpoint: MemoryEndpoint, { method, path, body }: Call): Outcome<unknown> {
    const { id } = endpoint
    if (method === 'patch') {
      if (endpoint.active) return { kind: 'refused', status: 409, says: 'Endpoint is active.' }
      endpoint.settings = { ...endpoint.settings, ...(body as object) }
      return { kind: 'answered', answer: settingsOf(endpoint) }
    }
    if (path.endsWith('/scale')) {
      if (!endpoint.active || endpoint.autoscaled)
        return { kind: 'refused', status: 400, says: 'Endpoint cannot be scaled.' }
      const previous = endpoint.replicas
      endpoint.replicas = (body as { readonly replica_count: number }).replica_count
      return { kind: 'answered', answer: { id, previous, current: endpoint.replicas, message: 'Scaled.' } }
    }
    const active = path.endsWith('/start')
    const message = `Endpoint is ${active ? 'active' : 'stopped'}.`
    if (active && !endpoint.active) Object.assign(endpoint, { replicas: 1, servesAt: clock.now() + warmUp })
    endpoint.active = active
    return { kind: 'answered', answer: { id, active, message } }
  }

  function shown({ id, name, active, replicas, autoscaled, tags, servesAt }: MemoryEndpoint): Endpoint {
    const status = clock.now() < servesAt ? 'DEPLOYING' : 'RUNNING'
    return { id, name, active, tags, autoscaled, ...(active && { status, replicas }) }
  }

  return platform
}

function settingsOf({ id, name, active, settings }: MemoryEndpoint): Settings {
  function given<Value>(key: string): Value | null {
    return (settings[key] ?? null) as Value | null
  }
  return {
    id,
    name,
    active,
    container_start_command: given('container_start_command'),
    env_keys: (given<readonly { key: string }[]>('container_env_vars') ?? []).map(({ key }) => key),
    container_port: given('container_port'),
    container_health_check_path: given('container_health_check_path'),
    container_health_check_timeout: given('container_health_check_timeout'),
    health_check_timeout: given('health_check_timeout'),
    container_metric_path: given('container_metric_path'),
  }
}
