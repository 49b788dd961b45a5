import type { SentenceId } from '../../words/english.ts'
import type { Actor, Member } from './roles.ts'

/** What people read. */
export const languages = ['en', 'ko'] as const
export type Language = (typeof languages)[number]

/** A sentence of the catalogue (`words/`) with what stands in it. It is stored so, and written when somebody reads it. */
export interface Sentence {
  readonly say: SentenceId
  readonly with?: SentenceValues
}

/**
 * What people read: sentences one after the other. A plain string is text from outside, or was written by an older
 * version; it is shown as it is.
 */
export type Words = string | Sentence | readonly Words[]

/** What may stand in a sentence. Lists are written with "or" or "and". */
export type SentenceValue =
  | Words
  | number
  | { readonly at: number }
  | { readonly lasting: number }
  /** A date, in days since 1970-01-01: with its weekday and month, or with only one of them. */
  | { readonly day: number; readonly only?: 'weekday' | 'month' }
  | { readonly any: readonly SentenceValue[] }
  | { readonly all: readonly SentenceValue[] }
  | Mention

export type SentenceValues = Readonly<Record<string, SentenceValue>>

/** Whoever is called by name. */
export type Mention = { readonly person: Actor } | Member

/** A reason that may be missing, as values of the sentences that give it. */
export function reasonIn(because: string | undefined): { readonly because: 'yes' | 'no'; readonly reason: string } {
  return { because: because ? 'yes' : 'no', reason: because ?? '' }
}

/** What the platform said at the end of a request, and that it was the platform. */
export function quoted(ending: { readonly quote?: string } | undefined): Words {
  return ending?.quote === undefined ? '' : say('end.quote', { quote: ending.quote })
}

/** What a log may name: the id of the first sentence, if that is ours. */
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

/** The instant that a sentence names as its `until`. */
export function untilIn(words: Words | undefined): number | undefined {
  if (words === undefined || typeof words === 'string' || !('say' in words)) return undefined
  const until = words.with?.['until']
  return typeof until === 'object' && 'at' in until && typeof until.at === 'number' ? until.at : undefined
}

/** The same words with each text from outside in them changed: masked, for example. */
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
