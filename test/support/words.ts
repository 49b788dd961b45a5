import type { SentenceValues, Words } from '../../src/core/model/words.ts'
import { withInstants } from '../../src/core/time/format.ts'
import { asText } from '../../src/core/words/render.ts'
import type { SentenceId } from '../../src/words/english.ts'

const known = new Map<string, string>()

/** Renders words in English, with a cache, because searches render the same ones again and again. */
export function english(words: Words): string {
  if (typeof words === 'string') return asText(words, 'en')
  const written = JSON.stringify(words)
  const text = known.get(written) ?? asText(words, 'en')
  known.set(written, text)
  return text
}

export function sentenceIn(id: SentenceId, values: SentenceValues = {}): string {
  return english({ say: id, with: values })
}

/** Renders an audit verdict as a terminal shows it. */
export function verdictInEnglish<T extends { readonly says: Words }>(verdict: T): T & { readonly says: string } {
  return { ...verdict, says: withInstants(english(verdict.says)) }
}

/** Replaces every sentence in a value by its English text, to compare whole answers. */
export function inEnglish<T>(value: T): T {
  return mapped(value) as T
}

function mapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('say' in value) return english(value as Words)
  if (Array.isArray(value)) return value.map(mapped)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one)]))
}
