import type { Call } from '../../core/commands/call.ts'
import { endpointIdPattern } from '../../core/model/endpoint.ts'

/** Thrown instead of making a call whose address would not be the one that was meant. Nothing has been sent. */
export class UnsafeCall extends Error {
  override readonly name = 'UnsafeCall'
}

/** The id in a call's path, or '' when its path has none. Throws `UnsafeCall` for an id that must not become a path. */
export function endpointOf(call: Call): string {
  const given = call.params?.path ?? {}
  for (const [name, value] of Object.entries(given)) {
    if (name !== 'endpoint_id' || typeof value !== 'string' || !endpointIdPattern.test(value)) {
      throw new UnsafeCall(
        `${JSON.stringify(String(value).slice(0, 80))} cannot be an endpoint's id: ids are 1 to 64 letters, digits, "-" and "_". Nothing was sent.`,
      )
    }
  }
  const id = given['endpoint_id'] ?? ''
  if (call.path.includes('{endpoint_id}') !== (id !== '')) {
    throw new UnsafeCall(`${call.path} was called ${id === '' ? 'without' : 'with'} an endpoint. Nothing was sent.`)
  }
  return id
}

/**
 * Looks at the address once more after it was built: it must be the template of the call under the configured base,
 * with an id in its place. Serializers normalise, and `..` turned a stop into a start elsewhere.
 */
export function assertOurs(address: string, base: URL, template: string): void {
  const url = new URL(address)
  const under = base.pathname.replace(/\/$/, '')
  const got = url.pathname.startsWith(`${under}/`) ? url.pathname.slice(under.length).split('/') : []
  const meant = template.split('/')
  const same = meant.every((part, i) =>
    part === '{endpoint_id}' ? endpointIdPattern.test(got[i] ?? '') : part === got[i],
  )
  if (url.origin !== base.origin || got.length !== meant.length || !same) {
    throw new UnsafeCall(`A call to ${template} would have gone to another address. Nothing was sent.`)
  }
}
