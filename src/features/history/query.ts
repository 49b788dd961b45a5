import { phrase } from '../../core/commands/phrases.ts'
import { keyOf, type Records, type StoredRecord } from '../../core/model/records.ts'
import { historyLife, isAutomatic, isSkipped, type Past, type Request } from '../../core/model/request.ts'
import { fenceOf, isInside } from '../../core/policy/programs.ts'
import type { QueryInput, Services } from '../../core/ports/services.ts'
import { spanOf } from '../../core/time/format.ts'
import { type HistoryValues, pageSize } from './fields.ts'

/** Requests: read at once, searched for a page, in one export. */
const most = { read: 100, searched: 10_000, exported: 5_000 } as const

type Fits = (request: Request) => boolean

/** Ended requests: a page and one more, one request with its events, or everything for an export. Refused ones apart. */
export async function historyOf(services: Services, { values, request }: QueryInput): Promise<readonly Past[]> {
  const { what, on, who, since, page = 1 } = values as HistoryValues
  const from = services.clock.now() - ((since === undefined ? null : spanOf(since)) ?? historyLife)
  const user = who === 'me' ? request.actor.user : who?.slice(1)
  const isTheirs: Fits = ({ actor }) => user === undefined || actor.user === user

  const fence = request.through && fenceOf(request, await services.store.records())
  const listed = fence && (await services.store.names())?.endpoints
  // A program for some endpoints reads its own requests, and those on these endpoints.
  const isOpen: Fits = ({ through, endpoint }) =>
    (through !== undefined && through.token === request.through?.token) || isInside(fence, endpoint, listed)
  const named = on === undefined ? null : await services.store.load(on)
  const one = named !== null && isOpen(named) ? named : null
  if (one?.kind === 'operation' && what !== 'export')
    return [{ ...(await withEvents(services, one)), ...(await aboutOf(services, one)) }]

  const isMeant: Fits = (past) =>
    what === 'export' ||
    ((past.status === 'refused') === (what === 'refused') && (who !== undefined || !isAnswer(past)))
  const skip = what === 'export' ? 0 : (page - 1) * pageSize
  const count = what === 'export' ? most.exported : pageSize + 1
  const isAnswer: Fits = ({ line, status }) => {
    const row = services.commands.stored(line)?.row
    return status === 'succeeded' && row?.kind === 'operation' && answers.has(row.deed)
  }
  const filters: readonly Fits[] = on === undefined ? [() => true] : await filtersFor(services, on)
  for (const fits of filters) {
    const found = await pick(
      services,
      from,
      (past) => isMeant(past) && isTheirs(past) && isOpen(past) && fits(past),
      skip,
      count,
    )
    if (found.length === 0) continue
    if (what === 'export') return allWithEvents(services, found)
    return Promise.all(found.map(async (past) => ({ request: past, events: [], ...(await aboutOf(services, past)) })))
  }
  return []
}

/** Deeds that stand beside the request which they decided. */
const answers: ReadonlySet<unknown> = new Set(['approve', 'decline', 'cancel'])

/** The request that a line answers; empty for any other line, or if that request is forgotten. */
async function aboutOf({ store, commands }: Services, { line }: Request): Promise<Pick<Past, 'about'>> {
  const { row, values = {} } = commands.stored(line) ?? {}
  if (row?.kind !== 'operation' || row.deed === undefined) return {}
  const id = String(values['request'] ?? values['endpoint'])
  const other = /^[\w-]{22}$/.test(id) ? await store.load(id) : null
  if (other === null) return {}
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

/** First by the id or whole name of the endpoint, now or then, else by the beginning of its name. */
async function filtersFor(services: Services, word: string): Promise<readonly Fits[]> {
  const known = await services.store.names()
  const ids = new Set(known?.endpoints.filter(({ name }) => name === word).map(({ id }) => id))
  const begins = word.toLowerCase()
  return [
    (one) => namesOf(services, one).includes(word) || ids.has(one.endpoint?.id ?? ''),
    (one) => namesOf(services, one).some((name) => name.toLowerCase().startsWith(begins)),
  ]
}

/** The endpoint's id and name; of a request that ended before it found one, the word in its line. */
function namesOf({ commands }: Services, { endpoint, line }: Request): readonly string[] {
  if (endpoint !== undefined) return [endpoint.id, endpoint.name]
  const named = commands.stored(line)?.values['endpoint']
  return typeof named === 'string' ? [named] : []
}

async function allWithEvents(services: Services, requests: readonly Request[]): Promise<readonly Past[]> {
  const all: Past[] = []
  for (let at = 0; at < requests.length; at += most.read)
    all.push(...(await Promise.all(requests.slice(at, at + most.read).map((one) => withEvents(services, one)))))
  return all
}

async function withEvents(services: Services, request: Request): Promise<Past> {
  return { request, events: await services.store.eventsOf(request.id) }
}

/** The last operation, record change or skipped stop of an endpoint; null if none is remembered. */
export async function lastRequestOn(services: Services, endpoint: string): Promise<Request | null> {
  return newestOf(await services.store.lastDone(endpoint), await lastChangeOn(services, endpoint))
}

/** A rule's request that follows a change so soon belongs to that change, ms. */
const soon = 60_000

/** The request to undo. `either`: a person's change and a rule's later request, of which people choose one. */
export type Undoable = { readonly last: Request | null } | { readonly either: readonly [Request, Request] }

/** The request that `undo` is about. `named`: the id of a request that people chose. */
export async function undoableOn(services: Services, endpoint: string, named?: string): Promise<Undoable> {
  const [done, changed] = [await services.store.lastDone(endpoint), await lastChangeOn(services, endpoint)]
  const last = newestOf(done, changed)
  if (changed?.change === undefined || last === null || last === changed) return { last }
  if (!isAutomatic(last) || last.decision !== undefined) return { last }
  // A one-off cannot be undone once its time has come.
  const isOver = changed.change.put?.some((one) => one.kind === 'once' && one.at <= services.clock.now()) === true
  if (isOver || !isAsLeft(changed, await services.store.records())) return { last }
  if (named !== undefined) return { last: named === changed.id ? changed : last }
  return last.receivedAt - endOf(changed) < soon ? { last: changed } : { either: [changed, last] }
}

/** Whether the records are as a request left them. */
export function isAsLeft({ change }: Request, records: Records): boolean {
  const { put = [], drop = [] } = change ?? {}
  // Request and record were stored from one text, so their fields have the same order.
  const isThere = (one: StoredRecord) => JSON.stringify(records.get(keyOf(one))) === JSON.stringify(one)
  return put.every(isThere) && !drop.some((key) => records.has(key))
}

async function lastChangeOn(services: Services, endpoint: string): Promise<Request | undefined> {
  const recent = await services.store.recentOn(endpoint)
  return recent.find((one) => (one.status === 'succeeded' && one.change !== undefined) || isSkipped(one))
}

function newestOf(done: Request | null, changed: Request | undefined): Request | null {
  return changed !== undefined && endOf(changed) > (done?.ending?.at ?? 0) ? changed : done
}

function endOf({ ending }: Request): number {
  return ending?.at ?? 0
}
