import { parseArgs } from 'node:util'
import { didYouMean } from '../config/env/environment.ts'
import { program } from '../core/text/program.ts'

interface Flag {
  readonly type: 'string' | 'boolean'
  readonly multiple?: true
  /** What a string stands for in the help, such as `30d`. */
  readonly value?: string
  readonly does: string
}

export type Flags = Readonly<Record<string, Flag>>

/** A command of the terminal: what it takes and what its help says are one table. */
export interface CommandLine<Taken extends Flags = Flags> {
  /** Without its options: `check [FILE]`. */
  readonly usage: string
  /** An imperative, without a capital or a full stop. */
  readonly does: string
  /** How many words may follow the command. */
  readonly words: number
  readonly flags: Taken
  /** What else its help says. */
  readonly more?: string
}

export type FlagValues<Taken> = {
  readonly [Name in keyof Taken]?: Taken[Name] extends { readonly multiple: true }
    ? readonly string[]
    : Taken[Name] extends { readonly type: 'string' }
      ? string
      : boolean
}

/** What follows the command, read; or what is wrong with it, in a sentence. */
export function readWords<Taken extends Flags>(
  { words: most, flags }: CommandLine<Taken>,
  given: readonly string[],
): { readonly words: readonly string[]; readonly flags: FlagValues<Taken> } | { readonly wrong: string } {
  try {
    const { values, positionals } = parseArgs({ args: [...given], options: flags, allowPositionals: true })
    const extra = positionals[most]
    if (extra !== undefined) return { wrong: `Unexpected argument “${extra}”.` }
    return { words: positionals, flags: values as FlagValues<Taken> }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [, unknown] = /^Unknown option '(?:-\w, )?(-[^']*)'/.exec(error.message) ?? []
    const known = Object.keys(flags).map((name) => `--${name}`)
    if (unknown !== undefined) return { wrong: `Unknown option ${unknown}.${didYouMean(unknown, known)}` }
    return { wrong: `${error.message.split(/[.\n]/, 1)[0]}.` }
  }
}

export function helpOf({ usage, does, flags, more }: CommandLine): string {
  const rows = Object.entries(flags).map(
    ([name, { value, does: what }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, what] as const,
  )
  const options = rows.length === 0 ? '' : ' [OPTIONS]'
  const says = `${does.charAt(0).toUpperCase()}${does.slice(1)}.`
  return [`${program} ${usage}${options}`, '', says, ...listed(rows), ...(more === undefined ? [] : ['', more])].join(
    '\n',
  )
}

/** Rows with their second column aligned, after an empty line; nothing without rows. */
export function listed(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([term]) => term.length))
  return rows.length === 0 ? [] : ['', ...rows.map(([term, what]) => `  ${term.padEnd(width)}  ${what}`)]
}
