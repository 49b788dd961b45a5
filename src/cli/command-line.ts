import { parseArgs } from 'node:util'
import { didYouMean } from '../config/env/environment.ts'
import { writeWord } from '../core/commands/quoting.ts'
import { defined } from '../core/model/defined.ts'
import { type Language, say, type Words } from '../core/model/words.ts'
import { program } from '../core/text/program.ts'
import { spanOf } from '../core/time/format.ts'

interface Flag {
  readonly type: 'string' | 'boolean'
  readonly multiple?: true
  /** A placeholder for the value in help, such as `30d`. */
  readonly value?: string
  readonly does: string
}

export type Flags = Readonly<Record<string, Flag>>

export interface CommandLine<Taken extends Flags = Flags> {
  /** The usage without options: `check [FILE]`. */
  readonly usage: string
  /** An imperative sentence without a capital or a full stop. */
  readonly does: string
  /** The most words that may follow the command; 0 by default. */
  readonly words?: number
  readonly flags?: Taken
  /** Further lines of its help. */
  readonly more?: string
}

export type FlagValues<Taken> = {
  readonly [Name in keyof Taken]?: Taken[Name] extends { readonly multiple: true }
    ? readonly string[]
    : Taken[Name] extends { readonly type: 'string' }
      ? string
      : boolean
}

export function readWords<Taken extends Flags>(
  { words: most = 0, flags }: CommandLine<Taken>,
  given: readonly string[],
): { readonly words: readonly string[]; readonly flags: FlagValues<Taken> } | { readonly wrong: string } {
  try {
    const { values, positionals } = parseArgs({ args: [...given], options: flags ?? {}, allowPositionals: true })
    const extra = positionals[most]
    if (extra !== undefined) return { wrong: `Unexpected argument “${extra}”.` }
    return { words: positionals, flags: values as FlagValues<Taken> }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [, unknown] = /^Unknown option '(?:-\w, )?(-[^']*)'/.exec(error.message) ?? []
    const known = Object.keys(flags ?? {}).map((name) => `--${name}`)
    if (unknown !== undefined) return { wrong: `Unknown option ${unknown}.${didYouMean(unknown, known)}` }
    return { wrong: `${error.message.split(/[.\n]/, 1)[0]}.` }
  }
}

export function helpOf({ usage, does, flags = {}, more }: CommandLine): string {
  const rows = Object.entries(flags).map(
    ([name, { value, does: what }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, what] as const,
  )
  const options = rows.length === 0 ? '' : ' [OPTIONS]'
  const says = `${does.charAt(0).toUpperCase()}${does.slice(1)}.`
  return [`${program} ${usage}${options}`, '', says, ...listed(rows), ...(more === undefined ? [] : ['', more])].join(
    '\n',
  )
}

/** Aligns the second column and puts an empty line before the rows; returns nothing if there are none. */
export function listed(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([term]) => term.length))
  return rows.length === 0 ? [] : ['', ...rows.map(([term, what]) => `  ${term.padEnd(width)}  ${what}`)]
}

export interface ClientTerminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly language: Language
  readonly colors: boolean
  /** Writes a line of the result, or (`err`) of progress and errors. */
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** ms since 1970. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<unknown>
  /** Sets what Ctrl-C does from now on: `leave` explains how to go on, or cancels, and returns the exit code. */
  readonly onInterrupt: (leave: () => Promise<number>) => void
}

const member = 'a person or user group, by name or id; separate several with commas'
export const initLine = {
  usage: 'init',
  does: 'set everything up: test tokens and keys, then write .env and lamplighter.yaml',
  flags: {
    'operations-channel': { type: 'string', value: 'NAME', does: 'channel for results that have no other' },
    operator: { type: 'string', multiple: true, value: 'NAMES', does: `who can request changes: ${member}` },
    approver: { type: 'string', multiple: true, value: 'NAMES', does: 'who can approve what others request' },
    admin: { type: 'string', multiple: true, value: 'NAMES', does: 'who can bypass an approval and end a lockdown' },
    compose: { type: 'boolean', does: 'let Docker Compose run Redis, with a new password' },
    'set-redis': { type: 'boolean', does: 'change the settings of Redis with CONFIG SET, without asking' },
    force: { type: 'boolean', does: 'update an existing .env, and replace lamplighter.yaml' },
  },
  more: 'It asks for what is missing. Without a terminal it asks nothing: set SLACK_BOT_TOKEN, SLACK_APP_TOKEN, PLATFORM_BASE_URL,\nPLATFORM_API_KEY and REDIS_URL, or for each the same name with _FILE and the path of a file.',
} as const satisfies CommandLine

export const clientLine = {
  usage: 'LINE',
  does: 'run any /endpoint command: look something up, or propose a change that a person confirms in Slack',
  words: 200,
  flags: {
    reason: { type: 'string', value: 'TEXT', does: 'why, for the people who decide; needed for every change' },
    wait: { type: 'string', value: '[=10m]', does: 'wait until it has ended, or for this long at most' },
    key: { type: 'string', value: 'KEY', does: 'run it again with the same key without requesting it twice' },
    'cancel-on-exit': { type: 'boolean', does: 'cancel the request if this ends before the request does' },
    json: { type: 'boolean', does: 'print the API’s answer as JSON' },
  },
  more: [
    'Exit codes: 0 done or already so, 1 failed, 2 refused, 3 declined or cancelled, 4 still open, expired or no answer.',
    'Terminal commands take precedence: write /endpoint doctor for the Slack command, and /endpoint start bot for an endpoint called bot.',
    'LAMPLIGHTER_API_URL and LAMPLIGHTER_TOKEN override the stored login.',
  ].join('\n'),
} as const satisfies CommandLine

export type Given = Exclude<ReturnType<typeof readGiven>, { readonly wrong: Words }>

/** `wait`: how long to wait, ms; 0: not at all. */
export function readGiven(words: readonly string[]) {
  const read = readWords(clientLine, words.flatMap(withLength))
  if ('wrong' in read) return read
  const { wait: length, reason, key, json = false, 'cancel-on-exit': cancelOnExit = false } = read.flags
  const wait = length === undefined ? 0 : length === '' ? Number.POSITIVE_INFINITY : waitOf(length)
  if (wait === null) return { wrong: say('terminal.badLength', { word: length ?? '' }) }
  if (key !== undefined && !/^[!-~]{1,100}$/.test(key)) return { wrong: say('program.badKey') }
  const line = lineOf(read.words)
  return defined({ line, wait, json, cancelOnExit, reason, key })
}

/** Joins `--wait` and the length after it, which is optional: `--wait 10m`. */
function withLength(word: string, at: number, words: readonly string[]): readonly string[] {
  if (words[at - 1] === '--wait' && waitOf(word) !== null) return []
  const next = words[at + 1] ?? ''
  return [word === '--wait' ? `--wait=${waitOf(next) === null ? '' : next}` : word]
}

/** Commands have no seconds, but a script may wait for a few. */
function waitOf(length: string): number | null {
  const [, seconds] = /^(\d{1,5})s$/.exec(length) ?? []
  return seconds === undefined ? spanOf(length) : Number(seconds) * 1_000
}

/** Returns the line: a single word with spaces is a whole line; otherwise the shell has removed the quotation marks. */
function lineOf(words: readonly string[]): string {
  const [first, ...rest] = words
  const said = first === '/endpoint' ? rest : words
  if (said.length === 1) return said[0]?.replace(/^\/endpoint\s+/, '') ?? ''
  return said.map(quoted).join(' ')
}

function quoted(word: string): string {
  const [, key = '', value = ''] = /^([a-z][a-z_-]{0,40}=)?(.*)$/is.exec(word) ?? []
  const isPlain = value === '' ? key !== '' : !/\s/.test(value) || value.startsWith('"')
  return isPlain ? word : `${key}${writeWord(value)}`
}

/** Escapes the control and format characters in JSON, but not its line breaks: a terminal would obey or hide them. */
export function harmlessJson(json: string): string {
  return json.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, (mark) =>
    Array.from({ length: mark.length }, (_, at) => `\\u${mark.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}
