import * as z from 'zod'
import type { Answers } from '../../core/commands/call.ts'
import { oneLine } from './sentences.ts'
import {
  anyText,
  endpointShape,
  flag,
  given,
  instanceTypesShape,
  leniently,
  name,
  pageShape,
  shownFlag,
  shownNumber,
  shownText,
} from './shapes.ts'

/**
 * Turns each answer of the specification into our own type. A reader throws a `ZodError` for a body that it cannot read.
 * `endpointId` is the endpoint of the call, or ''.
 */
export const readers: { readonly [Key in keyof Answers]: (body: unknown, endpointId: string) => Answers[Key] } = {
  'get /me': (body) => keyContext.parse(body),
  'get /endpoints': (body) => pageShape.parse(body),
  'get /instance-types': (body) => instanceTypesShape.parse(body),
  'get /endpoints/{endpoint_id}': (body) => endpointShape.parse(body),
  'patch /endpoints/{endpoint_id}': (body, id) => {
    const { endpoint_id, name, is_active: active, container_env_vars, updated_at, ...container } = settings.parse(body)
    const own = { id: endpoint_id ?? id, name: name ?? id, active, env_keys: container_env_vars }
    return { ...own, ...container, ...given('updatedAt', updated_at) }
  },
  'post /endpoints/{endpoint_id}/start': switched,
  'post /endpoints/{endpoint_id}/stop': switched,
  'post /endpoints/{endpoint_id}/scale': (body, id) => {
    const { endpoint_id, previous_replicas: previous, current_replicas: current, message } = scaled.parse(body)
    return { id: endpoint_id ?? id, previous, current, message: oneLine(message ?? '') }
  },
  'get /endpoints/{endpoint_id}/replicas': (body) => replicas.parse(body),
  'get /endpoints/{endpoint_id}/logs': (body) => logFiles.parse(body),
  'get /endpoints/{endpoint_id}/logs/file': (body) => logLines.parse(body),
}

function switched(body: unknown, id: string) {
  const { endpoint_id, is_active: active, message } = switchedShape.parse(body)
  return { id: endpoint_id ?? id, active, message: oneLine(message ?? '') }
}

const keyContext = z
  .object({
    organization_id: anyText,
    project_id: anyText,
    api_key_id: shownText,
    user_id: shownText,
    authenticated_via: shownText,
  })
  .transform(({ organization_id, project_id, api_key_id, user_id, authenticated_via }) => {
    const via = authenticated_via ?? 'api_key'
    return { organization: organization_id, project: project_id, key: api_key_id, user: user_id, via }
  })

const settings = z.object({
  endpoint_id: shownText,
  name,
  is_active: flag,
  container_start_command: shownText,
  // Only the names are kept, never the values.
  container_env_vars: leniently(
    z
      .array(z.object({ key: anyText.catch('') }))
      .transform((pairs) => pairs.map(({ key }) => key).filter((key) => key !== '')),
  ),
  container_port: shownNumber,
  container_health_check_path: shownText,
  container_health_check_timeout: shownNumber,
  health_check_timeout: shownNumber,
  container_metric_path: shownText,
  updated_at: shownText,
})

const switchedShape = z
  .object({ endpoint_id: shownText, is_active: flag, message: shownText })
  .refine(says, 'Nothing is said about a start or stop.')

const scaled = z
  .object({ endpoint_id: shownText, previous_replicas: shownNumber, current_replicas: shownNumber, message: shownText })
  .refine(says, 'Nothing is said about a scale.')

const replicas = listOf(
  z
    .object({ replica_id: anyText, state: shownText, node_id: shownText, start_time_s: shownNumber })
    .transform(({ replica_id: id, state, node_id: node, start_time_s: startedAt }) => {
      return { id, state: state ?? 'UNKNOWN', node, startedAt }
    }),
)

const logFiles = listOf(
  z
    .object({
      node_id: anyText,
      replica_id: anyText,
      filename: anyText,
      is_historical: shownFlag,
      start_time: shownText,
      end_time: shownText,
    })
    .transform(({ node_id, replica_id, filename, is_historical, start_time: start, end_time: end }) => {
      return { node: node_id, replica: replica_id, filename, historical: is_historical ?? false, start, end }
    }),
)

const logLines = z
  .object({ content: anyText, start_line: shownNumber, end_line: shownNumber })
  .transform(({ content, start_line, end_line }) => {
    const startLine = start_line ?? 1
    return { content, startLine, endLine: end_line ?? startLine + content.split('\n').length - 1 }
  })

/** Bare, as documented, or in `items` like the list of endpoints. */
function listOf<Item extends z.ZodType>(item: Item): z.ZodType<z.output<Item>[]> {
  return z.union([z.array(item), z.object({ items: z.array(item) }).transform(({ items }) => items)])
}

/** `{}` is not an answer. */
function says(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.values(fields).some((value) => value !== null && value !== undefined)
}
