import * as z from 'zod'
import { didYouMean } from './errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads single variables and writes down what is wrong with them, so that all mistakes can be told at once. */
export interface Variables {
  /** The variable as the schema reads it; undefined when it is not set, or wrong (noted). */
  optional<Value>(name: string, schema: z.ZodType<Value, string>): Value | undefined
  /** The same; a variable that is not set is noted with what to write. */
  required<Value>(name: string, schema: z.ZodType<Value, string>, instead: string): Value | undefined
}

/** Variables of an environment. An empty or blank one counts as not set: Compose files pass those on. */
export function variablesOf(env: Environment, mistakes: string[]): Variables {
  function optional<Value>(name: string, schema: z.ZodType<Value, string>): Value | undefined {
    const text = given(env, name)
    if (text === undefined) return undefined
    const read = schema.safeParse(text)
    if (read.success) return read.data
    mistakes.push(...read.error.issues.map((issue) => `${name} ${issue.message}`))
    return undefined
  }
  function required<Value>(name: string, schema: z.ZodType<Value, string>, instead: string): Value | undefined {
    if (given(env, name) === undefined) mistakes.push(`${name} is missing. ${instead}`)
    return optional(name, schema)
  }
  return { optional, required }
}

/** The variable without the blanks and line ends that files and shells leave around it. */
export function given(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

/** A whole number within bounds; the value is quoted back. */
export function wholeNumber(low: number, high: number, example: string): z.ZodType<number, string> {
  return z.string().transform((text, context) => {
    const value = Number(text)
    if (/^\d{1,9}$/.test(text) && value >= low && value <= high) return value
    const message = `is ${JSON.stringify(text)}. Write a whole number from ${low} to ${high}, for example ${example}.`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

/** One of a few words; the value is quoted back. */
export function oneOf<const Word extends string>(words: readonly Word[]): z.ZodType<Word, string> {
  return z.string().transform((text, context) => {
    const word = words.find((known) => known === text)
    if (word !== undefined) return word
    const message = `is ${JSON.stringify(text)}. Write ${words.join(' or ')}.${didYouMean(text, words)}`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}
