import type { PlannedCall } from '../domain/plan.ts'
import type { Request } from '../domain/request.ts'
import type { Held, House } from './ports.ts'
import type { Bound, SealedEntry } from './seals.ts'

/** The one field of a row whose values travel sealed. */
const field = 'env'

/**
 * A planned call with the sealed values in their places, made right before it is sent and kept nowhere. Null when the
 * seal is gone. A call without such values comes back as it is.
 */
export async function withSealed(house: House, held: Held, call: PlannedCall): Promise<PlannedCall | null> {
  if (held.request.sealed !== true || typeof call.body !== 'object' || call.body === null) return call
  const entries = await sealedIn(house, held)
  if (entries === null) return null
  const values = new Map(entries.map(({ key, value }) => [key, value]))
  const body = Object.entries(call.body).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map((one) => filled(one, values)) : value,
  ])
  return { ...call, body: Object.fromEntries(body) }
}

/** What was sealed for this request, or null: it is gone, or there is no key to open it with. */
export async function sealedIn(house: House, held: Held): Promise<readonly SealedEntry[] | null> {
  return (await house.seals?.open(boundOf(held))) ?? null
}

/** Thrown away as soon as the request is over. */
export async function forgetSealed(house: House, request: Request): Promise<void> {
  if (request.sealed === true) await house.seals?.forget(request.id, field)
}

/**
 * To the endpoint as the line names it, and to whoever sent the form as Slack named them: what they name, and who they
 * are, is found afterwards.
 */
function boundOf({ request: { id, actor, cameAs = actor }, command: { values } }: Held): Bound {
  return { request: id, endpoint: String(values['endpoint']), actor: cameAs, field }
}

function filled(entry: unknown, values: ReadonlyMap<string, string>): unknown {
  const key: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'key') : undefined
  return typeof key === 'string' && values.has(key) ? { key, value: values.get(key) } : entry
}
