import { deedOf } from '../../core/commands/phrases.ts'
import { isSkipped, type Past, remembered } from '../../core/model/past.ts'
import { keyOf, type Rec, type Records } from '../../core/model/records.ts'
import { isAutomatic, type Request } from '../../core/model/request.ts'
import type { Asked, OwnOutcome } from '../../core/ports/query.ts'
import type { House } from '../../core/ports/services.ts'
import { spanOf } from '../../core/time/format.ts'
import { type HistoryValues, pageSize } from './fields.ts'

/** Requests: read at once, looked through for a page, looked through for what is recent, given out by one export. */
const most = { read: 100, searched: 10_000, recent: 500, exported: 5_000 } as const

type Fits = (request: Request) => boolean

/** What is over: a page of it and one more, one request with its events, or everything for an export. */
export async function historyOf(house: House, { values, request }: Asked): Promise<OwnOutcome<readonly Past[]>> {
  const { what, on, who, since, page = 1 } = values as HistoryValues
  const from = house.clock.now() - ((since === undefined ? null : spanOf(since)) ?? remembered)
  const user = who === 'me' ? request.actor.user : who?.slice(1)
  const byThem: Fits = ({ actor }) => user === undefined || actor.user === user

  const one = on === undefined ? null : await house.store.load(on)
  if (one?.kind === 'operation' && what !== 'export')
    return answered([{ ...(await whole(house, one)), ...(await aboutOf(house, one)) }])

  const skip = what === 'export' ? 0 : (page - 1) * pageSize
  const count = what === 'export' ? most.exported : pageSize + 1
  const ways = on === undefined ? [byThem] : (await waysToFit(house, on)).map((fits) => both(byThem, fits))
  for (const fits of ways) {
    const found = await pick(house, from, fits, skip, count)
    if (found.length > 0)
      return answered(what === 'export' ? await everything(house, found) : await Promise.all(found.map(called)))
  }
  return answered([])

  async function called(request: Request): Promise<Past> {
    return { ...bare(request), ...(await aboutOf(house, request)) }
  }
}

/** What another request was for that a line answers; nothing of any other line, or of what is forgotten. */
async function aboutOf({ store, commands }: House, { line }: Request): Promise<Pick<Past, 'about'>> {
  const { row, values = {} } = commands.stored(line) ?? {}
  if (row?.kind !== 'operation' || row.deed === undefined) return {}
  const { request, endpoint } = values
  const word = String(request ?? endpoint)
  const other = /^[\w-]{22}$/.test(word) ? await store.load(word) : null
  if (other === null) return {}
  return {
    about: { deed: deedOf(commands.operation(other.line), other.endpoint?.name ?? '', other.change), by: other.actor },
  }
}

/** The last few that were done to an endpoint, newest first. */
export async function recentOn(house: House, endpoint: string, count: number): Promise<readonly Past[]> {
  const from = house.clock.now() - remembered
  const found = await pick(
    house,
    from,
    (one) => one.endpoint?.id === endpoint && one.plan !== undefined,
    0,
    count,
    most.recent,
  )
  return found.map(bare)
}

async function pick(
  house: House,
  since: number,
  fits: Fits,
  skip: number,
  count: number,
  searched: number = most.searched,
): Promise<readonly Request[]> {
  const found: Request[] = []
  for (let at = 0; at < searched && found.length < skip + count; at += most.read) {
    const { requests, more } = await house.store.past(since, at, most.read)
    found.push(...requests.filter(fits))
    if (!more) break
  }
  return found.slice(skip, skip + count)
}

/** By id or whole name, now or then, else by the beginning of a name. An endpoint that is gone lives on in requests. */
async function waysToFit(house: House, word: string): Promise<readonly Fits[]> {
  const known = await house.store.names()
  const ids = new Set(known?.endpoints.filter(({ name }) => name === word).map(({ id }) => id))
  const begins = word.toLowerCase()
  return [
    (one) => namesOf(house, one).includes(word) || ids.has(one.endpoint?.id ?? ''),
    (one) => namesOf(house, one).some((name) => name.toLowerCase().startsWith(begins)),
  ]
}

/** What a request calls its endpoint; one that ended before it found any has only its line. */
function namesOf({ commands }: House, { endpoint, line }: Request): readonly string[] {
  if (endpoint !== undefined) return [endpoint.id, endpoint.name]
  const named = commands.stored(line)?.values['endpoint']
  return typeof named === 'string' ? [named] : []
}

async function everything(house: House, requests: readonly Request[]): Promise<readonly Past[]> {
  const all: Past[] = []
  for (let at = 0; at < requests.length; at += most.read)
    all.push(...(await Promise.all(requests.slice(at, at + most.read).map((one) => whole(house, one)))))
  return all
}

async function whole(house: House, request: Request): Promise<Past> {
  return { request, events: await house.store.eventsOf(request.id) }
}

function bare(request: Request): Past {
  return { request, events: [] }
}

function both(a: Fits, b: Fits): Fits {
  return (one) => a(one) && b(one)
}

function answered(answer: readonly Past[]): OwnOutcome<readonly Past[]> {
  return { kind: 'answered', answer }
}

/** More than anybody lays down about one endpoint between two things that are done to it. */
const mostLooked = 10

/** What was last done to an endpoint, laid down about it or skipped; null where neither is remembered. */
export async function lastOn(house: House, endpoint: string): Promise<Request | null> {
  return newestOf(await house.store.lastDone(endpoint), await laidOn(house, endpoint))
}

/** Handed in so soon after a change, what a rule does belongs to that change. ms. */
const soon = 60_000

/** What undo is about. `either`: a person's change and what a rule did on its own later; people say which. */
export type Undoable = { readonly last: Request | null } | { readonly either: readonly [Request, Request] }

/** What `undo` is about, or the request with the id that was `named` where that can still be undone. */
export async function undoableOn(house: House, endpoint: string, named?: string): Promise<Undoable> {
  const [done, laid] = [await house.store.lastDone(endpoint), await laidOn(house, endpoint)]
  const last = newestOf(done, laid)
  if (laid === undefined || last === null || last === laid || !isAutomatic(last) || last.decision !== undefined)
    return { last }
  if (laid.change === undefined || !isAsLeft(laid, await house.store.records()) || isOver(laid, house.clock.now()))
    return { last }
  if (named !== undefined) return { last: named === laid.id ? laid : last }
  return last.receivedAt - endOf(laid) < soon ? { last: laid } : { either: [laid, last] }
}

/** Whether what a request has changed in our records is as the request left it. */
export function isAsLeft({ change }: Request, records: Records): boolean {
  const { put = [], drop = [] } = change ?? {}
  // Both were read from the texts that one write has stored.
  return put.every((one) => textOf(records.get(keyOf(one))) === textOf(one)) && !drop.some((key) => records.has(key))
}

async function laidOn(house: House, endpoint: string): Promise<Request | undefined> {
  const recent = await recentOn(house, endpoint, mostLooked)
  return recent
    .map(({ request }) => request)
    .find((one) => (one.status === 'succeeded' && one.change !== undefined) || isSkipped(one))
}

function newestOf(done: Request | null, laid: Request | undefined): Request | null {
  return laid !== undefined && endOf(laid) > (done?.ending?.at ?? 0) ? laid : done
}

function endOf({ ending }: Request): number {
  return ending?.at ?? 0
}

/** A one-off has nothing left to take away once its time has come. */
function isOver({ change }: Request, now: number): boolean {
  return change?.put?.some((one) => one.kind === 'once' && one.at <= now) === true
}

function textOf(record: Rec | undefined): string | undefined {
  return JSON.stringify(record)
}
