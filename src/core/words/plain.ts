import { english } from '../../words/english.ts'
import type { Language, Words } from '../model/words.ts'
import { withInstants } from '../time/format.ts'
import { asText } from './render.ts'

/** Commands that keep their `/endpoint`: programs cannot use them, or `lamplighter doctor` means something else. */
const inSlack = 'approve away back break-glass decline doctor thaw token undo'.split(' ')
const verbs = Object.keys(english).flatMap((id) => /^summary\.(.+)/.exec(id)?.[1] ?? [])
const others = verbs.filter((verb) => !inSlack.includes(verb)).join('|')
const typed = new RegExp(`/endpoint (?=(?:${others})(?![\\w-]))`, 'g')

/** Words after which an instant needs no "at". */
const leads = 'a[st]|until|from|of|before|after|since|than|to|by|for|and|or|between|was|is'
/** The blank before an instant. A chat shows "today at 18:00", which already has the "at". */
const bareInstant = new RegExp(`(?<=\\p{L})(?<!\\b(?:${leads})) (?=\\u{e000})`, 'giu')

/** Formats words for programs: plain text, instants in ISO 8601, UTC, and commands without their `/endpoint`. */
export function plainText(words: Words, language: Language): string {
  const said = asText(words, language)
  const text = withInstants(language === 'en' ? said.replace(bareInstant, ' at ') : said)
  // Text from outside stays unchanged.
  return typeof words === 'string' ? text : text.replace(typed, '')
}

export function inEach(says: Words): Readonly<Record<Language, string>> {
  return { en: plainText(says, 'en'), ko: plainText(says, 'ko') }
}
