import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { FieldReading } from '../../core/commands/fields.ts'
import { nearestWord } from '../../core/text/names.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type Variables = ReturnType<typeof variablesOf>

/** Reads variables one by one and collects their mistakes and names, so that all are reported together. */
export function variablesOf(env: Environment, mistakes: string[], asked: string[] = []) {
  /** Parses a variable; undefined if it is not set or if it is wrong, which is added to `mistakes`. */
  function optional<Value>(name: string, schema: z.ZodType<Value, string>): Value | undefined {
    asked.push(name)
    const text = readVariable(env, name)
    if (text === undefined) return undefined
    if (isPlaceholder(text)) {
      mistakes.push(`${name} still has its placeholder. Write your own value.`)
      return undefined
    }
    const read = schema.safeParse(text)
    if (read.success) return read.data
    mistakes.push(...read.error.issues.map((issue) => `${name} ${issue.message}`))
    return undefined
  }
  /** Like `optional`, but adds `instead` to the mistakes if the variable is not set. */
  function required<Value>(name: string, schema: z.ZodType<Value, string>, instead: string): Value | undefined {
    if (readVariable(env, name) === undefined) mistakes.push(`${name} is missing. ${instead}`)
    return optional(name, schema)
  }
  return { optional, required }
}

/** Parses the text of one variable. Throws a sentence; `missing` says what to write if the text is empty. */
export function parseVariable<Value>(name: string, text: string, schema: z.ZodType<Value, string>, missing: string) {
  const mistakes: string[] = []
  const value = variablesOf({ [name]: text }, mistakes).required(name, schema, missing)
  if (value === undefined) throw new Error(mistakes.join(' '))
  return value
}

/** Whether a value was copied from the documentation as it stands there, such as `xoxb-…`. */
export function isPlaceholder(text: string): boolean {
  return /…|\/\/platform\.example\./.test(text)
}

/** Returns ` Did you mean x?` with the nearest known word, or '' if none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known)
  return near === undefined ? '' : ` Did you mean ${near}?`
}

/** Returns a sentence for each variable that has almost the name of one of ours. Nothing else would notice it. */
export function mistypedIn(env: Environment, ours: readonly string[]): readonly string[] {
  const wordIn = (name: string) => /(?<=^LAMPLIGHTER_).+?(?=(?:_FILE)?$)/.exec(name) ?? []
  const known = ours.flatMap(wordIn)
  return Object.keys(env).flatMap((name) =>
    wordIn(name).flatMap((word) => {
      const near = known.includes(word) ? undefined : nearestWord(word, known)
      return near === undefined ? [] : `${name} is not a setting. Did you mean LAMPLIGHTER_${near}?`
    }),
  )
}

/** All mistakes in the configuration, one sentence each; the message lists them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    const heading =
      mistakes.length === 1 ? 'The configuration has a mistake' : `The configuration has ${mistakes.length} mistakes`
    super([`${heading}:`, ...mistakes.map((mistake) => `- ${mistake}`)].join('\n'))
    this.mistakes = mistakes
  }
}

/** Returns the trimmed variable, or the text of the file that `NAME_FILE` names. Empty: not set. Throws ConfigError. */
export function readVariable(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`]?.trim()
  return env[name]?.trim() || (file ? textOf(file, `${name}_FILE`) : undefined)
}

function textOf(file: string, variable: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    throw new ConfigError([`${variable} names ${file}, which can’t be read. Write the path of a file with the value.`])
  }
}

/** A schema for text that `read` turns into a value. `wrong` continues a sentence that begins with the place. */
export function textAs<Value>(read: (text: string) => FieldReading<Value, string>, text = z.string()) {
  return text.transform((written, context): Value => {
    const result = read(written)
    if ('value' in result) return result.value
    context.addIssue({ code: 'custom', message: result.wrong })
    return z.NEVER
  })
}

/** A whole number within bounds; the error quotes the value. */
export function wholeNumber(low: number, high: number, example: string) {
  return textAs((text) => {
    const value = Number(text)
    if (/^\d{1,9}$/.test(text) && value >= low && value <= high) return { value }
    return { wrong: `is ${JSON.stringify(text)}. Write a whole number from ${low} to ${high}, for example ${example}.` }
  })
}

/** One of a few words; the error quotes the value. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  const forms = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
  const error = ({ input }: { readonly input?: unknown }) =>
    `is ${JSON.stringify(input)}. Write ${forms}.${didYouMean(String(input), words)}`
  return z.enum(words, { error })
}

/** A value that only `reveal` shows: logs, inspections and JSON hide it. */
export interface Secret<Value = string> {
  reveal(): Value
  toString(): string
  toJSON(): string
}

export function secret<Value = string>(value: Value): Secret<Value> {
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden })
}

export const secretText = textAs((text) => ({ value: secret(text) }))

/** A secret that is sent in a header. */
export const headerSecret = textAs((text) =>
  /^[\x21-\x7e]+$/.test(text)
    ? { value: secret(text) }
    : { wrong: 'isn’t one word of visible ASCII characters. Copy it again from where it was made.' },
)

function hidden(): string {
  return '[secret]'
}

const form =
  'Write 32 bytes as base64 (openssl rand -base64 32 makes them). While you change keys: new,old and any older ones after it, or new,none if there was no key before.'

/**
 * `LAMPLIGHTER_KEY`: one key of 32 bytes, or several with commas, newest first. The current one seals and signs; earlier
 * ones still open and verify. `none`, read as an empty key, verifies texts written before there was a key.
 */
export const sealingKey = textAs((text) => {
  const [newest = '', ...older] = text.split(',')
  const current = bytesOf(newest)
  const earlier = older.flatMap((old) => (old.trim() === 'none' ? new Uint8Array() : (bytesOf(old) ?? [])))
  return current && earlier.length === older.length
    ? { value: { current: secret(current), earlier: earlier.map(secret) } }
    : { wrong: `isn’t a key. ${form}` }
})

function bytesOf(text: string): Uint8Array | null {
  const plain = text.trim()
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(plain) ? Buffer.from(plain, 'base64') : Buffer.alloc(0)
  return bytes.length === 32 ? new Uint8Array(bytes) : null
}
