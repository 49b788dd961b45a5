import { type Language, languages, type Words } from '../model/words.ts'
import { withInstants } from '../time/format.ts'
import { asText } from './render.ts'

/** Words as plain text, with instants in ISO 8601, UTC: for programs. */
export function plainText(words: Words, language: Language): string {
  return withInstants(asText(words, language))
}

/** Words in every language of the catalogue. */
export function inEach(says: Words): Readonly<Record<Language, string>> {
  const [first, second] = languages
  return { [first]: plainText(says, first), [second]: plainText(says, second) } as Record<Language, string>
}
