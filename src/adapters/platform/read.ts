import * as z from 'zod'
import type { Answers } from '../../core/commands/call.ts'
import type { Endpoint, EndpointPage, InstanceTypePage } from '../../core/model/endpoint.ts'
import { say, type Words } from '../../core/model/words.ts'
import { oneLine, platformWords } from './errors.ts'

// A field that decides must have its type, or the whole answer is unreadable. A field that is only shown may be missing
// or strange, and is left out then. Unknown fields are dropped, `__proto__` among them.
const anyText = z.string()

const flag = orNull(z.boolean())
const shownText = leniently(anyText)
const shownNumber = leniently(z.number())
const shownFlag = leniently(z.boolean())

/** How many characters of a name are kept, at both ends, because most patterns of the policy are about one of them. */
const maxName = 255

const word = anyText.transform((name) => {
  if (name.length <= maxName) return name
  const letters = Array.from(name)
  return letters.length > maxName ? [...letters.slice(0, 128), ...letters.slice(-127)].join('') : name
})

const name = leniently(word)
const tagsShape = orNull(z.array(word))

/** Enough for two million endpoints; a larger number is a mistake. */
const maxPages = 1000

const endpointShape = z
  .object({
    id: anyText.nullish(),
    endpoint_id: anyText.nullish(),
    name,
    is_active: flag,
    status: shownText,
    num_replicas: shownNumber,
    enable_autoscaling: shownFlag,
    instance_type_name: shownText,
    serving_endpoint_url: shownText,
    replica_status_summary: leniently(z.record(anyText, z.number())),
    tags: z.unknown().optional(),
    error: z.unknown().optional(),
    updated_at: shownText,
  })
  .transform((found, context): Endpoint => {
    const id = found.endpoint_id || found.id
    if (!id) {
      context.addIssue('An endpoint has no id.')
      return z.NEVER
    }
    // Tags can protect an endpoint. If they can't be read, its state doesn't count either, not even for a stop.
    const tags = tagsShape.safeParse(found.tags)
    return {
      id,
      name: found.name || id,
      active: tags.success ? found.is_active : null,
      ...given('status', found.status),
      ...given('replicas', found.num_replicas),
      ...given('autoscaled', found.enable_autoscaling),
      ...given('gpu', found.instance_type_name),
      ...given('url', found.serving_endpoint_url),
      ...given('replicasByState', found.replica_status_summary),
      ...given('tags', tags.data ?? null),
      ...given('problem', problem(found.error ?? (tags.success ? null : {}))),
      ...given('updatedAt', found.updated_at),
    }
  })

function problem(error: unknown): Words | null {
  if (error === null || error === undefined) return null
  return platformWords(error) || say('platform.halfRead')
}

/** Without a number of pages, or a size to compute it from, nobody knows whether the list is complete. */
const pageShape = z
  .object({
    items: z.array(endpointShape),
    total: z.int().min(0),
    page: z.int().min(1).optional(),
    size: z.int().min(1).optional(),
    pages: z.int().min(0).optional(),
  })
  .transform(
    ({ items, total, page = 1, size = Number.NaN, pages = Math.ceil(total / size) }, context): EndpointPage => {
      if (!(pages <= maxPages)) context.addIssue('The list does not say how many pages it has, or says far too many.')
      return { endpoints: items, page, pages, total }
    },
  )

const instanceType = z
  .object({
    name: shownText,
    display_name: shownText,
    gpu_name: shownText,
    gpu_count: shownNumber,
    price_per_hour: shownNumber,
    currency: shownText,
  })
  .transform(({ name, display_name, gpu_name, gpu_count, price_per_hour, currency }) => ({
    names: [name, display_name].filter((one) => one !== null),
    ...given('gpu', gpu_count === 1 ? gpu_name : null),
    ...given('perHour', price_per_hour),
    ...given('currency', currency),
  }))

/** Without a number of pages the page is the only one. */
const instanceTypesShape = z
  .object({ items: z.array(instanceType), total: shownNumber, size: shownNumber, pages: shownNumber })
  .transform(({ items, total, size, pages }): InstanceTypePage => {
    return { types: items, pages: Math.min(maxPages, pages ?? (total && size ? Math.ceil(total / size) : 1)) }
  })

function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null)
}

function leniently<Schema extends z.ZodType>(schema: Schema) {
  return orNull(schema).catch(null)
}

function given<Name extends string, Value>(name: Name, value: Value | null): { [K in Name]?: Value } {
  return value === null ? {} : ({ [name]: value } as { [K in Name]: Value })
}

/** Reads each answer as our own type. Throws for what it cannot read. `endpointId`: of the call, or ''. */
export const readers: { readonly [Key in keyof Answers]: (body: unknown, endpointId: string) => Answers[Key] } = {
  'get /me': (body) => keyContext.parse(body),
  'get /endpoints': (body) => pageShape.parse(body),
  'get /instance-types': (body) => instanceTypesShape.parse(body),
  'get /endpoints/{endpoint_id}': (body, id) => {
    const read = endpointShape.parse(body)
    assertAbout(id, read.id)
    return read
  },
  'patch /endpoints/{endpoint_id}': (body, id) => {
    const { endpoint_id, name, is_active: active, container_env_vars, updated_at, ...container } = settings.parse(body)
    assertAbout(id, endpoint_id)
    const own = { id, name: name ?? id, active, env_keys: container_env_vars }
    return { ...own, ...container, ...given('updatedAt', updated_at) }
  },
  'post /endpoints/{endpoint_id}/start': switched,
  'post /endpoints/{endpoint_id}/stop': switched,
  'post /endpoints/{endpoint_id}/scale': (body, id) => {
    const { endpoint_id, message } = scaled.parse(body)
    assertAbout(id, endpoint_id)
    return { message: oneLine(message ?? '') }
  },
  'get /endpoints/{endpoint_id}/replicas': (body) => replicas.parse(body),
  'get /endpoints/{endpoint_id}/logs': (body) => logFiles.parse(body),
  'get /endpoints/{endpoint_id}/logs/file': (body) => logLines.parse(body),
}

function switched(body: unknown, id: string) {
  const { endpoint_id, is_active: active, message } = switchedShape.parse(body)
  assertAbout(id, endpoint_id)
  return { id, active, message: oneLine(message ?? '') }
}

/** Throws if an answer names another endpoint than its call: a mixed-up answer would move a request to that endpoint. */
function assertAbout(id: string, named: string | null): void {
  if (named && named !== id) throw new Error('The answer is about another endpoint.')
}

const keyContext = z
  .object({
    organization_id: anyText,
    project_id: anyText,
    api_key_id: shownText,
    user_id: shownText,
  })
  .transform(({ organization_id, project_id, api_key_id, user_id }) => {
    return { organization: organization_id, project: project_id, key: api_key_id, user: user_id }
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

const logLines = z.object({ content: anyText })

/** Reads a list that is bare, as documented, or in `items`, like the list of endpoints. */
function listOf<Item extends z.ZodType>(item: Item): z.ZodType<z.output<Item>[]> {
  return z.union([z.array(item), z.object({ items: z.array(item) }).transform(({ items }) => items)])
}

/** `{}` is not an answer. */
function says(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.values(fields).some((value) => value !== null && value !== undefined)
}
