import { createHash, randomUUID } from 'node:crypto'
import { type LogFile, newLogFile, writeLine } from './log-file.ts'
import type { Traffic } from './names.ts'
import { createReplica, type Deployment, type Replica } from './replica.ts'
import type { ScrapeFate } from './scrape.ts'
import type { ServerKind } from './servers.ts'
import type { Change, Fate, NewEndpoint, PlatformOptions, SandboxClock, Settings } from './types.ts'

/** An endpoint as the platform stores it. All times in ms since 1970. */
export interface Item extends Deployment {
  readonly id: string
  readonly createdAt: number
  readonly autoscaled: boolean
  readonly gpu: string
  readonly tags: readonly string[]
  readonly servingKey: string | null
  name: string
  active: boolean
  count: number
  settings: Settings
  readonly server: ServerKind
  fate: Fate
  scrapes: ScrapeFate
  /** How many of its replicas its address leads to; null means all. */
  reached: number | null
  traffic: Required<Traffic>
  updatedAt: number
  replicas: readonly Replica[]
  readonly ended: LogFile[]
  /** Whether its status is still STOPPING. */
  isStopping: () => boolean
  /** What reads show instead of the truth, and for how long. */
  stale: { readonly until: number; readonly shown: Item } | null
}

/** Who changes something: an API key by its id, or a person at the console. */
export type By = { readonly by: 'api'; readonly key: string } | { readonly by: 'console'; readonly key: null }

export interface World {
  readonly clock: SandboxClock
  readonly items: Map<string, Item>
  readonly changes: Change[]
  readonly startDelayMs: number
  readonly stopDelayMs: number
  readonly mostAfterStart: number
  readonly listens: boolean
  readonly mergesEnv: boolean
  readonly prices: Readonly<Record<string, number>> | null
  /** Replicas that are shutting down; awaited at the end. */
  readonly ending: Set<Promise<void>>
  born: number
}

const nodes = ['node-a', 'node-b'].map((name) => createHash('sha224').update(name).digest('hex'))
const noSettings: Settings = {
  container_start_command: null,
  container_env_vars: null,
  container_port: null,
  container_health_check_path: null,
  container_health_check_timeout: null,
  health_check_timeout: null,
  container_metric_path: null,
}

export function createWorld(options: PlatformOptions): World {
  return {
    clock: options.clock ?? Date,
    items: new Map(),
    changes: [],
    startDelayMs: options.startDelayMs ?? 0,
    stopDelayMs: options.stopDelayMs ?? 0,
    mostAfterStart: options.mostAfterStart ?? Number.POSITIVE_INFINITY,
    listens: options.listeningReplicas ?? true,
    mergesEnv: options.envVars === 'merge',
    prices: options.prices ?? null,
    ending: new Set(),
    born: 0,
  }
}

/** Adds an endpoint. An active one counts as having run for an hour. */
export function add(world: World, given: NewEndpoint): Item {
  const id = given.id ?? randomUUID()
  if (world.items.has(id)) throw new Error(`There is an endpoint ${id} already.`)
  const now = world.clock.now()
  const item: Item = {
    id,
    name: given.name,
    active: given.active ?? false,
    count: given.replicas ?? 1,
    autoscaled: given.autoscaled ?? false,
    gpu: given.gpu ?? 'RTX 4090',
    tags: given.tags ?? [],
    settings: { ...noSettings, ...given.settings },
    servingKey: given.servingKey ?? null,
    server: given.server ?? 'vllm',
    fate: 'running',
    scrapes: 'well',
    reached: null,
    traffic: { running: 0, waiting: 0, perMinute: 0, ...given.traffic },
    createdAt: now - 7_200_000,
    updatedAt: now - 3_600_000,
    replicas: [],
    ended: [],
    isStopping: () => false,
    stale: null,
  }
  world.items.set(id, item)
  if (item.active) populate(world, item, now - 3_600_000)
  return item
}

export function remove(world: World, item: Item): void {
  world.items.delete(item.id)
  for (const replica of item.replicas) release(world, item, replica)
}

/** Shares the endpoint's traffic among its replicas as evenly as whole requests allow. */
export function spread(item: Item): void {
  const { running, waiting, perMinute } = item.traffic
  const among = item.replicas.length
  for (const [i, replica] of item.replicas.entries()) {
    const part = (whole: number) => Math.floor(whole / among) + (i < whole % among ? 1 : 0)
    replica.share({ running: part(running), waiting: part(waiting), perMinute: perMinute / among })
  }
}

/** Starts replicas until the endpoint has as many as it should. `startedAt` in ms since 1970. */
export function populate(world: World, item: Item, startedAt: number): void {
  const replicas = [...item.replicas]
  while (replicas.length < item.count) {
    const id = replicaId(world.born++)
    const file = newLogFile(item.id, item.name, id, nodes[world.born % 2] ?? '', startedAt)
    replicas.push(createReplica(item, file, startedAt + world.startDelayMs, world.clock, world.listens))
  }
  item.replicas = replicas
  spread(item)
}

/** Ends a replica and keeps its log. */
export function release(world: World, item: Item, replica: Replica): void {
  replica.write()
  writeLine(replica.file, world.clock.now(), 'stdout', 'Shutting down')
  item.ended.push(replica.file)
  if (item.ended.length > 20) item.ended.shift()
  const end = replica.end().finally(() => world.ending.delete(end))
  world.ending.add(end)
}

// Eight characters that look random and never repeat: multiplying by an odd number permutes the 32-bit numbers.
function replicaId(born: number): string {
  return (Math.imul(born + 1, 0x9e3779b1) >>> 0).toString(36).padStart(8, '0')
}
