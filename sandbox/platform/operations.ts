import { patch, scale, start, stop } from './changes.ts'
import type { LogFile } from './log-file.ts'
import type { OperationName } from './names.ts'
import { Refusal } from './refusal.ts'
import { readSettings } from './settings.ts'
import type { PlatformOptions, SandboxKey, Schemas } from './types.ts'
import { bodyValues, queryValues } from './validate.ts'
import { endpointStatus, listItem, logFileRecord, patched, replicaRecord, shown } from './views.ts'
import type { By, Item, World } from './world.ts'

/** An authorized call. */
export interface Ask {
  readonly world: World
  readonly key: SandboxKey
  /** '' for operations without an endpoint. */
  readonly endpointId: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly scaleField: NonNullable<PlatformOptions['scaleField']>
  /** Returns the address of an endpoint's container. */
  readonly urlOf: (id: string) => string
}

/** What each operation does: it returns the body of its 200, and throws a `Refusal` otherwise. */
export const operations: { readonly [Name in OperationName]: (ask: Ask) => unknown } = {
  getMe,
  listEndpoints,
  listInstanceTypes,
  getEndpointStatus: (ask) => endpointStatus(shown(find(ask), ask.world.clock.now()), ask.urlOf),
  patchEndpoint,
  startEndpoint,
  stopEndpoint,
  scaleEndpoint,
  listReplicas,
  listLogFiles,
  getLogFileContent,
}

function getMe({ key }: Ask): Schemas['ApiKeyContext'] {
  return {
    organization_id: 'org-sandbox',
    project_id: 'proj-sandbox',
    api_key_id: key.id,
    user_id: key.user ?? null,
    authenticated_via: 'api_key',
  }
}

function listEndpoints({ world, key, query, urlOf }: Ask): Schemas['EndpointPage'] {
  const values = queryValues(query)
  const search = values.text('search')?.toLowerCase()
  const active = values.flag('is_active')
  const page = values.whole('page', 1) ?? 1
  const size = values.whole('size', 1, 2000) ?? 50
  values.check()
  const now = world.clock.now()
  const found: Item[] = []
  for (const item of world.items.values()) {
    const seen = shown(item, now)
    if (!mayTouch(key, item.id) || (active !== undefined && seen.active !== active)) continue
    if (search === undefined || seen.name.toLowerCase().includes(search)) found.push(seen)
  }
  const items = found.slice((page - 1) * size, page * size).map((item) => listItem(item, urlOf))
  return { items, total: found.length, page, size, pages: Math.ceil(found.length / size) }
}

function listInstanceTypes({ world, query }: Ask): Schemas['InstanceTypePage'] {
  if (world.prices === null) throw new Refusal(404, 'Not Found')
  const values = queryValues(query)
  const page = values.whole('page', 1) ?? 1
  const size = values.whole('size', 1, 2000) ?? 50
  values.check()
  const all = Object.entries(world.prices).map(([gpu, price], at) => ({
    id: `it-sandbox${at}`,
    name: `gpu-${gpu.toLowerCase().replaceAll(' ', '-')}-1x`,
    display_name: gpu,
    gpu_name: gpu.replace(/^RTX /, ''),
    gpu_count: 1,
    price_per_hour: price,
    currency: 'KRW',
  }))
  const items = all.slice((page - 1) * size, page * size)
  return { items, total: all.length, page, size, pages: Math.ceil(all.length / size) }
}

function patchEndpoint(ask: Ask): Schemas['PatchedEndpoint'] {
  const settings = readSettings(ask.body)
  const item = find(ask)
  if (item.active) throw new Refusal(409, 'Endpoint is active. Stop the endpoint before changing its settings.')
  patch(ask.world, item, settings, byKey(ask))
  return patched(item)
}

function startEndpoint(ask: Ask): Schemas['Switched'] {
  const item = find(ask)
  const effective = start(ask.world, item, byKey(ask))
  const message = effective ? 'Endpoint started successfully' : 'Endpoint is already active'
  return { endpoint_id: item.id, is_active: item.active, message }
}

function stopEndpoint(ask: Ask): Schemas['Switched'] {
  const item = find(ask)
  const effective = stop(ask.world, item, byKey(ask))
  const message = effective ? 'Endpoint stopped successfully' : 'Endpoint is already stopped'
  return { endpoint_id: item.id, is_active: item.active, message }
}

function scaleEndpoint(ask: Ask): Schemas['Scaled'] {
  const values = bodyValues(ask.body)
  const count = values.need(ask.scaleField, values.whole(ask.scaleField, 1, 100))
  values.check()
  const item = find(ask)
  if (!item.active) throw new Refusal(400, 'Endpoint is not active. Start the endpoint before scaling it.')
  if (item.autoscaled) throw new Refusal(400, 'Autoscaling is enabled. The replica count cannot be set by hand.')
  const previous = scale(ask.world, item, count, byKey(ask))
  return {
    endpoint_id: item.id,
    previous_replicas: previous,
    current_replicas: item.count,
    message:
      previous === count
        ? 'No change - endpoint already has the requested number of replicas'
        : `Successfully scaled from ${previous} to ${count} replicas`,
  }
}

function listReplicas(ask: Ask): Schemas['Replica'][] {
  const item = shown(find(ask), ask.world.clock.now())
  return item.replicas.map((replica) => replicaRecord(item, replica))
}

function listLogFiles(ask: Ask): Schemas['LogFile'][] {
  const values = queryValues(ask.query)
  const replicaId = values.text('replica_id')
  const history = values.flag('include_history') ?? true
  values.check()
  return filesOf(find(ask))
    .filter((file) => (history || file.endedAt === null) && (replicaId ?? file.replicaId) === file.replicaId)
    .map(logFileRecord)
}

function getLogFileContent(ask: Ask): Schemas['LogContent'] {
  const values = queryValues(ask.query)
  const nodeId = values.need('node_id', values.text('node_id'))
  const filename = values.need('filename', values.text('filename'))
  const first = values.whole('start_line', 1) ?? 1
  const last = values.whole('end_line', 1, 50_000) ?? 1000
  values.check()
  const file = filesOf(find(ask)).find((one) => one.filename === filename && one.nodeId === nodeId)
  if (!file) throw new Refusal(404, 'Log file not found')
  // As seen on the platform, the answer repeats the requested `end_line`, however many lines there are.
  return { content: file.lines.slice(first - 1, last).join('\n'), start_line: first, end_line: last }
}

function find({ world, key, endpointId }: Ask): Item {
  const item = world.items.get(endpointId)
  if (!item) throw new Refusal(404, 'Endpoint not found')
  if (!mayTouch(key, item.id)) throw new Refusal(403, 'The API key has no access to this endpoint')
  return item
}

function filesOf(item: Item): LogFile[] {
  for (const replica of item.replicas) replica.write()
  return [...item.replicas.map(({ file }) => file), ...item.ended.toReversed()]
}

function mayTouch(key: SandboxKey, id: string): boolean {
  return key.endpoints === undefined || key.endpoints.includes(id)
}

function byKey({ key }: Ask): By {
  return { by: 'api', key: key.id }
}
