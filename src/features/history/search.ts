import type { Context } from '../../core/commands/define.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { type FieldValues, type Past, type Request, wasCarriedOut } from '../../core/model/request.ts'
import { idOf } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import type { SentenceId } from '../../words/english.ts'
import { type HistoryValues, pageSize } from './fields.ts'
import { doneBy, isRestart, toldOnce } from './last-change.ts'

/** Limits: requests per read, searched for a page, and in one export. */
export const most = { read: 100, searched: 10_000, exported: 5_000 } as const

export type Fits = (request: Request) => boolean

export function isChange(what: HistoryValues['what']): what is 'stopped' | 'started' {
  return what === 'stopped' || what === 'started'
}

/** Whether nothing but an endpoint's stops or starts is asked for, as by "why did it stop?". */
export function isWhy(values: FieldValues): boolean {
  const said = Object.keys(values).filter((name) => values[name] !== undefined && name !== 'what')
  return said.join() === 'on'
}

/** Returns the endpoint that is asked about now, if nothing else is; otherwise undefined. */
export function askedAbout({ values, listed = [], isInside }: Context<HistoryValues>): Endpoint | undefined {
  const { what, on } = values
  if (!isWhy(values) || what === 'refused') return undefined
  return listed.find((one) => (one.id === on || one.name === on) && isInside?.(one) !== false)
}

/** Returns the values that the answer is for: why a stopped endpoint that was never started here is stopped. */
export function meantValues(first: Past | undefined, context: Context<HistoryValues>): HistoryValues {
  const { values } = context
  if (values.what !== 'started' || !isWhy(values)) return values
  const isStop = first ? doneBy(first.request, context.rows) === 'stopped' : askedAbout(context)?.active === false
  return isStop ? { ...values, what: 'stopped' } : values
}

/** Whether a request is of the kind that is asked for. Answers are left out: the requests they decided are listed. */
export function isMeant({ commands }: Services, past: Request, what: HistoryValues['what']): boolean {
  const { status, ending } = past
  if (what === 'export') return true
  if (isChange(what))
    return wasCarriedOut(past) && (doneBy(past, commands.rows) === what || (what === 'started' && isRestart(past)))
  // The pause that cancelled it has a row of its own.
  if (ending?.keptBy !== undefined) return false
  if (status === 'refused') return what === 'refused' && !asksBack.has(idOf(ending?.says ?? ''))
  if (what === 'refused') return false
  return status !== 'succeeded' || !answers.has(commands.stored(past.line)?.row.deed)
}

/** Questions about which one is meant, which are not refusals. */
const asksBack: ReadonlySet<unknown> = new Set<SentenceId>(['undo.which', 'request.several', 'request.theirs'])

/** Commands that are shown beside the request they decided. */
const answers: ReadonlySet<unknown> = new Set(['approve', 'decline', 'cancel'])

/** Returns the page of requests that are asked for, newest first, by the first meaning of `on` that finds any. */
export async function newestOf(services: Services, from: number, isAsked: Fits, { what, on, page = 1 }: HistoryValues) {
  const isAll = what === 'export'
  const [skip, count] = isAll ? [0, most.exported] : [(page - 1) * pageSize, pageSize + 1]
  const open = isAll ? [] : await services.store.open()
  const meanings: readonly Fits[] = on === undefined ? [() => true] : await filtersFor(services, on)
  for (const fits of meanings) {
    const isNew = isAll ? () => true : toldOnce(open)
    const found = await pick(services, from, (past) => isAsked(past) && fits(past) && isNew(past), skip, count)
    if (found.length > 0) return found
  }
  return []
}

async function pick(services: Services, since: number, fits: Fits, skip: number, count: number) {
  const found: Request[] = []
  for (let at = 0; at < most.searched && found.length < skip + count; at += most.read) {
    const { requests, more } = await services.store.past(since, at, most.read)
    found.push(...requests.filter(fits))
    if (!more) break
  }
  return found.slice(skip, skip + count)
}

/** Tries the endpoint's id or name, present or past; then a command; then the beginning of a name, if none has it. */
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
