import { aPerson } from '../../core/commands/fields.ts'
import { phrase } from '../../core/commands/phrases.ts'
import { answersTo, idWord } from '../../core/model/question.ts'
import { onceIn } from '../../core/model/records.ts'
import { historyLife, type Past, type Request } from '../../core/model/request.ts'
import { isSame } from '../../core/model/roles.ts'
import { say, type Words } from '../../core/model/words.ts'
import { fenceOf, isInside } from '../../core/policy/programs.ts'
import type { BotServices, OwnOutcome, QueryInput, Services } from '../../core/ports/services.ts'
import { isNamed } from '../../core/text/names.ts'
import { type HistoryValues, timesOf } from './fields.ts'
import { answersToItsRun, endedSince, failedLast, stateNow } from './last-change.ts'
import { type Fits, isChange, isMeant, isWhy, most, newestOf } from './search.ts'

/** Returns ended requests: a page and one more, one with its events, or all for an export. Refused ones on demand. */
export async function historyOf(services: Services, input: QueryInput): Promise<OwnOutcome<readonly Past[]>> {
  const { values, request } = input
  const { what, on, who = 'me' } = values as HistoryValues
  const theirs = who === 'me' ? request.actor.user : await userNamed(services, who)
  if (theirs === null) return none(say('history.nobody', { word: who }))
  const user = values['who'] === undefined ? undefined : theirs
  const sight = await sightOf(services, request)
  const { isOpen, withEndpoint } = sight
  const one = on === undefined || what === 'export' ? null : await services.store.load(on)
  if (one?.kind === 'operation' && isOpen(one))
    return answered([{ ...(await timelineOf(services, withEndpoint(one))), ...(await aboutOf(services, one, isOpen)) }])

  const { from, to } = await timesOf(services, values as HistoryValues, request.actor)
  const isAsked: Fits = (past) =>
    (past.ending?.at ?? 0) < to &&
    isMeant(services, past, what) &&
    (user === undefined || hasPart(past, user)) &&
    isOpen(past)
  const found = await newestOf(services, from, isAsked, values as HistoryValues)
  if (found.length === 0) return notFound(services, input, sight, user)
  if (what === 'export') return answered(await allWithEvents(services, found))
  const since = isChange(what) && found[0] ? await endedSince(services, found[0], what) : {}
  const pasts = found.map(async (past, at) => ({
    request: withEndpoint(past),
    events: [],
    ...(at === 0 && since),
    ...(await aboutOf(services, past, isOpen)),
  }))
  return answered([...(await failedOn(services, values as HistoryValues, sight)), ...(await Promise.all(pasts))])
}

/** Whether a person requested, answered or ended a request, or somebody answered for them. */
function hasPart(request: Request, user: string): boolean {
  const { actor, ending } = request
  const { votes = [], decision } = answersTo(request)
  return [actor, ...votes.flatMap((one) => [one.by, one.for]), decision?.by, request.decision?.by, ending?.by].some(
    (one) => one?.user === user,
  )
}

function answered(answer: readonly Past[]): OwnOutcome<readonly Past[]> {
  return { kind: 'answered', answer }
}

function none(says: Words): OwnOutcome<never> {
  return { kind: 'none', says, offers: [] }
}

type Sight = Awaited<ReturnType<typeof sightOf>>

async function sightOf({ store, commands }: Services, { through }: Request) {
  const fence = through && fenceOf({ through }, await store.records())
  const listed = (await store.names())?.endpoints
  // A program limited to some endpoints reads its own requests and those on its endpoints.
  const isOpen: Fits = (past) =>
    (past.through !== undefined && past.through.token === through?.token) || isInside(fence, past.endpoint, listed)
  // A request that was refused at once has only the endpoint's id, in its line.
  const withEndpoint = (past: Request): Request => {
    const id = past.endpoint === undefined && commands.stored(past.line)?.values['endpoint']
    const endpoint = listed?.find((one) => one.id === id)
    return endpoint === undefined ? past : { ...past, endpoint }
  }
  return { fence, listed, isOpen, withEndpoint }
}

/** Returns the last start or stop of the endpoint that is asked about, if it failed and nothing else is asked. */
async function failedOn(services: Services, values: HistoryValues, { listed, isOpen }: Sight) {
  const about = endpointIn(listed, values)
  const last = isChange(values.what) && about && isWhy(values) ? await failedLast(services, about.id) : []
  return last.filter((past) => isOpen(past.request))
}

function endpointIn(listed: Sight['listed'], { on }: HistoryValues) {
  return listed?.find(({ id, name }) => id === on || name === on)
}

/** Answers if nothing is found: `on` may be a person or outside what the program may see, or only its state is known. */
async function notFound(services: Services, input: QueryInput, sight: Sight, user: string | undefined) {
  const { request } = input
  const values = input.values as HistoryValues
  const { fence, listed } = sight
  const about = endpointIn(listed, values)
  const instead = user === undefined && about === undefined ? await personInstead(services, values) : null
  if (instead !== null && request.through === undefined) return instead
  if (fence !== undefined && about !== undefined && !isInside(fence, about, listed))
    return none(say('program.on', { name: request.through?.name ?? '', on: { any: fence } }))
  // The answer will be its state, so that is read now. If it is stopped, that is what needs a reason.
  const active = isChange(values.what) && about ? ((await stateNow(services, about.id))?.active ?? null) : null
  if (values.what === 'started' && active === false && isWhy(values))
    return historyOf(services, { ...input, values: { ...values, what: 'stopped' } })
  return answered(await failedOn(services, values, sight))
}

/** Returns the request that a line answers; empty for other lines, or if nobody stored it or this reader may not see it. */
async function aboutOf({ store, commands }: Services, { line }: Request, isOpen: Fits): Promise<Pick<Past, 'about'>> {
  const { row, values = {} } = commands.stored(line) ?? {}
  if (row?.deed === undefined) return {}
  const [, id] = idWord.exec(String(values['request'] ?? values['endpoint'])) ?? []
  const other = id === undefined ? null : await store.load(id)
  if (other?.kind !== 'operation' || !isOpen(other)) return {}
  const deed = phrase(commands.operation(other.line), other.endpoint?.name ?? '', 'ask', other.change)
  return { about: { deed, by: other.actor } }
}

async function allWithEvents(services: Services, requests: readonly Request[]): Promise<readonly Past[]> {
  const all: Past[] = []
  for (let at = 0; at < requests.length; at += most.read)
    all.push(...(await Promise.all(requests.slice(at, at + most.read).map((one) => withEvents(services, one)))))
  return all
}

/** The timeline of a planned start or stop begins when the person requested it, long before it was announced. */
async function timelineOf(services: Services, request: Request): Promise<Past> {
  const past = await withEvents(services, request)
  const made = await plannedBy(services, request)
  if (made === undefined) return past
  const asked = { at: made.receivedAt, what: 'asked', by: made.actor }
  return { request, events: [asked, ...answersToItsRun(request), ...past.events] }
}

async function withEvents(services: Services, request: Request): Promise<Past> {
  return { request, events: await services.store.eventsOf(request.id) }
}

/** Finds the request that planned this one; undefined if none did, or if it is not among the endpoint's last ones. */
async function plannedBy({ store, commands }: Services, planned: Request): Promise<Request | undefined> {
  const { asked, endpoint, actor, receivedAt } = planned
  if (asked === undefined || endpoint === undefined) return undefined
  return (await store.recentOn(endpoint.id)).find((one) => {
    const isTheirs = isSame(one.actor, actor) && one.receivedAt <= receivedAt
    return onceIn(one.change) !== undefined && isTheirs && commands.called(one.line, endpoint) === asked
  })
}

/** How many requests are searched for a requester's name. */
const searchedForName = 100

/** Returns the id of a person picked in Slack, or of the only requester with this name; otherwise null. */
async function userNamed({ store, people, clock }: BotServices, who: string): Promise<string | null> {
  if (aPerson.test(who)) return who.slice(1)
  const { requests } = await store.past(clock.now() - historyLife, 0, searchedForName)
  const users = [...new Set(requests.map(({ actor }) => actor.user))].filter((user) => user !== '')
  const names = await Promise.all(users.map((user) => people.namesOf(user)))
  const [user, ...more] = users.filter((_, at) => isNamed(who, names[at] ?? []))
  return user === undefined || more.length > 0 ? null : user
}

/** Suggests the line for a person's requests if the word meant as an endpoint names a person; otherwise null. */
async function personInstead(services: Services, values: HistoryValues): Promise<OwnOutcome<never> | null> {
  const { on } = values
  if (on === undefined || (await userNamed(services, on)) === null) return null
  const line = services.commands.write('history', { ...values, on: undefined, who: on })
  const offers = [{ label: say('line.typed', { line }), line }]
  return { kind: 'none', says: say('history.person', { word: on }), offers }
}
