import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'

type Line = readonly [name: string, value: string]

/** The text of `.env`: the lines of `before` that set other variables or say something, then ours. Throws a sentence. */
export function envText(before: string | null, lines: readonly Line[]): string {
  const ours = new Set(lines.flatMap(([name]) => [name, name.endsWith('_FILE') ? name.slice(0, -5) : `${name}_FILE`]))
  const kept = (before ?? '')
    .split('\n')
    .filter((line) => !ours.has(/^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? ''))
  const head = before === null ? [heading] : [kept.join('\n').trimEnd()]
  return [...head, ...lines.map(([name, value]) => `${name}=${quoted(name, value)}`), ''].join('\n')
}

const heading = '# Written by init. docs/operate.md says what each variable is, and which others there are.'

/** As Node and Docker Compose read it alike: between single quotes nothing is replaced. */
function quoted(name: string, value: string): string {
  if (/^[\w.:/@%+=,?&~-]*$/.test(value)) return value
  if (!/['\r\n]/.test(value)) return `'${value}'`
  throw new Error(`${name} holds a quote or a line break, which .env cannot hold. Set ${name}_FILE to a file with it.`)
}

/** Writes a whole file with these permissions from the first byte on, in place of one that is there. */
export function replaceFile(path: string, text: string, mode: number): void {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(unfinished, text, { mode, flag: 'wx' })
  renameSync(unfinished, path)
}
