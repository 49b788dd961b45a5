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
  Switched,
} from '../../core/model/endpoint.ts'
import { oneLine, wordsOf } from './sentences.ts'
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

// Enough for two million endpoints; more is a mistake, and reading it would never end.
const mostPages = 1000

/**
 * How each answer of the specification becomes the one shape the rest of the house knows. A reader throws a
 * `ZodError` for a body it cannot read. `asked` is the endpoint the call named, '' when it named none.
 */
export const readers: { readonly [Key in keyof Answers]: (body: unknown, asked: string) => Answers[Key] } = {
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
  return {
    organization: organization_id,
    project: project_id,
    key: api_key_id ?? null,
    user: user_id ?? null,
    via: authenticated_via ?? 'api_key',
  }
}

// Whether a list is complete hangs on the number of pages: without it, or a size to work it out from, there is no list.
function page(body: unknown): EndpointPage {
  const { items, total, page = 1, size = Number.NaN, pages = Math.ceil(total / size) } = PageShape.parse(body)
  if (!(pages <= mostPages)) throw new Error('The list does not say how many pages it has, or says far too many.')
  return { endpoints: items.map(endpoint), page, pages, total }
}

/** A page that does not say how many there are is taken for the only one. */
function instanceTypes(body: unknown): InstanceTypePage {
  const { items, total, size, pages } = InstanceTypesShape.parse(body)
  const types = items.map(({ name, display_name, gpu_name, gpu_count, price_per_hour, currency }) => ({
    names: [name, display_name].filter((one) => one !== null && one !== undefined),
    ...given('gpu', gpu_count === 1 ? gpu_name : null),
    ...given('perHour', price_per_hour),
    ...given('currency', currency),
  }))
  return { types, pages: Math.min(mostPages, pages ?? (total && size ? Math.ceil(total / size) : 1)) }
}

function endpoint(found: z.output<typeof EndpointShape>): Endpoint {
  return {
    id: found.id,
    name: found.name || found.id,
    active: found.is_active ?? null,
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
  return wordsOf(error) || 'The platform could not read the live state of this endpoint.'
}

function settings(body: unknown, asked: string): Settings {
  const found = SettingsShape.parse(body)
  return {
    id: found.endpoint_id ?? asked,
    name: found.name ?? asked,
    active: found.is_active ?? null,
    container_start_command: found.container_start_command ?? null,
    env_keys: found.container_env_vars ?? null,
    container_port: found.container_port ?? null,
    container_health_check_path: found.container_health_check_path ?? null,
    container_health_check_timeout: found.container_health_check_timeout ?? null,
    health_check_timeout: found.health_check_timeout ?? null,
    container_metric_path: found.container_metric_path ?? null,
    ...given('updatedAt', found.updated_at),
  }
}

function switched(body: unknown, asked: string): Switched {
  const { endpoint_id, is_active, message } = SwitchedShape.parse(body)
  return { id: endpoint_id ?? asked, active: is_active ?? null, message: oneLine(message ?? '') }
}

function scaled(body: unknown, asked: string): Scaled {
  const { endpoint_id, previous_replicas, current_replicas, message } = ScaledShape.parse(body)
  return {
    id: endpoint_id ?? asked,
    previous: previous_replicas ?? null,
    current: current_replicas ?? null,
    message: oneLine(message ?? ''),
  }
}

function replicas(body: unknown): Answers['get /endpoints/{endpoint_id}/replicas'] {
  return ReplicasShape.parse(body).map(({ replica_id, state, node_id, start_time_s }) => ({
    id: replica_id,
    state: state ?? 'UNKNOWN',
    node: node_id ?? null,
    startedAt: start_time_s ?? null,
  }))
}

function logFiles(body: unknown): Answers['get /endpoints/{endpoint_id}/logs'] {
  return LogFilesShape.parse(body).map(({ node_id, replica_id, filename, is_historical, start_time, end_time }) => ({
    node: node_id,
    replica: replica_id,
    filename,
    historical: is_historical ?? false,
    start: start_time ?? null,
    end: end_time ?? null,
  }))
}

function logLines(body: unknown): LogLines {
  const { content, start_line, end_line } = LogContentShape.parse(body)
  const start = start_line ?? 1
  return { content, startLine: start, endLine: end_line ?? start + content.split('\n').length - 1 }
}

function given<Name extends string, Value>(name: Name, value: Value | null | undefined): { [K in Name]?: Value } {
  return value === null || value === undefined ? {} : ({ [name]: value } as { [K in Name]: Value })
}
