import type { Row } from '../operations/define.ts'
import type { Given } from '../operations/field.ts'
import { rows } from '../operations/index.ts'
import { readLine } from '../operations/line.ts'
import type { Mention } from './pieces.ts'

/** A line with its people as mentions, where it is one; any other text is left as it is. */
export function peopleIn(text: string): readonly (string | Mention)[] {
  const read = text.includes('@') ? readLine(text, rows) : undefined
  return read?.kind === 'line' ? withPeople(text, read.read.row, read.read.values) : [text]
}

/**
 * A written line in which whoever its fields name is a mention. What only looks like somebody, such as the name of an
 * endpoint, stays a word.
 */
export function withPeople(line: string, row: Row, values: Given): readonly (string | Mention)[] {
  const people = Object.entries(row.fields).flatMap(([name, { kind }]) => (kind === 'person' ? [values[name]] : []))
  return line
    .split(/(?<=^|[ =])(@[UW][A-Z0-9]+)(?= |$)/)
    .map((part, at) => (at % 2 === 1 && people.includes(part) ? { person: { team: '', user: part.slice(1) } } : part))
    .filter((part) => part !== '')
}
