import type { LogFile } from './log-file.ts'
import type { Replica } from './replica.ts'
import type { EndpointView, Schemas } from './types.ts'
import type { Item } from './world.ts'

/** Returns the item as reads show it, which for a while may be as it was before its last change. `now` in ms. */
export function shown(item: Item, now: number): Item {
  return item.stale && now < item.stale.until ? item.stale.shown : item
}

/** `urlOf` returns the address of an endpoint's container. */
export function listItem(item: Item, urlOf: (id: string) => string): Schemas['EndpointListItem'] {
  return {
    id: item.id,
    name: item.name,
    endpoint_type: 'container',
    is_active: item.active,
    status: status(item),
    num_replicas: item.count,
    enable_autoscaling: item.autoscaled,
    instance_type_name: item.gpu,
    serving_endpoint_url: urlOf(item.id),
    tags: [...item.tags],
    created_at: instant(item.createdAt),
    updated_at: instant(item.updatedAt),
  }
}

export function endpointStatus(item: Item, urlOf: (id: string) => string): Schemas['EndpointStatus'] {
  const { id, ...common } = listItem(item, urlOf)
  return {
    endpoint_id: id,
    ...common,
    replica_status_summary: item.active ? summary(item.replicas) : null,
    error: null,
  }
}

export function patched(item: Item): Schemas['PatchedEndpoint'] {
  return {
    endpoint_id: item.id,
    name: item.name,
    is_active: item.active,
    ...item.settings,
    updated_at: instant(item.updatedAt),
  }
}

export function replicaRecord(item: Item, replica: Replica): Schemas['Replica'] {
  const { nodeId } = replica.file
  return {
    replica_id: replica.id,
    state: replica.state(),
    node_id: nodeId,
    node_ip: '127.0.0.1',
    actor_id: `${replica.id}00000000`,
    actor_name: `SERVE_REPLICA::org-sandbox.proj-sandbox.${item.id}#Container#${replica.id}`,
    worker_id: nodeId.slice(0, 28),
    pid: process.pid,
    start_time_s: replica.startedAt / 1000,
  }
}

export function logFileRecord(file: LogFile): Schemas['LogFile'] {
  const ended = file.endedAt !== null
  return {
    node_id: file.nodeId,
    replica_id: file.replicaId,
    filename: file.filename,
    is_historical: ended,
    start_time: ended ? instant(file.startedAt) : null,
    end_time: file.endedAt === null ? null : instant(file.endedAt),
  }
}

export function endpointView(item: Item): EndpointView {
  const { id, name, active, count, settings, traffic } = item
  return { id, name, active, status: status(item), replicas: count, settings, traffic }
}

// A deployment runs as soon as its first replica does; the others follow.
function status(item: Item): string {
  if (!item.active) return item.isStopping() ? 'STOPPING' : 'STOPPED'
  if (item.fate === 'deploy_failed')
    return item.replicas.some((replica) => replica.isDue()) ? 'DEPLOY_FAILED' : 'DEPLOYING'
  if (!item.replicas.some((replica) => replica.state() === 'RUNNING')) return 'DEPLOYING'
  return item.fate === 'unhealthy' ? 'UNHEALTHY' : 'RUNNING'
}

function summary(replicas: readonly Replica[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const replica of replicas) counts[replica.state()] = (counts[replica.state()] ?? 0) + 1
  return counts
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
