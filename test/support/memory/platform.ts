import type { Call } from '../../../src/core/commands/call.ts'
import type { Endpoint, Settings } from '../../../src/core/model/endpoint.ts'
import type { Outcome, Platform } from '../../../src/core/ports/platform.ts'
import type { Clock } from '../../../src/core/ports/services.ts'
import type { Mortal } from './mortal.ts'

export interface MemoryEndpoint {
  readonly id: string
  name: string
  active: boolean
  replicas: number
  autoscaled: boolean
  readonly tags: string[]
  /** When its status settles after its last start or stop, ms since 1970. */
  restsAt: number
  /** When it was last changed, in the platform's format. */
  updatedAt: string
  settings: Readonly<Record<string, unknown>>
}

/**
 * What goes wrong with a changing call. `lost`: applied, but the answer is lost; `busy`: to be sent again after two
 * seconds; `promised`: answered with success but not carried out; `none`: nothing.
 */
export type Trouble = 'none' | 'refused' | 'failed' | 'unknown' | 'lost' | 'unreached' | 'busy' | 'promised'

/** A changing call, as it arrived. */
export interface Made {
  readonly at: number
  readonly endpoint: string
  readonly call: Call
}

/** A change that the platform has carried out, for us or for its console. Entries are never removed. */
export interface Effect {
  readonly at: number
  readonly endpoint: string
  readonly by: 'us' | 'console'
  /** Named like the steps of a plan: "stop", "scale to 3", "change settings". */
  readonly what: string
  /** False if the endpoint was already in that state. */
  readonly moved: boolean
}

export interface MemoryPlatform extends Platform {
  readonly endpoints: Map<string, MemoryEndpoint>
  readonly made: Made[]
  /** The troubles of the next changing calls, in order. */
  readonly troubles: Trouble[]
  /** Called with each changing call before it takes effect. */
  onCall: (made: Made) => void
  readonly effects: Effect[]
  /** How long the status shows a stop in progress, and how long a start takes until it serves, ms. */
  stopMs: number
  startMs: number
  /** Carries out a call on its arrival. */
  arrive(call: Call): Outcome<unknown>
  /** Changes an endpoint at the console: "start", "stop" or "scale to 3". */
  atConsole(id: string, what: string): void
}

export interface MemoryPlatformOptions {
  readonly clock: Clock
  readonly mortal: Mortal
}

const no = { refused: 403, failed: 500 } as const

/** A platform that follows the specification at once: it patches only stopped endpoints and scales only active ones. */
export function createMemoryPlatform({ clock, mortal }: MemoryPlatformOptions): MemoryPlatform {
  const endpoints = new Map<string, MemoryEndpoint>()
  const platform: MemoryPlatform = {
    timeoutMs: 10_000,
    endpoints,
    made: [],
    troubles: [],
    onCall: () => undefined,
    effects: [],
    stopMs: 0,
    startMs: 20_000,
    arrive: answer,
    atConsole(id, what) {
      const endpoint = endpoints.get(id)
      if (endpoint !== undefined) apply(endpoint, what, 'console')
    },
    async send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
      if (call.method === 'get') mortal.alive()
      else mortal.moment()
      const outcome = platform.arrive(call)
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
    if (trouble === 'busy') return { kind: 'unreached', says: 'Too many requests', pause: 2_000 }
    if (trouble === 'promised') return { kind: 'answered', answer: { id, active: true, message: 'It will be.' } }
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
      apply(endpoint, 'change settings', 'us')
      return { kind: 'answered', answer: settingsOf(endpoint) }
    }
    if (path.endsWith('/scale')) {
      if (!endpoint.active || endpoint.autoscaled)
        return { kind: 'refused', status: 400, says: 'Endpoint cannot be scaled.' }
      apply(endpoint, `scale to ${(body as { readonly replica_count: number }).replica_count}`, 'us')
      return { kind: 'answered', answer: { message: 'Scaled.' } }
    }
    apply(endpoint, path.endsWith('/start') ? 'start' : 'stop', 'us')
    const message = `Endpoint is ${endpoint.active ? 'active' : 'stopped'}.`
    return { kind: 'answered', answer: { id, active: endpoint.active, message } }
  }

  function apply(endpoint: MemoryEndpoint, what: string, by: Effect['by']): void {
    const at = clock.now()
    const { active, replicas } = endpoint
    if (what === 'start' && !active)
      Object.assign(endpoint, { active: true, replicas: 1, restsAt: at + platform.startMs })
    if (what === 'stop' && active) Object.assign(endpoint, { active: false, restsAt: at + platform.stopMs })
    if (what.startsWith('scale')) endpoint.replicas = Number(what.split(' ').at(-1))
    const moved = what === 'change settings' || active !== endpoint.active || replicas !== endpoint.replicas
    if (moved) endpoint.updatedAt = new Date(at).toISOString()
    platform.effects.push({ at, endpoint: endpoint.id, by, what, moved })
  }

  function shown({ id, name, active, replicas, autoscaled, tags, restsAt, updatedAt }: MemoryEndpoint): Endpoint {
    const isAtRest = clock.now() >= restsAt
    const status = active ? (isAtRest ? 'RUNNING' : 'DEPLOYING') : isAtRest ? 'STOPPED' : 'STOPPING'
    const known = { id, name, active, tags, autoscaled, updatedAt, status }
    return status === 'STOPPED' ? known : Object.assign(known, { replicas })
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
