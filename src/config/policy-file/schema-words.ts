import * as z from 'zod'
import type { FieldReading } from '../../core/commands/fields.ts'
import { spanOf } from '../../core/time/format.ts'
import { textAs } from '../env/environment.ts'
import { didYouMean } from '../env/errors.ts'

type Issue = { readonly code?: string | undefined; readonly input?: unknown }

/** The message of an issue, after its place: `is "x". Write …`, with the form that the value should have. */
export function shown(form: string): (issue: Issue) => string | undefined {
  return ({ code, input }) =>
    code === 'unrecognized_keys' ? undefined : `${missing(input) ?? `is ${quoted(input)}.`} ${form}`
}

/** The same without the value, which might be a secret in the wrong place. */
export function withoutQuoting(form: string): (issue: Issue) => string {
  return ({ input }) =>
    `${missing(input) ?? 'holds something else, which is not shown here: it might be secret.'} ${form}`
}

export function group<Shape extends z.core.$ZodLooseShape>(form: string, shape: Shape) {
  return z.strictObject(shape, { error: shown(form) })
}

export function listOf<Item extends z.ZodType>(form: string, item: Item) {
  return z.array(item, { error: shown(form) })
}

export function textLike(pattern: RegExp, form: string, error: (issue: Issue) => string | undefined = shown(form)) {
  return z.string({ error }).regex(pattern, { error })
}

/** Text that `read` turns into a value. `pattern` is for editors. */
export function readText<Value>(
  form: string,
  read: (text: string) => FieldReading<Value, string> | null,
  pattern?: string,
) {
  const text = z.string({ error: shown(form) })
  return textAs<Value>(
    (written) => {
      const result = read(written) ?? { wrong: form }
      return 'value' in result ? result : { wrong: `is ${quoted(written)}. ${result.wrong}` }
    },
    pattern === undefined ? text : text.meta({ pattern }),
  )
}

export function yesOrNo() {
  return z.boolean({ error: shown('Write true or false.') })
}

/** One of a few words; a near miss is suggested. */
export function wordSchema<const Word extends string>(words: readonly Word[], because = '') {
  const form = `Write ${orOf(words)}${because}.`
  return z.enum(words, {
    error: ({ input }) => shown(form)({ input }) + (typeof input === 'string' ? didYouMean(input, words) : ''),
  })
}

export function countSchema(low: number, high: number) {
  const error = shown(`Write a whole number from ${low} to ${high}.`)
  return z.int({ error }).min(low, { error }).max(high, { error })
}

/** A length of time such as 30m, read to ms. `low` and `high` are written the same way. */
export function span(low: string, high: string) {
  const [shortest, longest] = [spanOf(low) ?? 0, spanOf(high) ?? 0]
  const msOf = (text: string) => {
    const ms = spanOf(text)
    return ms !== null && ms >= shortest && ms <= longest ? ms : null
  }
  const examples = ['30m', '4h', '2d'].filter((text) => msOf(text) !== null)
  return readText(
    `Write a length of time from ${low} to ${high}, for example ${orOf(examples)}.`,
    (text) => {
      const value = msOf(text)
      return value === null ? null : { value }
    },
    '^[0-9]{1,4}[mhdw]$',
  )
}

function orOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ')
}

function missing(input: unknown): string | undefined {
  return input === undefined ? 'is missing.' : input === null ? 'is empty.' : undefined
}

function quoted(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify(input.slice(0, 60))
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : 'a list'
  return typeof input === 'object' ? 'a group of keys' : JSON.stringify(input)
}
