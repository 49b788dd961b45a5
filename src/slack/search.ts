import type { Endpoint } from '../domain/endpoint.ts'
import { nearest } from '../operations/near.ts'

/** As many as a slip of the finger may have meant. */
const few = 10
/** Names worth a closer look when none has what was typed. */
const compared = 200

/**
 * Endpoints for a few typed letters, at most `most`: names and ids that begin so, then those that have it inside; where
 * there is neither, the few that are near. Among equals those that are `active` as wanted come first (null: either), then
 * by name.
 */
export function search(
  endpoints: readonly Endpoint[],
  typed: string,
  active: boolean | null,
  most: number,
): readonly Endpoint[] {
  const wanted = typed.toLowerCase()
  const beginning: Endpoint[] = []
  const inside: Endpoint[] = []
  for (const { endpoint, name, id } of indexOf(endpoints)) {
    if (name.startsWith(wanted) || id.startsWith(wanted)) beginning.push(endpoint)
    else if (name.includes(wanted)) inside.push(endpoint)
  }
  const found = [...preferred(beginning, active), ...preferred(inside, active)]
  return found.length > 0 || wanted === '' ? found.slice(0, most) : nearest(typed, likely(endpoints, wanted), few)
}

/**
 * Those that share the most pairs of letters with what was typed. To compare by likeness costs 40 to 200 ms for 10,000
 * names, and people type on meanwhile; of these few it costs 2.
 */
function likely(endpoints: readonly Endpoint[], wanted: string): readonly Endpoint[] {
  const short = wanted.slice(0, 40)
  const pairs = [...new Set(Array.from(short.slice(1), (_, at) => short.slice(at, at + 2)))]
  return indexOf(endpoints)
    .map(({ endpoint, name }) => ({ endpoint, shared: pairs.filter((pair) => name.includes(pair)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, compared)
    .map(({ endpoint }) => endpoint)
}

interface Entry {
  readonly endpoint: Endpoint
  readonly name: string
  readonly id: string
}

/** A list stays the same object until it changes, so it is sorted and made small letters once, not at every keystroke. */
const indices = new WeakMap<readonly Endpoint[], readonly Entry[]>()

function indexOf(endpoints: readonly Endpoint[]): readonly Entry[] {
  const known = indices.get(endpoints)
  if (known !== undefined) return known
  const index = endpoints
    .map((endpoint) => ({ endpoint, name: endpoint.name.toLowerCase(), id: endpoint.id.toLowerCase() }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  indices.set(endpoints, index)
  return index
}

/** Keeps the order otherwise. */
function preferred(endpoints: readonly Endpoint[], active: boolean | null): readonly Endpoint[] {
  if (active === null) return endpoints
  return [
    ...endpoints.filter((endpoint) => endpoint.active === active),
    ...endpoints.filter((endpoint) => endpoint.active !== active),
  ]
}
