import { includes, type Role } from '../domain/policy.ts'
import { defineQuery, type Row } from './define.ts'
import { optional } from './field.ts'
import { rowOf } from './line.ts'
import { word } from './naming-fields.ts'
import { nearestVerbs } from './near.ts'
import { mayWrite, neededFor, usageFor } from './needed.ts'

export const help = defineQuery({
  name: 'help',
  also: ['?'],
  summary: 'Show what you can ask.',
  examples: ['help', 'help stop'],
  fields: { about: optional(word('About', '<verb>')) },
  show: (_, { values: { about }, rows, role }) => {
    const row = about === undefined ? undefined : rowOf(about.toLowerCase(), rows)
    if (row !== undefined)
      return {
        title: `/endpoint ${row.name}`,
        items: [
          { text: row.summary },
          { text: usageFor(role, row) },
          ...examplesFor(role, row, rows).map((line) => ({ text: `/endpoint ${line}` })),
        ],
      }
    const near = about === undefined ? [] : nearestVerbs(about, rows, 3)
    return {
      title:
        about === undefined
          ? 'What you can ask'
          : `There is no “${about}”${near.length > 0 ? `; perhaps ${near.map(({ name }) => name).join(', ')}` : ''}`,
      items: rows.map((one) => ({ text: usageFor(role, one), detail: one.summary })),
    }
  },
})

/** Of a command that somebody may use only the examples they may; of any other all, since it is only read about. */
function examplesFor(role: Role | null, row: Row, rows: readonly Row[]): readonly string[] {
  return includes(role, neededFor(row)) ? row.examples.filter((line) => mayWrite(role, line, rows)) : row.examples
}
