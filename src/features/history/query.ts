import { labelled } from '../../core/commands/fields.ts'
import { phrase } from '../../core/commands/phrases.ts'
import { idWord } from '../../core/model/question.ts'
import { type Past, type Request, wasCarriedOut } from '../../core/model/request.ts'
import { idOf, say } from '../../core/model/words.ts'
import { fenceOf, isInside } from '../../core/policy/programs.ts'
import type { OwnOutcome, QueryInput, Services } from '../../core/ports/services.ts'
import type { SentenceId } from '../../words/english.ts'
import { isWhy } from './as-of-now.ts'
import { allWithEvents, timelineOf } from './events.ts'
import { type HistoryValues, pageSize, timesOf } from './fields.ts'
import { activeNow, doneBy, endedSince, failedLast, isRestart, toldOnce } from './last-change.ts'
import { personInstead, userNamed } from './person.ts'

/** Limits: requests per read, searched for a page, and in one export. */
const most = { read: 100, searched: 10_000, exported: 5_000 } as const

type Fits = (request: Request) => boolean

/** Returns ended requests: a page and one more, one with its events, or all for an export. Refused ones on demand. */
export async function historyOf(services: Services, input: QueryInput): Promise<OwnOutcome<readonly Past[]>> {
  const { values, request } = input
  const { what, on, who = 'me', page = 1 } = values as HistoryValues
  const { from, to } = await timesOf(services, values as HistoryValues, request.actor)
  const theirs = who === 'me' ? request.actor.user : await userNamed(services, who)
  if (theirs === null)
    return { kind: 'none', says: say('field.personOrMe', { field: labelled('person'), word: who }), offers: [] }
  const user = values['who'] === undefined ? undefined : theirs
  const isTheirs: Fits = ({ actor }) => user === undefined || actor.user === user

  const fence = request.through && fenceOf(request, await services.store.records())
  const listed = (await services.store.names())?.endpoints
  // A request that was refused at once has only the endpoint's id, in its line.
  const withEndpoint = (past: Request): Request => {
    const id = past.endpoint === undefined && services.commands.stored(past.line)?.values['endpoint']
    const endpoint = listed?.find((one) => one.id === id)
    return endpoint === undefined ? past : { ...past, endpoint }
  }
  // A program limited to some endpoints reads its own requests and those on its endpoints.
  const isOpen: Fits = ({ through, endpoint }) =>
    (through !== undefined && through.token === request.through?.token) || isInside(fence, endpoint, listed)
  const named = on === undefined ? null : await services.store.load(on)
  const one = named !== null && isOpen(named) ? named : null
  if (one?.kind === 'operation' && what !== 'export')
    return answered([{ ...(await timelineOf(services, withEndpoint(one))), ...(await aboutOf(services, one, isOpen)) }])

  const state = what === 'stopped' || what === 'started' ? what : undefined
  const isMeant: Fits = (past) => {
    if (what === 'export') return true
    if (state)
      return (
        wasCarriedOut(past) &&
        (doneBy(past, services.commands.rows) === what || (what === 'started' && isRestart(past)))
      )
    // The pause that cancelled it has a row of its own.
    if (past.ending?.keptBy !== undefined) return false
    if (past.status === 'refused' && asksBack.has(idOf(past.ending?.says ?? ''))) return false
    return (past.status === 'refused') === (what === 'refused') && (user !== undefined || !isAnswer(past))
  }
  const about = listed?.find(({ id, name }) => id === on || name === on)
  const last = state && about && isWhy(values) ? await failedLast(services, about.id) : []
  const failed = last.filter((past) => isOpen(past.request))
  const skip = what === 'export' ? 0 : (page - 1) * pageSize
  const count = what === 'export' ? most.exported : pageSize + 1
  const isAnswer: Fits = ({ line, status }) => {
    const row = services.commands.stored(line)?.row
    return status === 'succeeded' && row?.kind === 'operation' && answers.has(row.deed)
  }
  const filters: readonly Fits[] = on === undefined ? [() => true] : await filtersFor(services, on)
  for (const fits of filters) {
    const isNew = what === 'export' ? () => true : toldOnce()
    const found = await pick(
      services,
      from,
      (past) =>
        (past.ending?.at ?? 0) < to && isMeant(past) && isTheirs(past) && isOpen(past) && fits(past) && isNew(past),
      skip,
      count,
    )
    if (found.length === 0) continue
    if (what === 'export') return answered(await allWithEvents(services, found, most.read))
    const newest = state && found[0] ? await endedSince(services, found[0], state) : {}
    const pasts = found.map(async (past, at) => ({
      request: withEndpoint(past),
      events: [],
      ...(at === 0 && newest),
      ...(await aboutOf(services, past, isOpen)),
    }))
    return answered([...failed, ...(await Promise.all(pasts))])
  }
  const instead = user === undefined ? await personInstead(services, values as HistoryValues) : null
  if (instead !== null && request.through === undefined) return instead
  if (fence === undefined || about === undefined || isInside(fence, about, listed)) {
    // Nothing was found, so the answer is only its state. If it is stopped, that is what needs a reason.
    const active = state && about !== undefined ? await activeNow(services, about.id) : null
    if (what !== 'started' || active !== false || !isWhy(values)) return answered(failed)
    return historyOf(services, { ...input, values: { ...values, what: 'stopped' } })
  }
  const says = say('program.on', { name: request.through?.name ?? '', on: { any: fence } })
  return { kind: 'none', says, offers: [] }
}

function answered(answer: readonly Past[]): OwnOutcome<readonly Past[]> {
  return { kind: 'answered', answer }
}

/** Questions about which one is meant, which are not refusals. */
const asksBack: ReadonlySet<unknown> = new Set<SentenceId>(['undo.which', 'request.several', 'request.theirs'])

/** Commands that are shown beside the request they decided. */
const answers: ReadonlySet<unknown> = new Set(['approve', 'decline', 'cancel'])

/** Returns the request that a line answers; empty for other lines, or if nobody stored it or this reader may not see it. */
async function aboutOf({ store, commands }: Services, { line }: Request, isOpen: Fits): Promise<Pick<Past, 'about'>> {
  const { row, values = {} } = commands.stored(line) ?? {}
  if (row?.kind !== 'operation' || row.deed === undefined) return {}
  const [, id] = idWord.exec(String(values['request'] ?? values['endpoint'])) ?? []
  const other = id === undefined ? null : await store.load(id)
  if (other?.kind !== 'operation' || !isOpen(other)) return {}
  const deed = phrase(commands.operation(other.line), other.endpoint?.name ?? '', 'ask', other.change)
  return { about: { deed, by: other.actor } }
}

async function pick(
  services: Services,
  since: number,
  fits: Fits,
  skip: number,
  count: number,
): Promise<readonly Request[]> {
  const found: Request[] = []
  for (let at = 0; at < most.searched && found.length < skip + count; at += most.read) {
    const { requests, more } = await services.store.past(since, at, most.read)
    found.push(...requests.filter(fits))
    if (!more) break
  }
  return found.slice(skip, skip + count)
}

/** Tries the endpoint's id or full name, now or then; then a command; then the beginning of a name, if none has it. */
async function filtersFor(services: Services, word: string): Promise<readonly Fits[]> {
  const known = await services.store.names()
  const ids = new Set(known?.endpoints.filter(({ name }) => name === word).map(({ id }) => id))
  const begins = word.toLowerCase()
  const row = services.commands.find(begins)
  return [
    (one) => namesOf(services, one).includes(word) || ids.has(one.endpoint?.id ?? ''),
    ({ line }) => row !== undefined && services.commands.stored(line)?.row === row,
    (one) => ids.size === 0 && namesOf(services, one).some((name) => name.toLowerCase().startsWith(begins)),
  ]
}

/** Returns the endpoint's id and name, or the word in the line if the request ended before it found one. */
function namesOf({ commands }: Services, { endpoint, line }: Request): readonly string[] {
  if (endpoint !== undefined) return [endpoint.id, endpoint.name]
  const named = commands.stored(line)?.values['endpoint']
  return typeof named === 'string' ? [named] : []
}
