import { defineQuery } from './define.ts'
import { optional } from './field.ts'
import { rowOf, usageOf } from './line.ts'
import { word } from './naming-fields.ts'
import { nearestVerbs } from './near.ts'

export const help = defineQuery({
  name: 'help',
  also: ['?'],
  summary: 'Show what you can ask.',
  examples: ['help', 'help stop'],
  fields: { about: optional(word('About', '<verb>')) },
  show: (_, { values: { about }, rows }) => {
    const row = about === undefined ? undefined : rowOf(about.toLowerCase(), rows)
    if (row !== undefined)
      return {
        title: `/endpoint ${row.name}`,
        items: [
          { text: row.summary },
          { text: usageOf(row) },
          ...row.examples.map((line) => ({ text: `/endpoint ${line}` })),
        ],
      }
    const near = about === undefined ? [] : nearestVerbs(about, rows, 3)
    return {
      title:
        about === undefined
          ? 'What you can ask'
          : `There is no “${about}”${near.length > 0 ? `; perhaps ${near.map(({ name }) => name).join(', ')}` : ''}`,
      items: rows.map((one) => ({ text: usageOf(one), detail: one.summary })),
    }
  },
})
