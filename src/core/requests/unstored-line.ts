import type { Commands } from '../commands/commands.ts'
import type { Row } from '../commands/define.ts'
import { lacksTime, nearText, timeLost } from '../commands/examples.ts'
import { titleOf } from '../commands/help.ts'
import { endpointsIn, everything, type Meant, mostOffered } from '../commands/near.ts'
import { type Read, writeLine } from '../commands/parse.ts'
import { writeTyped } from '../commands/quoting.ts'
import { isDenial } from '../commands/sentence.ts'
import { currentState } from '../model/endpoint.ts'
import type { Offer, QueryAnswer } from '../model/query-answer.ts'
import type { FieldValues, Request } from '../model/request.ts'
import { say, type Words } from '../model/words.ts'
import { fenceOf, isInside } from '../policy/programs.ts'
import { isListIn } from '../text/names.ts'
import { hide } from '../text/redact.ts'
import type { Visit } from './gateway.ts'
import { waitingFor, waitingRows } from './waiting-list.ts'

/** Why a line is not stored. `form`: the line whose form to use instead; `offers`: what the person may have meant. */
export interface Instead {
  readonly says: Words
  readonly form?: string
  readonly offers?: readonly Offer[]
}

type Known = Parameters<typeof currentState>[0] & { readonly name: string }

/** Answers a line that cannot be parsed. A program reads only about the endpoints that its token allows. */
export async function misreadAnswer(
  visit: Visit,
  { says, begun, near }: Extract<Read, { readonly kind: 'misread' }>,
): Promise<Instead | QueryAnswer> {
  const { gateway, commands, typed, actor, through } = visit
  const [verb = '', ...rest] = wordsIn(typed)
  const all = (await gateway?.store.names().catch(() => null))?.endpoints ?? []
  const on = through && gateway && fenceOf({ through }, await gateway.store.records())
  const named = endpointsIn(typed, on ? all.filter((one) => isInside(on, one)) : all, near)
  const isList = isListIn(typed, named)
  const rows = near?.map(({ row }) => row) ?? [commands.find(verb.toLowerCase())]
  const answer = rows.find((row) => row?.deed === 'approve' || row?.deed === 'decline')
  if (answer !== undefined && gateway !== undefined) {
    const found = await waitingFor(gateway, actor)
    const waiting = { ...found, asked: found.asked.filter(({ endpoint }) => isInside(on, endpoint, all)) }
    const word = named[0]?.name ?? (near === undefined ? rest.join(' ').slice(0, 60) : '')
    if (near !== undefined || waiting.asked.length > 0) return waitingRows(visit, gateway, waiting, word, answer.name)
  }
  // "Cancel the stop of my-llm".
  const [one, another] = named
  if (rows[0]?.deed === 'cancel' && one && !another && !isDenial(rest)) return cancelOf(commands, one.name)
  const free = ({ row, values }: Meant) => ({ row, values: { ...values, endpoint: undefined } })
  if (near !== undefined && near.length + named.length > 0)
    return offersFor(commands, typed, isList ? near.map(free) : near, named)
  if (begun === undefined) return { says }
  if (everything.test(String(begun.values['endpoint']))) return { says: say('endpoint.each'), form: begun.row.name }
  // "Stop rerank, embeddings": the surplus word is another endpoint.
  const { endpoint } = begun.values
  if (endpoint !== undefined && isList && hide(typed) === typed) return offersFor(commands, typed, [free(begun)], named)
  // The form says at its field what is wrong in the line.
  const values = typeof endpoint === 'string' ? { ...begun.values, endpoint: endpoint.replace(/,$/, '') } : begun.values
  const form = [writeLine(begun.row, values), ...(begun.wrong?.typed ?? []).map(writeTyped)].join(' ')
  const lost = begun.wrong === undefined ? timeLost(typed, [begun]) : ''
  return { says: [says, lost], ...(hide(form) === form && { form }) }
}

/** Offers to cancel what is open or planned on an endpoint; `lineToRun` takes the offer at once. */
function cancelOf(commands: Commands, request: string): Instead {
  const line = commands.write('cancel', { request })
  return { says: nearText([line]), offers: [{ label: titleOf({ name: 'cancel' }), line }] }
}

/** Offers what a sentence may mean, for the endpoints that it names. */
function offersFor(commands: Commands, typed: string, near: readonly Meant[], named: readonly Known[]): Instead {
  const [only, one] = [named[0], named.length === 1 ? named[0] : undefined]
  // "I want my-llm back" isn’t about a delegation.
  const about = near.filter(
    ({ row }) => only === undefined || row.kind === 'query' || Object.keys(row.fields).length > 0,
  )
  const fitting = about.filter((one) => fits(one, only !== undefined))
  const meant = (fitting.length > 0 ? fitting : about).slice(0, mostOffered)
  const now = { name: one?.name ?? '', state: currentState(one ?? { active: null }) }
  const state = one === undefined || one.active === null ? '' : say('history.isNow', now)
  const lost = timeLost(typed, meant)
  const isUp = ({ row }: Meant) => row.wants === 'up'
  // Starting a running endpoint does nothing. The person may want to pause its automatic stops, or restart it.
  const isSo = (some: Meant) => lacksTime(some) && one?.active === isUp(some)
  if (one !== undefined && meant.every(isSo)) {
    const verbs = one.active ? ['status', 'keep', 'restart'] : ['status', 'start']
    const is = say(one.active ? 'endpoint.running' : 'endpoint.stopped', now)
    const says = meant.length > 0 ? [is, lost] : [state, say('endpoint.whatWith', { name: one.name })]
    return { says, offers: verbs.map((verb) => offer(verb, { endpoint: one.name })) }
  }
  // “For two hours” gives a running endpoint an end, or only keeps it from stopping earlier.
  const keep = commands.find('keep')
  const ends = keep && one?.active === true ? meant.filter((some) => isUp(some) && !lacksTime(some)) : []
  const offers = [...meant, ...ends.map(({ values }) => ({ row: keep as Row, values }))].flatMap(forEach)
  const isChange = meant.some(({ row }) => row.kind === 'operation' && endpointField(row) !== undefined)
  const isMany =
    named.length > 1 || wordsIn(typed.replace(/\ball (night|day|week)/i, '')).some((word) => everything.test(word))
  if ((isChange && isMany) || offers.length === 0) return { says: [say('endpoint.each'), lost], offers }
  // An offer to change an endpoint never stands alone.
  const status = isChange && one !== undefined ? [offer('status', { endpoint: one.name })] : []
  return { says: [state, nearText(offers.map(({ line }) => line)), lost], offers: [...offers, ...status] }

  /** Offers a command for each named endpoint. If none is named, the command's form asks for it. */
  function forEach({ row, values }: Meant): readonly Offer[] {
    const field = endpointField(row)
    if (only !== undefined && typeof values['line'] === 'string')
      return [offer(row.name, { line: commands.write(values['line'], { endpoint: only.name }) })]
    if (field === undefined || values[field] !== undefined) return [offer(row.name, values)]
    if (named.length === 0) return [offer(row.name, row.kind === 'query' ? values : {})]
    // More buttons would not be read.
    const others = values['who'] === only?.name.toLowerCase() ? { ...values, who: undefined } : values
    return named.slice(0, 5).map(({ name }) => offer(row.name, { ...others, [field]: name }))
  }

  /** "Stop my-llm", or "Stop an endpoint" if the line names none. */
  function offer(name: string, values: FieldValues): Offer {
    const line = commands.write(name, values)
    if (commands.find(name)?.kind === 'query') return { label: titleOf({ name }), line }
    const verb = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const on = values['endpoint']
    const label = on === undefined ? titleOf({ name }) : say('endpoint.offer', { verb, name: String(on) })
    return { label, line, opens: 'form' }
  }
}

function wordsIn(typed: string): readonly string[] {
  return typed.replace(/^\s*\/endpoint(?!\S)/i, '').match(/[^\s?!.,]+/g) ?? []
}

function endpointField({ fields }: Row): string | undefined {
  return Object.entries(fields).find(([name, { kind }]) => kind === 'endpoint' && name !== 'request')?.[0]
}

/** Whether a row can be about a named endpoint, or about none. */
function fits({ row, values }: Meant, isNamed: boolean): boolean {
  if (values['line'] !== undefined) return isNamed
  const field = row.fields[endpointField(row) ?? '']
  return isNamed ? field !== undefined : field === undefined || field.optional === true
}

/** Picks the offer to run at once: a query, which changes nothing, or "my-llm stop", as clear as "stop my-llm". */
export function lineToRun(
  { stored, find }: Commands,
  { via, typed }: Pick<Request, 'via'> & { readonly typed: string },
  { offers = [] }: { readonly offers?: readonly Offer[] },
): string | undefined {
  const [first] = offers
  if (via !== 'typed' || first === undefined) return undefined
  const row = find(first.line.split(' ')[0] ?? '')
  const [, verb = '', ...more] = typed.trim().toLowerCase().split(/\s+/)
  const isTurned = row === find(verb) && more.length === 0 && stored(first.line) !== null
  // "undo that" is as clear as "undo": it means the last change.
  const isDeed = row?.deed !== undefined && first.line === row.name
  const isAnswered = offers.every(({ opens }) => opens === undefined)
  return isTurned || isDeed || isAnswered ? first.line : undefined
}
