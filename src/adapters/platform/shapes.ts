import * as z from 'zod'

// A field that decides must have its type, or the whole answer is unreadable. A field that is only shown may be missing
// or strange, and is left out then. Unknown fields are dropped, `__proto__` among them.
const text = z.string()
const flag = orNull(z.boolean())
const shownText = shown(text)
/** The kept length of a name, since patterns of the policy are matched with it at every look. */
const maxName = 255
const word = text.transform((name) => (name.length > maxName ? Array.from(name).slice(0, maxName).join('') : name))
const name = shown(word)
const shownNumber = shown(z.number())
const shownFlag = shown(z.boolean())

export const KeyContextShape = z.object({
  organization_id: text,
  project_id: text,
  api_key_id: shownText,
  user_id: shownText,
  authenticated_via: shownText,
})

export const EndpointShape = z
  .object({
    id: text.nullish(),
    endpoint_id: text.nullish(),
    name,
    is_active: flag,
    status: shownText,
    num_replicas: shownNumber,
    enable_autoscaling: shownFlag,
    instance_type_name: shownText,
    serving_endpoint_url: shownText,
    replica_status_summary: shown(z.record(text, z.number())),
    tags: shown(z.array(word)),
    error: z.unknown().optional(),
    created_at: shownText,
    updated_at: shownText,
  })
  .transform((endpoint, context) => {
    const id = endpoint.endpoint_id || endpoint.id
    if (id) return { ...endpoint, id }
    context.addIssue('An endpoint has no id.')
    return z.NEVER
  })

export const PageShape = z.object({
  items: z.array(EndpointShape),
  total: z.int().min(0),
  page: z.int().min(1).optional(),
  size: z.int().min(1).optional(),
  pages: z.int().min(0).optional(),
})

export const InstanceTypesShape = z.object({
  items: z.array(
    z.object({
      name: shownText,
      display_name: shownText,
      gpu_name: shownText,
      gpu_count: shownNumber,
      price_per_hour: shownNumber,
      currency: shownText,
    }),
  ),
  total: shownNumber,
  size: shownNumber,
  pages: shownNumber,
})

export const SettingsShape = z.object({
  endpoint_id: shownText,
  name,
  is_active: flag,
  container_start_command: shownText,
  // Only the names are kept, never the values.
  container_env_vars: shown(
    z
      .array(z.object({ key: text.catch('') }))
      .transform((pairs) => pairs.map(({ key }) => key).filter((key) => key !== '')),
  ),
  container_port: shownNumber,
  container_health_check_path: shownText,
  container_health_check_timeout: shownNumber,
  health_check_timeout: shownNumber,
  container_metric_path: shownText,
  updated_at: shownText,
})

export const SwitchedShape = z
  .object({ endpoint_id: shownText, is_active: flag, message: shownText })
  .refine(says, 'Nothing is said about a start or stop.')

export const ScaledShape = z
  .object({ endpoint_id: shownText, previous_replicas: shownNumber, current_replicas: shownNumber, message: shownText })
  .refine(says, 'Nothing is said about a scale.')

export const ReplicasShape = listOf(
  z.object({ replica_id: text, state: shownText, node_id: shownText, start_time_s: shownNumber }),
)

export const LogFilesShape = listOf(
  z.object({
    node_id: text,
    replica_id: text,
    filename: text,
    is_historical: shownFlag,
    start_time: shownText,
    end_time: shownText,
  }),
)

export const LogContentShape = z.object({ content: text, start_line: shownNumber, end_line: shownNumber })

function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null)
}

function shown<Schema extends z.ZodType>(schema: Schema) {
  return orNull(schema).catch(null)
}

// Bare, as documented, or in `items` like the list of endpoints.
function listOf<Item extends z.ZodType>(item: Item): z.ZodType<z.output<Item>[]> {
  return z.union([z.array(item), z.object({ items: z.array(item) }).transform(({ items }) => items)])
}

// `{}` is not an answer.
function says(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.values(fields).some((value) => value !== null && value !== undefined)
}
