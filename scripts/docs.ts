import { readFileSync, writeFileSync } from 'node:fs'
import { manualOf } from '../src/core/commands/help.ts'
import { rows } from '../src/features/command-table.ts'

/** Writes the manual into docs/commands.md. With `--check`, only fails if the manual there is outdated. */
const page = new URL('../docs/commands.md', import.meta.url)
const [start, end] = ['<!-- manual: npm run docs -->', '<!-- /manual -->'] as const

const text = readFileSync(page, 'utf8')
const [before, rest] = text.split(start)
const after = rest?.split(end)[1]
if (before === undefined || after === undefined)
  throw new Error(`docs/commands.md needs the marks ${start} and ${end}.`)
const written = `${before}${start}\n${manualOf(rows)}\n${end}${after}`

if (!process.argv.includes('--check')) writeFileSync(page, written)
else if (written !== text) {
  console.error('The manual in docs/commands.md is not what the table says. Run: npm run docs')
  process.exitCode = 1
}
