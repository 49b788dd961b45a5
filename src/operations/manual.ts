import type { Row } from './define.ts'
import { usageOf } from './line.ts'

/** The lines as a table in Markdown, for the README. */
export function manualOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const also = row.also === undefined ? '' : ` (also ${row.also.map((word) => `\`${word}\``).join(', ')})`
    const kind = row.kind
    return `| ${code(usageOf(row))} | ${kind} | ${row.summary}${also} |`
  })
  return ['| line | kind | what it does |', '| --- | --- | --- |', ...lines].join('\n')
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}
