import type { Commands } from '../commands/commands.ts'
import type { Row } from '../commands/define.ts'
import { titleOf } from '../commands/help.ts'
import { everything, type Meant, mostOffered, nearText } from '../commands/near.ts'
import type { Read } from '../commands/parse.ts'
import { phrase } from '../commands/phrases.ts'
import type { Offer, QueryAnswer } from '../model/answer.ts'
import type { Actor } from '../model/roles.ts'
import { type Sentence, say, type Words } from '../model/words.ts'
import type { Services } from '../ports/services.ts'
import { maskOf } from '../text/redact.ts'
import { namedIn } from '../text/said-names.ts'
import type { ProjectGateway } from './gateway.ts'
import { isAnswer, waitingFor, waitingRows } from './waiting.ts'

/** Why a line is not stored. `form`: a line whose form asks for the same in a better way; `offers`: what may be meant. */
export interface Instead {
  readonly says: Words
  readonly form?: string
  readonly offers?: readonly Offer[]
}

/** So many endpoints of a sentence are offered one by one. */
const mostNamed = 5

const hide = maskOf()

/** The answer to a line that cannot be read: why, and commands that may be meant, for the endpoints it names. */
export async function misreadAnswer(
  context: Pick<Services, 'commands' | 'clock'>,
  gateway: ProjectGateway | undefined,
  { typed, actor }: { readonly typed: string; readonly actor: Actor },
  { says, form, near }: Extract<Read, { readonly kind: 'misread' }>,
): Promise<Instead | QueryAnswer> {
  const { commands } = context
  const [verb = '', ...rest] = typed.replace(/^\s*\/endpoint(?!\S)/i, '').match(/\S+/g) ?? []
  const rows = near?.map(({ row }) => row) ?? []
  const answer = [commands.find(verb.toLowerCase()), ...rows].find(isAnswer)
  if (answer !== undefined) {
    const waiting = await waitingFor(gateway, actor)
    const word = near === undefined ? rest.join(' ').slice(0, 60) : ''
    if (waiting.length > 0 || near !== undefined)
      return waitingRows(context, gateway, waiting, { word, verb: answer.name })
  }
  const filled = form !== undefined && hide(form) === form && { form }
  if (near === undefined) return { says, ...filled }
  const listed = await gateway?.store.names().catch(() => null)
  const named = namedIn(typed, listed?.endpoints ?? [])
  const [only, ...others] = named
  if (near.length === 0 && only !== undefined) {
    const verbs = [...(only.active === null ? [] : [only.active ? 'stop' : 'start']), 'status']
    const lines = verbs.map((name) => commands.write(name, { endpoint: only.name }))
    return { says: say('endpoint.whatWith', { name: only.name }), offers: lines.flatMap((line) => offersOf(line)) }
  }
  // A command about one endpoint is meant where one is named, and only there.
  const fitting = near.filter(({ row }) => (fieldOf(row) !== undefined) === (only !== undefined))
  const meant = (fitting.length > 0 ? fitting : near).slice(0, mostOffered)
  const lines = meant.flatMap(linesAbout)
  const isEach = others.length > 0 || typed.split(/[\s?!.,]+/).some((word) => everything.test(word))
  const isOfOne = meant.some(
    ({ row, line }) => row.kind === 'operation' && fieldOf(row) && nameIn(row, line) === undefined,
  )
  return {
    says: isEach && isOfOne ? say('endpoint.each') : lines.length > 0 ? nearText(lines) : says,
    offers: lines.flatMap((line) => offersOf(line)),
  }

  /** A command about each of the endpoints that are named, which its form asks for where none is. */
  function linesAbout({ row, line }: Meant): readonly string[] {
    const field = fieldOf(row)
    const values = commands.stored(line ?? row.name)?.values ?? {}
    if (field === undefined || nameIn(row, line) !== undefined) return [line ?? row.name]
    if (named.length === 0) return [values[field] === undefined ? (line ?? row.name) : row.name]
    return named.slice(0, mostNamed).map(({ name }) => commands.write(row.name, { ...values, [field]: name }))
  }

  /** The endpoint of a line; "everything" is none. */
  function nameIn(row: Row, line: string | undefined) {
    const name = line === undefined ? undefined : commands.stored(line)?.values[fieldOf(row) ?? '']
    return everything.test(String(name)) ? undefined : name
  }

  function offersOf(line: string): readonly Offer[] {
    const row = commands.find(line.split(' ')[0] ?? '')
    if (row === undefined) return []
    const label = labelOf(commands, row, line, named)
    return [{ label, line, ...(row.kind === 'operation' && { opens: 'form' }) }]
  }
}

function fieldOf({ fields }: Row): string | undefined {
  return Object.entries(fields).find(([name, { kind }]) => kind === 'endpoint' && name !== 'request')?.[0]
}

/** "Stop my-llm" where the line says which, else "Stop an endpoint". */
function labelOf({ stored }: Commands, row: Row, line: string, named: readonly { readonly name: string }[]): Sentence {
  const { values } = stored(line) ?? {}
  const name = values?.['endpoint'] ?? named.find((one) => line.includes(one.name))?.name
  if (row.kind !== 'operation' || name === undefined) return titleOf(row)
  if (values !== undefined) return phrase({ row, values }, String(name), 'ask')
  return say('endpoint.offer', { verb: `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`, name: String(name) })
}
