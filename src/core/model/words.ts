import type { SentenceId } from '../../words/english.ts'
import type { Actor, Member } from './roles.ts'

/** The languages that people can read. */
export const languages = ['en', 'ko'] as const
export type Language = (typeof languages)[number]

/** A sentence of the catalogue (`words/`) with its values. Stored in this form, and formatted for each reader. */
export interface Sentence {
  readonly say: SentenceId
  readonly with?: SentenceValues
}

/** Sentences, one after another. A plain string, from outside or from an older version, is shown unchanged. */
export type Words = string | Sentence | readonly Words[]

/** A value in a sentence. Lists are joined with "or" (`any`) or "and" (`all`). */
export type SentenceValue =
  | Words
  | number
  | { readonly at: number }
  | { readonly lasting: number }
  /** A date in days since 1970-01-01, with its weekday and month, or only one of them. */
  | { readonly day: number; readonly only?: 'weekday' | 'month' }
  | { readonly any: readonly SentenceValue[] }
  | { readonly all: readonly SentenceValue[] }
  | Mention

export type SentenceValues = Readonly<Record<string, SentenceValue>>

export type Mention = { readonly person: Actor } | Member

/** An optional reason, as values for sentences. */
export function reasonIn(because: string | undefined): { readonly because: 'yes' | 'no'; readonly reason: string } {
  return { because: because ? 'yes' : 'no', reason: because ?? '' }
}

/** The platform's message at the end of a request, marked as a quotation. */
export function quoted(ending: { readonly quote?: string } | undefined): Words {
  return ending?.quote === undefined ? '' : say('end.quote', { quote: ending.quote })
}

/** Returns the id of the first sentence that is ours, which a log may contain. */
export function idOf(words: Words): SentenceId | undefined {
  if (typeof words === 'string') return undefined
  return 'say' in words ? words.say : words.map(idOf).find((id) => id !== undefined)
}

export function say(id: SentenceId, values?: SentenceValues): Sentence {
  return values === undefined ? { say: id } : { say: id, with: values }
}

export function saysNothing(words: Words): boolean {
  return words === '' || (Array.isArray(words) && words.every(saysNothing))
}

/** Returns the first sentence with this id among the words. */
export function findSentence(words: Words, id: SentenceId): Sentence | undefined {
  if (typeof words === 'string') return undefined
  if ('say' in words) return words.say === id ? words : undefined
  return words.map((one) => findSentence(one, id)).find((one) => one !== undefined)
}

/** Leaves out every sentence with this id. */
export function without(words: Words, id: SentenceId): Words {
  if (typeof words === 'string') return words
  if ('say' in words) return words.say === id ? '' : words
  return words.map((one) => without(one, id))
}

export function valueIn(words: Words | undefined, name: string): SentenceValue | undefined {
  return words === undefined || typeof words === 'string' || !('say' in words) ? undefined : words.with?.[name]
}

/** Returns the `until` instant of a sentence, or of what it says was done. */
export function untilIn(words: Words | undefined): number | undefined {
  const [until, done] = [valueIn(words, 'until'), valueIn(words, 'done')]
  if (typeof done === 'object' && 'say' in done) return untilIn(done)
  return typeof until === 'object' && 'at' in until && typeof until.at === 'number' ? until.at : undefined
}

/** Changes each text from outside in some words, for example to mask it. */
export function withTexts(words: Words, change: (text: string) => string): Words {
  if (typeof words === 'string') return change(words)
  if (!('say' in words)) return words.map((one) => withTexts(one, change))
  const { say: id, with: values = {} } = words
  const changed = Object.entries(values).map(([name, value]) => [name, changedValue(value, change)] as const)
  return say(id, Object.fromEntries(changed))
}

function changedValue(value: SentenceValue, change: (text: string) => string): SentenceValue {
  if (typeof value === 'number') return value
  if (typeof value === 'string' || 'say' in value || isList(value)) return withTexts(value, change)
  if ('any' in value) return { any: value.any.map((one) => changedValue(one, change)) }
  return 'all' in value ? { all: value.all.map((one) => changedValue(one, change)) } : value
}

function isList(value: object): value is readonly Words[] {
  return Array.isArray(value)
}
