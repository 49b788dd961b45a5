import { instant } from '../domain/instant.ts'
import { absoluteIn } from '../domain/when.ts'
import type { Row } from '../operations/define.ts'
import type { Given } from '../operations/field.ts'
import { rows } from '../operations/index.ts'
import { readLine } from '../operations/line.ts'
import type { Mention } from './pieces.ts'

/** A line with its people as mentions and its instants as such, where it is one; any other text is left as it is. */
export function peopleIn(text: string): readonly (string | Mention)[] {
  const read = /@|\dt\d/i.test(text) ? readLine(text, rows) : undefined
  return read?.kind === 'line' ? withPeople(text, read.read.row, read.read.values) : [text]
}

/**
 * A written line in which whoever its fields name is a mention, and an instant that is the same for everybody one that
 * each reads in their own time zone. What only looks like somebody, such as the name of an endpoint, stays a word.
 */
export function withPeople(line: string, row: Row, values: Given): readonly (string | Mention)[] {
  const people = Object.entries(row.fields).flatMap(([name, { kind }]) => (kind === 'person' ? [values[name]] : []))
  return line
    .split(/(?<=^|[ =])(@[UW][A-Z0-9]+)(?= |$)/)
    .map((part, at) =>
      at % 2 === 1 && people.includes(part)
        ? { person: { team: '', user: part.slice(1) } }
        : withTimes(part, row, values),
    )
    .filter((part) => part !== '')
}

function withTimes(text: string, { fields }: Row, values: Given): string {
  return Object.entries(fields).reduce((shown, [name, { kind, lead }]) => {
    const at = kind === 'when' ? absoluteIn(String(values[name])) : null
    return at === null ? shown : shown.replace(`${lead} ${values[name]}`, `${lead} ${instant(at)}`)
  }, text)
}
