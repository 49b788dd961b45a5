import { at, call } from '../commands/call.ts'
import { type Command, forPrograms } from '../commands/commands.ts'
import { nearText } from '../commands/examples.ts'
import { aPerson, type Field } from '../commands/fields.ts'
import { titleOf } from '../commands/help.ts'
import { everything, mostOffered } from '../commands/near.ts'
import { longestLine, writeLine } from '../commands/parse.ts'
import type { Matchable } from '../model/automation.ts'
import {
  currentState,
  type Endpoint,
  endpointIdPattern,
  isUpdatedSince,
  type NamedEndpoint,
  namedAmong,
} from '../model/endpoint.ts'
import type { Step } from '../model/plan.ts'
import type { Offer } from '../model/query-answer.ts'
import type { FieldValues, Request } from '../model/request.ts'
import { type Sentence, say, type Words } from '../model/words.ts'
import { fenceOf, isInside } from '../policy/programs.ts'
import { withRemedy } from '../ports/platform.ts'
import type { BotServices, ClaimedRequest, Services } from '../ports/services.ts'
import { nearest, nearestByEdits } from '../text/names.ts'
import { end, retryLater } from './end.ts'

/** The result of a live read. `gone`: no such endpoint for this key; `no`: the platform refuses; `later`: try again. */
export type ReadOfOne =
  | { readonly kind: 'read'; readonly endpoint: Endpoint }
  | { readonly kind: 'gone' | 'no'; readonly says: Words }
  /** `pause`: how long the platform asked to wait, ms. */
  | { readonly kind: 'later'; readonly says: Words; readonly pause?: number | undefined }

/** Reads an endpoint. Of a 200 with a problem only `is_active` is trusted. Missing tags come from the list. */
export async function readEndpoint(
  services: Services,
  id: string,
  enough: 'whole' | 'half' = 'whole',
): Promise<ReadOfOne> {
  const outcome = await services.platform.send(call('get', '/endpoints/{endpoint_id}', { params: at({ id }) }))
  if (outcome.kind === 'refused') return { kind: outcome.status === 404 ? 'gone' : 'no', says: withRemedy(outcome) }
  if (outcome.kind !== 'answered')
    return { kind: 'later', says: outcome.says, ...('pause' in outcome && { pause: outcome.pause }) }
  const { problem, active } = outcome.answer
  if (problem !== undefined && (enough === 'whole' || active === null)) return { kind: 'later', says: problem }
  const { tags = [] } = outcome.answer.tags ? outcome.answer : await withTags(services, outcome.answer)
  return { kind: 'read', endpoint: { ...outcome.answer, tags } }
}

/** Returns the endpoint of a request by its present name, which another endpoint may have as well. */
export async function underItsName(
  { store }: Pick<Services, 'store'>,
  { id, name }: NamedEndpoint,
  before: NamedEndpoint | undefined,
): Promise<NamedEndpoint> {
  return before?.name === name ? before : namedAmong({ id, name }, (await store.names())?.endpoints ?? [])
}

/** Returns the settings of the last patch's answer, which is their only source; null if they may have changed since. */
export async function knownSettings(store: Pick<BotServices['store'], 'settingsOf'>, endpoint: Endpoint) {
  const known = await store.settingsOf(endpoint.id)
  return known === null || isUpdatedSince(endpoint, known) ? null : known
}

/** How much of a read a step needs: a stop needs only `is_active`. */
export function partNeededFor({ goal }: Pick<Step, 'goal'>): 'whole' | 'half' {
  return goal === 'stopped' ? 'half' : 'whole'
}

export type Listing = ReturnType<Services['store']['names']>

/** Begins to read the list of names while something else is looked up. Only whoever waits for it gets its error. */
export function listingSoon({ store }: Pick<Services, 'store'>): Listing {
  const listing = store.names()
  listing.catch(() => undefined)
  return listing
}

/** How often to look at the age of the list of endpoints for type-ahead and the Home, and how old it may be, ms. */
export const refreshEvery = 5_000
const oldest = 55_000

/** Lists the endpoints before anyone needs the names, if it is our `turn`. No decision depends on this list. */
export async function refresh(services: Services, turn: () => Promise<boolean>): Promise<void> {
  const listedAt = (await services.store.names())?.at ?? 0
  if (Math.abs(services.clock.now() - listedAt) < oldest || !(await turn())) return
  const listed = await services.platform.list()
  if (listed.kind === 'answered') await services.store.rememberNames(listed.answer, services.clock.now())
}

type EndpointMatch =
  | { readonly kind: 'found'; readonly endpoint: NamedEndpoint }
  /** No match, or several: the message and the lines to offer. */
  | { readonly kind: 'none'; readonly says: Words; readonly offers: readonly Offer[] }
  | { readonly kind: 'later'; readonly says: Words }

/** How long the list of names is used before it is fetched again, ms. Ids are always read live. */
const fresh = 60_000

/**
 * Finds the endpoint that a command names by its id or full name. A query also accepts a unique prefix or the only near
 * miss. A program is offered only the endpoints that its token allows, and those it named itself.
 */
export async function findEndpoint(
  services: Services,
  word: string,
  command: Command,
  asked: Pick<Request, 'through'> = {},
  listing: Listing = services.store.names(),
): Promise<EndpointMatch> {
  const { kind } = command.row
  const known = await listing
  const on = asked.through === undefined ? undefined : fenceOf(asked, await services.store.records())
  // Everybody but a restricted program gets the list itself, whose index of names is kept.
  const seen = (all: readonly Endpoint[]) =>
    on === undefined ? all : all.filter((one) => one.id === word || one.name === word || isInside(on, one))
  const early = seen(known !== null && Math.abs(services.clock.now() - known.at) < fresh ? known.endpoints : [])
  const [first, ...more] = match(word, early, kind)
  if (first !== undefined && more.length === 0) return { kind: 'found', endpoint: namedAmong(first, early) }

  const listed = await services.platform.list()
  if (listed.kind !== 'answered')
    return listed.kind === 'refused'
      ? { kind: 'none', says: withRemedy(listed), offers: [] }
      : { kind: 'later', says: listed.says }
  await services.store.rememberNames(listed.answer, services.clock.now())
  const all = seen(listed.answer)
  const matches = match(word, all, kind)
  const [found, ...others] = matches
  if (found !== undefined && others.length === 0) return { kind: 'found', endpoint: namedAmong(found, all) }
  const naming = { word, command, all, byProgram: asked.through !== undefined }
  return found === undefined ? unlisted(services, naming) : whichOf(naming, matches.slice(0, 5))
}

/** A word that should name an endpoint, with its line. */
interface Naming {
  readonly word: string
  readonly command: Command
  /** The endpoints that it may name. */
  readonly all: readonly Endpoint[]
  readonly byProgram: boolean
}

function whichOf(naming: Naming, some: readonly Endpoint[]): EndpointMatch {
  const states = some.map((one) => say('history.isNow', { name: one.id, state: currentState(one) }))
  const says = [say('endpoint.ambiguous', { name: naming.word }), ...states, wholeLines(naming, some) ?? '']
  return { kind: 'none', says, offers: offersFor(naming, some, ({ id }) => id) }
}

/** Reads an id that is not in the list. A removed endpoint is still found while records mention it. */
async function unlisted(services: Services, naming: Naming): Promise<EndpointMatch> {
  const { word, all } = naming
  if (endpointIdPattern.test(word)) {
    const read = await readEndpoint(services, word, 'half')
    if (read.kind === 'read') return { kind: 'found', endpoint: namedAmong(read.endpoint, all) }
    if (read.kind === 'later') return { kind: 'later', says: read.says }
    const known = read.kind === 'gone' ? await removedEndpoint(services, word) : null
    if (known !== null) return { kind: 'found', endpoint: known }
  }
  // An id of Slack's says nothing to people, and a mention would ping.
  if (aPerson.test(word)) return { kind: 'none', says: say('endpoint.person'), offers: [] }
  const near = like(word, all)
  return near.length > 0 ? nearMisses(naming, near) : unknown(services, naming)
}

function nearMisses(naming: Naming, near: readonly Endpoint[]): EndpointMatch {
  const called = (one: Endpoint) => (namedAmong(one, naming.all).ambiguous ? `${one.id} (${one.name})` : one.name)
  const names = say('line.near', { of: 'name', near: { any: near.map(called) } })
  const says = [say('endpoint.near', { name: naming.word.slice(0, 100) }), wholeLines(naming, near) ?? names]
  return { kind: 'none', says, offers: offersFor(naming, near, called) }
}

/** Says that there is no such endpoint. A one-word line is read as an endpoint's name, but may be a misspelt command. */
function unknown(services: Services, { word, command: { row }, byProgram }: Naming): EndpointMatch {
  const commands = byProgram ? forPrograms(services.commands) : services.commands
  const own = commands.find(row.name)
  const alone = commands.parse(word)
  const isAlone = alone.kind === 'line' && alone.read.row === own
  const near = alone.kind === 'line' && alone.perhaps?.near
  const typos = () => nearestByEdits(word, commands.rows, mostOffered).map((row) => ({ row }))
  const meant = isAlone ? (near || typos()).filter((one) => one.row !== own) : []
  const offers = meant.map(({ row: { name, kind } }): Offer => {
    return { label: titleOf({ name }), line: name, ...(kind === 'operation' && { opens: 'form' }) }
  })
  const says = [say('endpoint.unknown', { name: word.slice(0, 100) }), nearText(meant.map((one) => one.row.name))]
  return { kind: 'none', says, offers }
}

function nameIn(one: Endpoint, all: readonly Endpoint[]): string {
  return namedAmong(one, all).ambiguous ? one.id : one.name
}

/** "Did you mean /endpoint start my-llm for 30m?" Undefined if the line only named an endpoint, or is too long. */
function wholeLines(naming: Naming, endpoints: readonly Endpoint[]): Words | undefined {
  const { field, others } = fieldsOf(naming)
  const isMore = Object.values(others).some((value) => value !== undefined)
  const { row } = naming.command
  const lines = endpoints.map((one) => writeLine(row, { ...others, [field]: nameIn(one, naming.all) }, 'shown'))
  return isMore && lines.join('').length <= longestLine ? nearText(lines) : undefined
}

/** Repeats the line with another name. Whatever else was typed stays: a start would otherwise have no end. */
function offersFor(naming: Naming, endpoints: readonly Endpoint[], called: (endpoint: Endpoint) => string) {
  const { row } = naming.command
  const { field, others } = fieldsOf(naming)
  const verb = `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`
  return endpoints.flatMap((one) => {
    const label = say('endpoint.offer', { verb, name: called(one) })
    // Buttons carry the id. Programs show the line, so they get the name unless it is ambiguous.
    const name = naming.byProgram ? nameIn(one, naming.all) : one.id
    const line = writeLine(row, { ...others, [field]: name })
    return line.length > longestLine ? [] : [{ label, line }]
  })
}

function fieldsOf({ word, command, byProgram }: Naming): { readonly field: string; readonly others: FieldValues } {
  const { row, values } = command
  const isNamed = ([name, { kind }]: [string, Field]) => kind === 'endpoint' && values[name] === word
  const field = Object.entries(row.fields).find(isNamed)?.[0] ?? 'endpoint'
  // Programs send their reason beside the line.
  return { field, others: { ...values, [field]: undefined, ...(byProgram && { because: undefined }) } }
}

function match(word: string, all: readonly Endpoint[], kind: 'query' | 'operation'): readonly Endpoint[] {
  const byId = all.filter(({ id }) => id === word)
  if (byId.length > 0) return byId
  const byName = all.filter(({ name }) => name === word)
  if (byName.length > 0 || kind === 'operation') return byName
  const begins = all.filter(({ name }) => name.toLowerCase().startsWith(word.toLowerCase()))
  if (begins.length === 1) return begins
  const near = like(word, all, 2)
  return near.length === 1 ? near : []
}

/** "All" is no misspelt name. */
function like(word: string, all: readonly Endpoint[], most?: number): readonly Endpoint[] {
  return everything.test(word) ? [] : nearest(word, all, most)
}

/** Returns a deleted endpoint under its last known name. Null if no record mentions it. */
export async function removedEndpoint(services: Services, id: string): Promise<NamedEndpoint | null> {
  const about = [...(await services.store.records()).values()].filter((one) => 'endpoint' in one && one.endpoint === id)
  if (about.length === 0) return null
  const listed = (await services.store.names())?.endpoints.find((one) => one.id === id)
  if (listed !== undefined) return { id, name: listed.name }
  // Take the name from the request that made the record.
  for (const one of about) {
    const request = 'id' in one ? await services.store.load(one.id) : null
    if (request?.endpoint !== undefined) return request.endpoint
  }
  const [recent] = await services.store.recentOn(id)
  return recent?.endpoint ?? (await services.store.lastDone(id))?.endpoint ?? { id, name: id }
}

/** The endpoint that the line names. Null if none was found; the request has then been ended or postponed. */
export async function endpointNamed(services: Services, claim: ClaimedRequest, listing?: Listing) {
  const found = await findEndpoint(services, wordOf(claim), claim.command, claim.request, listing)
  if (found.kind === 'found') return found.endpoint
  if (found.kind === 'later') await retryLater(services, claim, found.says)
  else await end(services, claim, 'refused', { says: found.says, offers: found.offers })
  return null
}

/** Like `endpointNamed`, but also refuses a name that the platform has given to another endpoint meanwhile. */
export async function endpointNamedNow(services: Services, claim: ClaimedRequest): Promise<NamedEndpoint | null> {
  const endpoint = await endpointNamed(services, claim)
  const word = wordOf(claim)
  if (endpoint === null || endpoint.id === word) return endpoint
  const read = await readEndpoint(services, endpoint.id, 'half')
  // A read without a name shows no other one.
  if (read.kind === 'read' && ![word, endpoint.id].includes(read.endpoint.name))
    await end(services, claim, 'refused', { says: say('endpoint.renamed', { name: read.endpoint.name }) })
  else if (read.kind === 'later') await retryLater(services, claim, read.says, read.pause)
  else return endpoint
  return null
}

/** The endpoint's name or id as written in the line. */
export function wordOf({ command: { values } }: Pick<ClaimedRequest, 'command'>): string {
  return String(values['request'] ?? values['endpoint'])
}

/** Adds the endpoint's tags, which a token's limits may refer to. Only the list has them. */
export async function withTags(
  { store }: Pick<Services, 'store'>,
  endpoint: NamedEndpoint,
): Promise<NamedEndpoint & Matchable & Partial<Endpoint>> {
  const listed = (await store.names())?.endpoints.find(({ id }) => id === endpoint.id)
  return { tags: [], ...listed, ...endpoint }
}

/** Says which endpoint was used for a misspelled name. Null for an exact name or a prefix. */
export function nearNote(typed: string, endpoint: NamedEndpoint | undefined): Sentence | null {
  if (endpoint === undefined || endpoint.id === typed) return null
  const isBeginning = endpoint.name.toLowerCase().startsWith(typed.toLowerCase())
  return isBeginning ? null : say('endpoint.taken', { typed: typed.slice(0, 100), name: endpoint.name })
}
