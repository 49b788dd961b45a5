import type { SentenceValues, Words } from '../../src/core/model/words.ts'
import { asText } from '../../src/core/words/render.ts'
import type { SentenceId } from '../../src/words/english.ts'

/** Words as people read them in English. */
export function english(words: Words): string {
  return asText(words, 'en')
}

/** A sentence of the catalogue in English. */
export function sentenceIn(id: SentenceId, values: SentenceValues = {}): string {
  return english({ say: id, with: values })
}
