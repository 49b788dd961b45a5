import type { Commands } from '../commands/commands.ts'
import type { Row } from '../commands/define.ts'
import { titleOf } from '../commands/help.ts'
import { type Read, writeWord } from '../commands/parse.ts'
import { phrase } from '../commands/phrases.ts'
import { exampleAbout, isExample, unknownVerb } from '../commands/suggest.ts'
import type { Offer } from '../model/answer.ts'
import type { Sentence, Words } from '../model/words.ts'
import { maskOf } from '../text/redact.ts'
import type { ProjectGateway } from './gateway.ts'

const hide = maskOf()

/** What a line that is none is answered: why, and the commands that may be meant, about the endpoint that it names. */
export async function misreadAnswer(
  gateway: ProjectGateway | undefined,
  { find, stored }: Commands,
  typed: string,
  read: Extract<Read, { readonly kind: 'misread' }>,
): Promise<{
  readonly kind: 'said'
  readonly says: Words
  readonly form?: string
  readonly offers?: readonly Offer[]
}> {
  const { says, form, near } = read
  if (near === undefined) return { kind: 'said', says, ...(form !== undefined && hide(form) === form && { form }) }
  const listed = await gateway?.store.names().catch(() => null)
  const words = typed.split(/[\s?!,]+/)
  const named = listed?.endpoints.find(({ name }) => words.includes(name))
  const lines = near.lines.map((line) => (named === undefined ? line : exampleAbout(writeWord(named.name), line)))
  const isNamed = named !== undefined
  return { kind: 'said', says: unknownVerb(near.verb, lines), offers: lines.flatMap((line) => offersOf(line, isNamed)) }

  function offersOf(line: string, isNamed: boolean): readonly Offer[] {
    const row = find(line.split(' ')[0] ?? '')
    if (row === undefined) return []
    const own = isExample(line) && !isNamed ? row.name : line
    return [{ label: labelOf(row, own), line: own, ...(row.kind === 'operation' && { opens: 'form' }) }]
  }

  /** "Stop my-llm" where the line says which, else "Stop an endpoint". */
  function labelOf(row: Row, line: string): Sentence {
    const command = stored(line)
    const name = command?.values['endpoint']
    if (row.kind !== 'operation' || command === null || name === undefined) return titleOf(row)
    return phrase({ row, values: command.values }, String(name), 'ask')
  }
}
