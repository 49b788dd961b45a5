import * as z from 'zod'
import type { FieldReading } from '../../core/commands/fields.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { nearestWord } from '../../core/text/names.ts'
import { spanOf } from '../../core/time/format.ts'
import { textAs } from '../env/environment.ts'

type Issue = { readonly code?: string | undefined; readonly input?: unknown }

/** Packs sentences of the catalogue into a zod message, which has to be a string. */
export function packed(...says: readonly Words[]): string {
  return JSON.stringify(says)
}

/** Makes the message of an issue, which follows its place: `is "x". Write …` and the expected form. */
export function shown(form: Words): (issue: Issue) => string {
  return ({ input }) => packed(found(input), form)
}

/** Like `shown`, but without the value, which might be a misplaced secret. */
export function withoutQuoting(form: Words): (issue: Issue) => string {
  return ({ input }) => packed(input === undefined || input === null ? found(input) : say('policyFile.hidden'), form)
}

/** Says `Write, for example, …`; `name` is a key that may be left out. */
export function like(example: string, name = 'none'): Sentence {
  return say('policyFile.like', { example, name })
}

export function nearMiss(word: unknown, words: readonly string[]): readonly Sentence[] {
  const near = typeof word === 'string' ? nearestWord(word, words) : undefined
  return near === undefined ? [] : [say('line.near', { of: 'name', near })]
}

/** The message for an unknown key lists the known keys as JSON; `read.ts` reports each key at its own place. */
export function group<Shape extends z.core.$ZodLooseShape>(form: Words, shape: Shape) {
  const known = JSON.stringify(Object.keys(shape))
  return z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? known : shown(form)(issue)) })
}

/** A group of settings below `name`, each of which may be left out. */
export function settings<Shape extends Readonly<Record<string, z.ZodType>>>(name: string, shape: Shape) {
  type Optional = { [Key in keyof Shape]: z.ZodExactOptional<Shape[Key]> }
  const optional = Object.fromEntries(Object.entries(shape).map(([key, one]) => [key, z.exactOptional(one)]))
  return group(say('policyFile.keys', { keys: { any: Object.keys(shape) }, name }), optional as Optional)
}

export function listOf<Item extends z.ZodType>(form: Words, item: Item) {
  return z.array(item, { error: shown(form) })
}

export function textLike(pattern: RegExp, form: Words, error: (issue: Issue) => string = shown(form)) {
  return z.string({ error }).regex(pattern, { error })
}

const variableName = /^[A-Z_][A-Z0-9_]*$/

/** The name of a variable. An error quotes nothing, because someone may have written the secret itself. */
export function variable(example: string) {
  const form = say('policyFile.variable', { example })
  return textLike(variableName, form, withoutQuoting(form))
}

/** Text that `read` parses; if it returns null, `form` says what is wrong. `pattern` is for editors. */
export function readText<Value>(
  form: Words,
  read: (text: string) => FieldReading<Value, Words> | null,
  pattern?: string,
) {
  const text = z.string({ error: shown(form) }).meta(pattern === undefined ? {} : { pattern })
  return textAs<Value>((written) => {
    const result = read(written) ?? { wrong: form }
    return 'value' in result ? result : { wrong: packed(found(written), result.wrong) }
  }, text)
}

export function yesOrNo() {
  return z.boolean({ error: shown(oneOfWords(['true', 'false'])) })
}

function oneOfWords(words: readonly string[], because: 'destructive' | 'loosening' | 'none' = 'none'): Sentence {
  return say('policyFile.words', { words: { any: words }, because })
}

/** One of a few words; the error suggests a near miss. `because` says why no other word is allowed. */
export function wordSchema<const Word extends string>(words: readonly Word[], because?: 'destructive' | 'loosening') {
  const form = oneOfWords(words, because)
  return z.enum(words, { error: ({ input }) => packed(found(input), form, ...nearMiss(input, words)) })
}

export function countSchema(low: number, high: number) {
  const error = shown(say('policyFile.number', { low: `${low}`, high: `${high}` }))
  return z.int({ error }).min(low, { error }).max(high, { error })
}

/** A duration such as 30m, parsed to ms. `low` and `high` have the same form. */
export function span(low: string, high: string) {
  return readText(
    lengthForm(low, high, 'no'),
    (text) => {
      const value = spanWithin(text, low, high)
      return value === null ? null : { value }
    },
    '^[0-9]{1,4}[mhdw]$',
  )
}

/** Like `span`, or the word `off`, parsed to null. */
export function spanOrOff(low: string, high: string) {
  const either = z.union([z.literal('off'), span(low, high)], { error: shown(lengthForm(low, high, 'yes')) })
  return either.transform((read) => (read === 'off' ? null : read))
}

function lengthForm(low: string, high: string, off: 'yes' | 'no'): Sentence {
  const examples = { any: ['30m', '4h', '2d'].filter((text) => spanWithin(text, low, high) !== null) }
  return say('policyFile.length', { low, high, examples, off })
}

function spanWithin(text: string, low: string, high: string): number | null {
  const ms = spanOf(text)
  return ms !== null && ms >= (spanOf(low) ?? 0) && ms <= (spanOf(high) ?? 0) ? ms : null
}

/** Says what was found: `is missing.`, `is "x".` */
export function found(input: unknown): Sentence {
  const kind = kindOf(input)
  const text = typeof input === 'string' ? input.slice(0, 60) : input
  return say('policyFile.value', { kind, value: kind === 'value' ? JSON.stringify(text) : '' })
}

function kindOf(input: unknown): string {
  if (input === undefined) return 'missing'
  if (input === null) return 'empty'
  if (Array.isArray(input)) return input.length === 0 ? 'none' : 'list'
  return typeof input === 'object' ? 'group' : 'value'
}

const anything = z.unknown().optional()
const list = z.array(z.unknown()).catch([])
const named = z.string().regex(variableName).optional().catch(undefined)

/** A policy is read once, so compiling its schemas takes longer than it saves. */
export const readOnce = { jitless: true } as const

/** An object whose keys accept anything; a value of another type counts as empty. */
export function loosely<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const object = z.object(shape)
  return object.catch(() => object.parse({}, readOnce))
}

const project = loosely({
  name: anything,
  channels: list,
  roles: anything,
  base_url_env: named,
  api_key_env: named,
  signals: loosely({ key_env: named }),
  events: z.array(loosely({ secret_env: named })).catch([]),
  schedules: loosely({ zone: anything }),
  approvals: anything,
  endpoints: z.array(loosely({ match: list, approvals: anything, schedule: list })).catch([]),
})

/** The parts of a project that can be read, so that one mistake does not hide others. */
export type LooseProject = z.infer<typeof project>

export function looseProjectsIn(content: unknown): readonly LooseProject[] {
  return loosely({ projects: z.array(project).catch([]) }).parse(content, readOnce).projects
}
