import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { parseEnv } from 'node:util'
import {
  autocomplete,
  autocompleteMultiselect,
  confirm,
  isCancel,
  password,
  text,
  updateSettings,
} from '@clack/prompts'
import { type Environment, readVariable } from '../../config/env/environment.ts'
import { maskOf } from '../../core/text/redact.ts'

export type SetupDraft = ReturnType<typeof createDraft>

interface Question {
  /** The variable; a value that is already set is used if it passes its test. */
  readonly name: string
  readonly message: string
  /** The default. Without one, the input is hidden. */
  readonly usual?: string
}

/** `ask` is null without a terminal: then missing and wrong values are printed instead of asked for. */
export function createDraft(given: Environment, ask: Questions | null, print: (line: string) => void) {
  const env: Record<string, string | undefined> = { ...given }
  const chosen = new Set<string>()
  const secrets = new Set<string>()
  const settings = Object.keys(given)
    .map((name) => name.replace(/_FILE$/, ''))
    .filter((name) => ofProduct.test(name))
  let failed = false

  function set(name: string, value: string): void {
    env[name] = value
    chosen.add(name)
  }

  /** Prints a line with all secrets so far masked. */
  function say(line: string): void {
    print(maskOf({ values: [...secrets] })(line))
  }

  /** Reports a problem that another answer can't fix. */
  function fail(sentence: string): undefined {
    failed = true
    say(`✗ ${sentence}`)
  }

  /** Tests the value that is set, or asks until one passes. The test throws a sentence. */
  async function take<Result>({ name, message, usual }: Question, test: (value: string) => Promise<Result>) {
    for (let value = readVariable(given, name); ; value = undefined) {
      value ??= await (usual === undefined ? ask?.secret(message) : ask?.text(message, usual))
      const typed = value?.trim() ?? ''
      if (usual === undefined && typed !== '') secrets.add(typed)
      try {
        return await test(typed)
      } catch (error) {
        if (error instanceof Cancelled) throw error
        const sentence = error instanceof Error ? error.message : String(error)
        if (ask === null) return fail(sentence)
        say(`✗ ${sentence}`)
      }
    }
  }

  return {
    ask,
    say,
    fail,
    take,
    /** The variables, with the answers so far. */
    env: env as Environment,
    set,
    keepGiven(): void {
      for (const name of settings) {
        const value = readVariable(given, name)
        if (value !== undefined) set(name, value)
      }
    },
    /** Whether the text of `.env` already has all that would be written into it. */
    isIn(before: string, compose: boolean): boolean {
      const held = parseEnv(before)
      const needed = ['LAMPLIGHTER_KEY', compose ? 'REDIS_PASSWORD' : 'REDIS_URL']
      const isSame = (name: string) => readVariable(held, name) === readVariable(given, name)
      return needed.every((name) => readVariable(given, name)) && [...settings, ...needed].every(isSame)
    },
    hide: (secret: string) => void secrets.add(secret),
    isFailed: () => failed,
    /** The lines of `.env`. A value from a file of its own stays there. */
    lines: () =>
      [...chosen].map((name): readonly [string, string] => {
        const file = given[`${name}_FILE`]?.trim()
        const isFromFile = file && !given[name]?.trim() && readVariable(given, name) === env[name]
        return isFromFile ? [`${name}_FILE`, file] : [name, env[name] ?? '']
      }),
  }
}

/** Variables kept if they are set, even if `init` doesn't ask for them. ENV_FILE and CLOCK_FILE don't name secrets. */
const ofProduct = /^(?:LAMPLIGHTER|SLACK|PLATFORM|LOG)_(?!ENV$|CLOCK$)|^(?:PORT|HTTPS?_PROXY|NO_PROXY)$/

type Line = readonly [name: string, value: string]

/** Returns the text of `.env`: comments and other variables from `before`, then our lines. Throws a sentence. */
export function envText(before: string | null, lines: readonly Line[]): string {
  const ours = new Set(lines.flatMap(([name]) => [name, name.endsWith('_FILE') ? name.slice(0, -5) : `${name}_FILE`]))
  const kept = (before ?? '')
    .split('\n')
    .filter((line) => !ours.has(/^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? ''))
  const head = before === null ? [heading] : [kept.join('\n').trimEnd()]
  return [...head, ...lines.map(([name, value]) => `${name}=${quoted(name, value)}`), ''].join('\n')
}

const heading = '# Written by init. docs/operate.md describes these variables and all others.'

/** Quotes a value for both Node and Docker Compose: nothing is expanded between single quotes. */
function quoted(name: string, value: string): string {
  if (/^[\w.:/@%+=,?&~-]*$/.test(value)) return value
  if (!/['\r\n]/.test(value)) return `'${value}'`
  throw new Error(
    `${name} contains a quote or a line break, which .env can’t hold. Set ${name}_FILE to a file with it.`,
  )
}

/** Replaces a file in one step; the new one has these permissions from its first byte. */
export function replaceFile(path: string, text: string, mode: number): void {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(unfinished, text, { mode, flag: 'wx' })
  renameSync(unfinished, path)
}

export interface Choice {
  readonly value: string
  readonly label: string
  /** Searched too. */
  readonly hint?: string
}

type Questions = ReturnType<typeof questionsOn>

export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

export function questionsOn(input: Readable, output: Writable) {
  const common = { input, output }
  // Ctrl-D would otherwise end the process without a word, as if all had gone well.
  updateSettings({ aliases: { '\u0004': 'cancel' } })
  /** Rows shown in a list; typing finds the others. */
  const maxItems = 8
  return {
    text: async (message: string, usual: string) =>
      answered(await text({ ...common, message, placeholder: usual, defaultValue: usual })),
    secret: async (message: string) => answered(await password({ ...common, message })),
    confirm: async (message: string) => answered(await confirm({ ...common, message })),
    pick: async (message: string, options: readonly Choice[]) =>
      answered(await autocomplete({ ...common, message, maxItems, options: [...options] })),
    pickMany: async (message: string, options: readonly Choice[], required: boolean) =>
      answered(await autocompleteMultiselect({ ...common, message, maxItems, required, options: [...options] })),
  }
}

function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new Cancelled('Nothing was written.')
  return answer as Exclude<Answer, symbol>
}
