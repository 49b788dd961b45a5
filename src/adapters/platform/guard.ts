import type { Call } from '../../core/commands/call.ts'
import { endpointIdPattern } from '../../core/model/endpoint.ts'

/** A call that would go to a wrong address. Nothing was sent. */
export class UnsafeCall extends Error {
  override readonly name = 'UnsafeCall'
}

/** The endpoint id in a call's path, or ''. Throws `UnsafeCall` for an id that must not become part of a path. */
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
 * Checks the built address: it must be the call's template under the configured base, with an id in its place.
 * Serializers normalise paths, and an id of `..` once turned a stop into a start elsewhere.
 */
export function assertOurs(address: string, base: URL, template: string): void {
  const url = new URL(address)
  const under = base.pathname.replace(/\/$/, '')
  const actual = url.pathname.startsWith(`${under}/`) ? url.pathname.slice(under.length).split('/') : []
  const expected = template.split('/')
  const isSame = expected.every((part, i) =>
    part === '{endpoint_id}' ? endpointIdPattern.test(actual[i] ?? '') : part === actual[i],
  )
  if (url.origin !== base.origin || actual.length !== expected.length || !isSame) {
    throw new UnsafeCall(`A call to ${template} would have gone to another address. Nothing was sent.`)
  }
}
