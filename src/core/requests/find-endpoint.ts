import { writeWord } from '../commands/tokens.ts'
import type { Offer } from '../model/answer.ts'
import { type Endpoint, endpointIdPattern, hasLookAlike } from '../model/endpoint.ts'
import { sentences } from '../model/sentences.ts'
import { withRemedy } from '../ports/platform.ts'
import type { Held, House } from '../ports/services.ts'
import { nearest } from '../text/fuzzy.ts'
import { end, later } from './end.ts'
import { readEndpoint } from './read-endpoint.ts'

export type Found =
  /** `alike`: another one is called so that it looks the same. */
  | { readonly kind: 'found'; readonly endpoint: Pick<Endpoint, 'id' | 'name'>; readonly alike?: true }
  /** Not one: what to say, and lines that would be. */
  | { readonly kind: 'none'; readonly says: string; readonly offers: readonly Offer[] }
  | { readonly kind: 'later'; readonly says: string }

/** How long a listed name is believed before the platform is asked again; ids are read live anyway. */
const fresh = 60_000

/**
 * The endpoint a word names. An id or a full name that only one endpoint has is enough for everything; a query is
 * also content with the one endpoint whose name begins like that or is nearest.
 */
export async function findEndpoint(
  house: House,
  word: string,
  verb: string,
  kind: 'query' | 'operation',
): Promise<Found> {
  const known = await house.store.names()
  const early = known !== null && house.clock.now() - known.at < fresh ? known.endpoints : []
  const [first, ...more] = match(word, early, kind)
  if (first !== undefined && more.length === 0) return found(first, early)

  const listed = await house.platform.list()
  if (listed.kind !== 'answered')
    return listed.kind === 'refused'
      ? { kind: 'none', says: withRemedy(listed), offers: [] }
      : { kind: 'later', says: listed.says }
  await house.store.rememberNames(listed.answer, house.clock.now())
  const matches = match(word, listed.answer, kind)
  if (matches.length === 1 && matches[0] !== undefined) return found(matches[0], listed.answer)
  if (matches.length > 1)
    return {
      kind: 'none',
      says: sentences.ambiguous(word),
      offers: offersFor(verb, matches.slice(0, 5), ({ id }) => id),
    }
  return unlisted(house, word, verb, listed.answer)
}

function found(endpoint: Pick<Endpoint, 'id' | 'name'>, all: readonly Endpoint[]): Found {
  return { kind: 'found', endpoint, ...(hasLookAlike(endpoint, all) && { alike: true }) }
}

function match(word: string, all: readonly Endpoint[], kind: 'query' | 'operation'): readonly Endpoint[] {
  const byId = all.filter(({ id }) => id === word)
  if (byId.length > 0) return byId
  const byName = all.filter(({ name }) => name === word)
  if (byName.length > 0 || kind === 'operation') return byName
  const begins = all.filter(({ name }) => name.toLowerCase().startsWith(word.toLowerCase()))
  if (begins.length === 1) return begins
  const near = nearest(word, all, 2)
  return near.length === 1 ? near : []
}

/**
 * A key may reach an endpoint that its list does not show, so an id is asked for by itself before "unknown". What the
 * platform has no more is found as long as something is laid down about it: that can still be taken away.
 */
async function unlisted(house: House, word: string, verb: string, all: readonly Endpoint[]): Promise<Found> {
  if (endpointIdPattern.test(word)) {
    const read = await readEndpoint(house, word, 'half')
    if (read.kind === 'read') return found(read.endpoint, all)
    if (read.kind === 'later') return read
    const known = read.kind === 'gone' ? await bygone(house, word) : null
    if (known !== null) return { kind: 'found', endpoint: known }
  }
  const near = nearest(word, all)
  return {
    kind: 'none',
    says: sentences.unknownEndpoint(word.slice(0, 100), near.length),
    offers: offersFor(verb, near, (one) => (hasLookAlike(one, all) ? `${one.id} (${one.name})` : one.name)),
  }
}

/** `called`: how each is told from the others. */
function offersFor(
  verb: string,
  endpoints: readonly Endpoint[],
  called: (endpoint: Endpoint) => string,
): readonly Offer[] {
  const shown = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`
  return endpoints.map((one) => ({ label: `${shown} ${called(one)}`, line: `${verb} ${writeWord(one.id)}` }))
}

/** An endpoint that is known from what was laid down about it alone, by the name it had; null where nothing was. */
export async function bygone(house: House, id: string): Promise<Pick<Endpoint, 'id' | 'name'> | null> {
  const about = [...(await house.store.records()).values()].filter((one) => 'endpoint' in one && one.endpoint === id)
  if (about.length === 0) return null
  const listed = (await house.store.names())?.endpoints.find((one) => one.id === id)
  if (listed !== undefined) return { id, name: listed.name }
  // A record is called by the request that has laid it down, and that by the endpoint.
  for (const one of about) {
    const request = 'id' in one ? await house.store.load(one.id) : null
    if (request?.endpoint !== undefined) return request.endpoint
  }
  return (await house.store.lastDone(id))?.endpoint ?? { id, name: id }
}

/** The endpoint that the line of a deed names; null when the request has been ended or put off for want of one. */
export async function named(house: House, held: Held): Promise<{ readonly id: string; readonly name: string } | null> {
  const found = await findEndpoint(house, wordOf(held), held.command.row.name, 'operation')
  if (found.kind === 'found') return found.endpoint
  if (found.kind === 'later') await later(house, held, found.says)
  else await end(house, held, 'refused', { says: found.says, offers: found.offers })
  return null
}

/** What the line of a deed is about, as it was written. */
export function wordOf({ command: { values } }: Pick<Held, 'command'>): string {
  return String(values['request'] ?? values['endpoint'])
}
