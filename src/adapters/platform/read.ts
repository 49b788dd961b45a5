import type * as z from 'zod'
import type { Answers } from '../../core/commands/call.ts'
import type {
  Endpoint,
  EndpointPage,
  InstanceTypePage,
  KeyContext,
  LogLines,
  Scaled,
  Settings,
  StartStopAnswer,
} from '../../core/model/endpoint.ts'
import { oneLine, platformWords } from './sentences.ts'
import {
  EndpointShape,
  InstanceTypesShape,
  KeyContextShape,
  LogContentShape,
  LogFilesShape,
  PageShape,
  ReplicasShape,
  ScaledShape,
  SettingsShape,
  SwitchedShape,
} from './shapes.ts'

// Enough for two million endpoints; a larger number is a mistake.
const maxPages = 1000

/**
 * Turns each answer of the specification into our own type. A reader throws a `ZodError` for a body that it cannot read.
 * `endpointId` is the endpoint of the call, or ''.
 */
export const readers: { readonly [Key in keyof Answers]: (body: unknown, endpointId: string) => Answers[Key] } = {
  'get /me': keyContext,
  'get /endpoints': page,
  'get /instance-types': instanceTypes,
  'get /endpoints/{endpoint_id}': (body) => endpoint(EndpointShape.parse(body)),
  'patch /endpoints/{endpoint_id}': settings,
  'post /endpoints/{endpoint_id}/start': switched,
  'post /endpoints/{endpoint_id}/stop': switched,
  'post /endpoints/{endpoint_id}/scale': scaled,
  'get /endpoints/{endpoint_id}/replicas': replicas,
  'get /endpoints/{endpoint_id}/logs': logFiles,
  'get /endpoints/{endpoint_id}/logs/file': logLines,
}

function keyContext(body: unknown): KeyContext {
  const { organization_id, project_id, api_key_id, user_id, authenticated_via } = KeyContextShape.parse(body)
  const via = authenticated_via ?? 'api_key'
  return { organization: organization_id, project: project_id, key: api_key_id, user: user_id, via }
}

// Without a number of pages, or a size to compute it from, nobody knows whether the list is complete.
function page(body: unknown): EndpointPage {
  const { items, total, page = 1, size = Number.NaN, pages = Math.ceil(total / size) } = PageShape.parse(body)
  if (!(pages <= maxPages)) throw new Error('The list does not say how many pages it has, or says far too many.')
  return { endpoints: items.map(endpoint), page, pages, total }
}

/** Without a number of pages the page is the only one. */
function instanceTypes(body: unknown): InstanceTypePage {
  const { items, total, size, pages } = InstanceTypesShape.parse(body)
  const types = items.map(({ name, display_name, gpu_name, gpu_count, price_per_hour, currency }) => ({
    names: [name, display_name].filter((one) => one !== null),
    ...given('gpu', gpu_count === 1 ? gpu_name : null),
    ...given('perHour', price_per_hour),
    ...given('currency', currency),
  }))
  return { types, pages: Math.min(maxPages, pages ?? (total && size ? Math.ceil(total / size) : 1)) }
}

function endpoint(found: z.output<typeof EndpointShape>): Endpoint {
  return {
    id: found.id,
    name: found.name || found.id,
    active: found.is_active,
    ...given('status', found.status),
    ...given('replicas', found.num_replicas),
    ...given('autoscaled', found.enable_autoscaling),
    ...given('gpu', found.instance_type_name),
    ...given('url', found.serving_endpoint_url),
    ...given('replicasByState', found.replica_status_summary),
    ...given('tags', found.tags),
    ...given('problem', problem(found.error)),
    ...given('createdAt', found.created_at),
    ...given('updatedAt', found.updated_at),
  }
}

function problem(error: unknown): string | null {
  if (error === null || error === undefined) return null
  return platformWords(error) || 'The platform could not read the live state of this endpoint.'
}

function settings(body: unknown, endpointId: string): Settings {
  const { endpoint_id, name, is_active, container_env_vars, updated_at, ...container } = SettingsShape.parse(body)
  return {
    id: endpoint_id ?? endpointId,
    name: name ?? endpointId,
    active: is_active,
    env_keys: container_env_vars,
    ...container,
    ...given('updatedAt', updated_at),
  }
}

function switched(body: unknown, endpointId: string): StartStopAnswer {
  const { endpoint_id, is_active, message } = SwitchedShape.parse(body)
  return { id: endpoint_id ?? endpointId, active: is_active, message: oneLine(message ?? '') }
}

function scaled(body: unknown, endpointId: string): Scaled {
  const { endpoint_id, previous_replicas, current_replicas, message } = ScaledShape.parse(body)
  return {
    id: endpoint_id ?? endpointId,
    previous: previous_replicas,
    current: current_replicas,
    message: oneLine(message ?? ''),
  }
}

function replicas(body: unknown): Answers['get /endpoints/{endpoint_id}/replicas'] {
  return ReplicasShape.parse(body).map(({ replica_id, state, node_id, start_time_s }) => ({
    id: replica_id,
    state: state ?? 'UNKNOWN',
    node: node_id,
    startedAt: start_time_s,
  }))
}

function logFiles(body: unknown): Answers['get /endpoints/{endpoint_id}/logs'] {
  return LogFilesShape.parse(body).map(({ node_id, replica_id, filename, is_historical, start_time, end_time }) => ({
    node: node_id,
    replica: replica_id,
    filename,
    historical: is_historical ?? false,
    start: start_time,
    end: end_time,
  }))
}

function logLines(body: unknown): LogLines {
  const { content, start_line, end_line } = LogContentShape.parse(body)
  const start = start_line ?? 1
  return { content, startLine: start, endLine: end_line ?? start + content.split('\n').length - 1 }
}

function given<Name extends string, Value>(name: Name, value: Value | null): { [K in Name]?: Value } {
  return value === null ? {} : ({ [name]: value } as { [K in Name]: Value })
}
