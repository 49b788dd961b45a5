import * as z from 'zod'
import { spanOf } from '../../core/time/format.ts'
import { didYouMean } from '../env/errors.ts'

type Issue = { readonly code?: string | undefined; readonly input?: unknown }

/** What an issue says after its place, "is "x". Write …": the value, then the form it should have. */
export function shown(form: string): (issue: Issue) => string | undefined {
  return ({ code, input }) =>
    code === 'unrecognized_keys' ? undefined : `${missing(input) ?? `is ${quoted(input)}.`} ${form}`
}

/** The same for values that might be a secret in the wrong place: they are not quoted back. */
export function unshown(form: string): (issue: Issue) => string {
  return ({ input }) =>
    `${missing(input) ?? 'holds something else, which is not shown here: it might be secret.'} ${form}`
}

/** One of a few words; a near miss is told. */
export function word<const Word extends string>(words: readonly Word[], because = '') {
  const form = `Write ${orOf(words)}${because}.`
  return z.enum(words, {
    error: ({ input }) => shown(form)({ input }) + (typeof input === 'string' ? didYouMean(input, words) : ''),
  })
}

/** A whole number within bounds. */
export function count(low: number, high: number) {
  const error = shown(`Write a whole number from ${low} to ${high}.`)
  return z.int({ error }).min(low, { error }).max(high, { error })
}

/** A length of time such as 30m, read to ms. `low` and `high` are written the same way. */
export function span(low: string, high: string) {
  const [least, most] = [spanOf(low) ?? 0, spanOf(high) ?? 0]
  const msOf = (text: string) => {
    const ms = spanOf(text)
    return ms !== null && ms >= least && ms <= most ? ms : null
  }
  const examples = ['30m', '4h', '2d'].filter((text) => msOf(text) !== null)
  const form = `Write a length of time from ${low} to ${high}, for example ${orOf(examples)}.`
  return z
    .string({ error: shown(form) })
    .meta({ pattern: '^[0-9]{1,4}[mhdw]$' })
    .transform((text, context): number => {
      const ms = msOf(text)
      if (ms !== null) return ms
      context.addIssue({ code: 'custom', message: `is ${quoted(text)}. ${form}` })
      return z.NEVER
    })
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
