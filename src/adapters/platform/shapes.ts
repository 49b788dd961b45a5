import * as z from 'zod'
import type { Endpoint, EndpointPage, InstanceTypePage } from '../../core/model/endpoint.ts'
import { platformWords } from './sentences.ts'

// A field that decides must have its type, or the whole answer is unreadable. A field that is only shown may be missing
// or strange, and is left out then. Unknown fields are dropped, `__proto__` among them.
export const anyText = z.string()
export const flag = orNull(z.boolean())
export const shownText = leniently(anyText)
export const shownNumber = leniently(z.number())
export const shownFlag = leniently(z.boolean())
/** The kept length of a name, since patterns of the policy are matched with it at every look. */
const maxName = 255
const word = anyText.transform((name) => (name.length > maxName ? Array.from(name).slice(0, maxName).join('') : name))
export const name = leniently(word)

/** Enough for two million endpoints; a larger number is a mistake. */
const maxPages = 1000

export const endpointShape = z
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
    tags: leniently(z.array(word)),
    error: z.unknown().optional(),
    created_at: shownText,
    updated_at: shownText,
  })
  .transform((found, context): Endpoint => {
    const id = found.endpoint_id || found.id
    if (!id) {
      context.addIssue('An endpoint has no id.')
      return z.NEVER
    }
    return {
      id,
      name: found.name || id,
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
  })

function problem(error: unknown): string | null {
  if (error === null || error === undefined) return null
  return platformWords(error) || 'The platform could not read the live state of this endpoint.'
}

/** Without a number of pages, or a size to compute it from, nobody knows whether the list is complete. */
export const pageShape = z
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
export const instanceTypesShape = z
  .object({ items: z.array(instanceType), total: shownNumber, size: shownNumber, pages: shownNumber })
  .transform(({ items, total, size, pages }): InstanceTypePage => {
    return { types: items, pages: Math.min(maxPages, pages ?? (total && size ? Math.ceil(total / size) : 1)) }
  })

function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null)
}

export function leniently<Schema extends z.ZodType>(schema: Schema) {
  return orNull(schema).catch(null)
}

export function given<Name extends string, Value>(name: Name, value: Value | null): { [K in Name]?: Value } {
  return value === null ? {} : ({ [name]: value } as { [K in Name]: Value })
}
