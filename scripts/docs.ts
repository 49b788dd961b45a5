import { readFileSync, writeFileSync } from 'node:fs'
import { manualOf } from '../src/core/commands/help.ts'
import { rows } from '../src/features/command-table.ts'

/** Writes the manual into the README; with `--check`, says whether it stands there already. */
const readme = new URL('../README.md', import.meta.url)
const [start, end] = ['<!-- manual: npm run docs -->', '<!-- /manual -->'] as const

const text = readFileSync(readme, 'utf8')
const [before, rest] = text.split(start)
const after = rest?.split(end)[1]
if (before === undefined || after === undefined) throw new Error(`README.md needs the marks ${start} and ${end}.`)
const written = `${before}${start}\n${manualOf(rows)}\n${end}${after}`

if (!process.argv.includes('--check')) writeFileSync(readme, written)
else if (written !== text) {
  console.error('The manual in README.md is not what the table says. Run: npm run docs')
  process.exitCode = 1
}
