import type { SentenceValues, Words } from '../../src/core/model/words.ts'
import { withInstants } from '../../src/core/time/format.ts'
import { asText } from '../../src/core/words/render.ts'
import type { SentenceId } from '../../src/words/english.ts'

const known = new Map<string, string>()

/** Words as people read them in English. Searches ask for the same ones again and again. */
export function english(words: Words): string {
  if (typeof words === 'string') return asText(words, 'en')
  const written = JSON.stringify(words)
  const text = known.get(written) ?? asText(words, 'en')
  known.set(written, text)
  return text
}

/** A sentence of the catalogue in English. */
export function sentenceIn(id: SentenceId, values: SentenceValues = {}): string {
  return english({ say: id, with: values })
}

/** A verdict on the audit as a terminal shows it. */
export function verdictInEnglish<T extends { readonly says: Words }>(verdict: T): T & { readonly says: string } {
  return { ...verdict, says: withInstants(english(verdict.says)) }
}

/** The same value with every sentence in it as people read it: for comparing whole answers. */
export function inEnglish<T>(value: T): T {
  return mapped(value) as T
}

function mapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('say' in value) return english(value as Words)
  if (Array.isArray(value)) return value.map(mapped)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one)]))
}
