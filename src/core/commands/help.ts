import { includes, type Role } from '../model/roles.ts'
import { nearestVerbs } from '../text/fuzzy.ts'
import { defineQuery, type Row } from './define.ts'
import { optional, word } from './fields.ts'
import { rowOf, usageOf } from './parse.ts'
import { mayWrite, neededFor, usageFor } from './permissions.ts'

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

/** The examples that a role may use; all examples of a command that it may not use at all. */
function examplesFor(role: Role | null, row: Row, rows: readonly Row[]): readonly string[] {
  return includes(role, neededFor(row)) ? row.examples.filter((line) => mayWrite(role, line, rows)) : row.examples
}

/** The lines as a table in Markdown, for docs/commands.md. */
export function manualOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const also = row.also === undefined ? '' : ` (also ${row.also.map((word) => `\`${word}\``).join(', ')})`
    return `| \`${usageOf(row).replaceAll('|', '\\|')}\` | ${row.kind} | ${row.summary}${also} |`
  })
  return ['| line | kind | what it does |', '| --- | --- | --- |', ...lines].join('\n')
}
