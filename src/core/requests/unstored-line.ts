import type { Commands } from '../commands/commands.ts'
import type { Operation, Row } from '../commands/define.ts'
import { nearText } from '../commands/examples.ts'
import type { Field } from '../commands/fields.ts'
import { titleOf } from '../commands/help.ts'
import { everything, type Meant, mostOffered } from '../commands/near.ts'
import { type Read, writeLine, writeWord } from '../commands/parse.ts'
import { phrase } from '../commands/phrases.ts'
import { isAsking } from '../commands/tone.ts'
import type { Offer, QueryAnswer } from '../model/answer.ts'
import { currentState } from '../model/endpoint.ts'
import type { FieldValues, Request } from '../model/request.ts'
import type { Actor } from '../model/roles.ts'
import { type Sentence, say, type Words } from '../model/words.ts'
import type { Services } from '../ports/services.ts'
import { maskOf } from '../text/redact.ts'
import { namedIn } from '../text/said-names.ts'
import { type ProjectGateway, soon } from './gateway.ts'
import { waitingFor, waitingRows } from './waiting.ts'

/** Why a line is not stored. `form`: the line whose form to use instead; `offers`: what the person may have meant. */
export interface Instead {
  readonly says: Words
  readonly form?: string
  readonly offers?: readonly Offer[]
}

const hide = maskOf()

/** Answers a line that cannot be parsed: why, and which commands it may mean for the endpoints it names. */
export async function misreadAnswer(
  context: Pick<Services, 'commands' | 'clock'>,
  gateway: ProjectGateway | undefined,
  { typed, actor }: { readonly typed: string; readonly actor: Actor },
  { says, begun, near }: Extract<Read, { readonly kind: 'misread' }>,
): Promise<Instead | QueryAnswer> {
  const { commands } = context
  const [verb = '', ...rest] = typed.replace(/^\s*\/endpoint(?!\S)/i, '').match(/\S+/g) ?? []
  const answer = (near?.map(({ row }) => row) ?? [commands.find(verb.toLowerCase())]).find(isAnswer)
  const listed = (near ?? answer) && (await gateway?.store.names().catch(() => null))
  const named = namedIn(typed, listed?.endpoints ?? [])
  const [only, ...others] = named
  if (answer !== undefined && gateway !== undefined) {
    const waiting = await waitingFor(gateway, actor)
    const word = only?.name ?? (near === undefined ? rest.join(' ').slice(0, 60) : '')
    if (waiting.asked.length > 0 || near !== undefined)
      return waitingRows(context, gateway, waiting, { actor, typed, word, verb: answer.name })
  }
  // The form says at its field what is wrong in the line.
  const more =
    begun?.wrong?.typed?.map(({ key, value }) => (key === undefined ? '' : `${key}=`) + writeWord(value)) ?? []
  const form = begun && [writeLine(begun.row, begun.values), ...more].join(' ')
  const filled = form !== undefined && hide(form) === form && { form }
  // A line like "stop everything tonight".
  if (near === undefined && everything.test(String(begun?.values['endpoint'])))
    return { says: say('endpoint.each'), form: verb.toLowerCase() }
  if (near === undefined) return { says, ...filled }
  // Offer commands about an endpoint if the line names one, and other commands if it does not.
  const fitting = near.filter(({ row }) => (fieldOf(row) !== undefined) === (only !== undefined))
  const meant = (fitting.length > 0 ? fitting : near).slice(0, mostOffered)
  // Starting a running endpoint does nothing. The person may want to pause its automatic stops, or restart it.
  const isSo = ({ row, values }: Meant) =>
    row.kind === 'operation' &&
    row.wants !== undefined &&
    only?.active === (row.wants === 'up') &&
    !row.laterBy?.(values)
  const isOne = only !== undefined && others.length === 0
  const now = { name: only?.name ?? '', state: currentState(only ?? { active: null }) }
  const state = isOne && only.active !== null ? say('history.isNow', now) : ''
  if (only !== undefined && (near.length === 0 || (isOne && meant.every(isSo)))) {
    const is = say(only.active ? 'endpoint.running' : 'endpoint.stopped', now)
    const says = near.length > 0 ? is : [state, say('endpoint.whatWith', { name: only.name })]
    return { says, offers: offersAbout('status', ...(only.active ? ['keep', 'restart'] : ['start'])) }
  }
  const asked = meant.flatMap(({ row }) =>
    only === undefined && row.kind === 'query' ? Object.entries(row.fields) : [],
  )
  const asker = asked.find(([, { kind }]) => kind === 'person')
  const theirs = asker === undefined ? {} : await askerIn(gateway, asker, typed)
  const lines = meant.flatMap(linesAbout)
  const isEach = others.length > 0 || typed.split(/[\s?!.,]+/).some((word) => everything.test(word))
  const changes = meant.filter(({ row }) => row.kind === 'operation' && fieldOf(row) !== undefined)
  if (isEach && changes.some((one) => nameIn(one) === undefined))
    return { says: say('endpoint.each'), offers: lines.flatMap(offersOf) }
  // An offer to change an endpoint never stands alone, and comes last for a question.
  const offers = [isOne && changes.length > 0 ? offersAbout('status') : [], lines.flatMap(offersOf)]
  const offered = isAsking(typed.split(/\s+/).map((value) => ({ value }))) ? offers : offers.toReversed()
  return { says: lines.length > 0 ? [state, nearText(lines)] : says, offers: offered.flat() }

  function offersAbout(...verbs: readonly string[]): readonly Offer[] {
    return verbs.flatMap((verb) => offersOf(commands.write(verb, { endpoint: only?.name })))
  }

  /** Writes a command for each named endpoint. If none is named, the command's form asks for it. */
  function linesAbout({ row, values }: Meant): readonly string[] {
    const field = fieldOf(row)
    if (only !== undefined && typeof values['line'] === 'string')
      return [commands.write(row.name, { line: commands.write(values['line'], { endpoint: only.name }) })]
    if (field === undefined || nameIn({ row, values }) !== undefined) return [commands.write(row.name, values)]
    if (named.length === 0)
      return [commands.write(row.name, row.kind === 'query' ? { ...values, ...theirs, [field]: undefined } : {})]
    // More buttons would not be read.
    return named.slice(0, 5).map(({ name }) => commands.write(row.name, { ...values, [field]: name }))
  }

  /** The named endpoint; "everything" is not one. */
  function nameIn({ row, values }: Meant) {
    const name = values[fieldOf(row) ?? '']
    return everything.test(String(name)) ? undefined : name
  }

  function offersOf(line: string): readonly Offer[] {
    const row = commands.find(line.split(' ')[0] ?? '')
    if (row === undefined) return []
    const label = labelOf(commands, row, line, named)
    return [{ label, line, ...(row.kind === 'operation' && { opens: 'form' }) }]
  }
}

/** Returns the person whom the words name, if only one fits, or the requester for words such as "my". */
async function askerIn(
  gateway: ProjectGateway | undefined,
  [field, { also = {} }]: readonly [string, Field],
  typed: string,
): Promise<FieldValues> {
  const words = typed.toLowerCase().split(/[\s?!.,]+/)
  const own = Object.keys(also).find((one) => ` ${words.join(' ')} `.includes(` ${one} `))
  const user = own === undefined ? await soon(gateway?.home.userIn(words) ?? Promise.resolve(null), null) : null
  return own !== undefined ? { [field]: also[own] } : user ? { [field]: `@${user}` } : {}
}

function fieldOf({ fields }: Row): string | undefined {
  return Object.entries(fields).find(([name, { kind }]) => kind === 'endpoint' && name !== 'request')?.[0]
}

/** "Stop my-llm", or "Stop an endpoint" if the line names none. */
function labelOf({ stored }: Commands, row: Row, line: string, named: readonly { readonly name: string }[]): Sentence {
  const { values } = stored(line) ?? {}
  const name = values?.['endpoint'] ?? named.find((one) => line.includes(one.name))?.name
  if (row.kind !== 'operation' || name === undefined) return titleOf(row)
  if (values !== undefined) return phrase({ row, values }, String(name), 'ask')
  return say('endpoint.offer', { verb: `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`, name: String(name) })
}

/**
 * Picks the offer to run at once: queries, because an answer changes nothing, and "my-llm stop", which is as clear as
 * "stop my-llm".
 */
export function questionIn(
  { stored, find }: Commands,
  { via, typed }: Pick<Request, 'via'> & { readonly typed: string },
  { offers = [] }: { readonly offers?: readonly Offer[] },
): string | undefined {
  const [first] = offers
  if (via !== 'typed' || first === undefined) return undefined
  const [, verb = '', ...more] = typed.trim().toLowerCase().split(/\s+/)
  const rows = offers.map(({ line }) => find(line.split(' ')[0] ?? ''))
  const isTurned = rows[0] === find(verb) && more.length === 0 && stored(first.line) !== null
  // "undo that" is as clear as "undo": it means the last change.
  const isDeed = rows[0]?.kind === 'operation' && rows[0].deed !== undefined && rows[0].name === first.line
  return isTurned || isDeed || rows.every((row) => row?.kind === 'query') ? first.line : undefined
}

/** Whether a command answers a waiting request. */
function isAnswer(row: Row | undefined): row is Operation {
  return row?.kind === 'operation' && (row.deed === 'approve' || row.deed === 'decline')
}
