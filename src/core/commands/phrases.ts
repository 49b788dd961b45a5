import type { RichSentence } from '../model/answer.ts'
import type { Change } from '../model/records.ts'
import type { FieldValues } from '../model/request.ts'
import { absoluteIn, instant } from '../time/format.ts'
import type { Command } from './commands.ts'
import type { Operation, Row, RowWords } from './define.ts'
import { readLine } from './parse.ts'

/** The words of an operation with these values. */
export function wordsIn({ row, values }: Command<Operation>, change?: Change): RowWords {
  return { ...row.words, ...row.words.instead?.(values, change) }
}

/** "Scaling my-llm to 3". */
export function phrase(
  command: Command<Operation>,
  name: string,
  form: 'ask' | 'doing' | 'done',
  change?: Change,
): string {
  const words = wordsIn(command, change)
  const what = words.what?.(shownIn(command), change)
  return [words[form], name, what].filter((part) => part !== undefined && part !== '').join(' ')
}

/** The values of a command, with UTC times as instants that each reader sees in their own time zone. */
function shownIn({ row, values }: Command<Operation>): FieldValues {
  const shown = Object.entries(values).map(([name, value]) => {
    const at = row.fields[name]?.kind === 'when' ? absoluteIn(String(value)) : null
    return [name, at === null ? value : instant(at)] as const
  })
  return Object.fromEntries(shown)
}

/** "scale my-llm to 3", in the middle of a sentence. */
export function actionPhrase(command: Command<Operation>, name: string, change?: Change): string {
  const ask = phrase(command, name, 'ask', change)
  return `${ask.charAt(0).toLowerCase()}${ask.slice(1)}`
}

/** The words of a row that plans an action for another time. */
export function planning(verb: string): Omit<RowWords, 'what' | 'instead'> {
  return {
    ask: `Plan to ${verb}`,
    doing: `Planning to ${verb}`,
    done: `Planned: ${verb}`,
    leave: 'Do not plan it',
    press: 'Plan it',
  }
}

/** A line with its people by name and its times as instants. Only values of fields for people are names. */
export function lineSentence(line: string, { row, values }: Command): RichSentence {
  const fields = Object.entries(row.fields)
  const people = fields.flatMap(([name, { kind }]) => (kind === 'person' ? [values[name]] : []))
  const timed = (text: string) =>
    fields.reduce((shown, [name, { kind, lead }]) => {
      const at = kind === 'when' ? absoluteIn(String(values[name])) : null
      return at === null ? shown : shown.replace(`${lead} ${values[name]}`, `${lead} ${instant(at)}`)
    }, text)
  return line
    .split(/(?<=^|[ =])(@[UW][A-Z0-9]+)(?= |$)/)
    .map((part, at) =>
      at % 2 === 1 && people.includes(part) ? ({ kind: 'user', id: part.slice(1) } as const) : timed(part),
    )
    .filter((part) => part !== '')
}

/** The same for a text that may be a line; any other text stays as it is. */
export function sentenceOf(text: string, rows: readonly Row[]): RichSentence {
  const read = /@|\dt\d/i.test(text) ? readLine(text, rows) : undefined
  return read?.kind === 'line' ? lineSentence(text, read.read) : [text]
}
