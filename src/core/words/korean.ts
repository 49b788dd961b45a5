import { placeInKorean } from '../time/zone.ts'

/**
 * Korean particles change with the last sound before them. A message of the catalogue writes both forms after a value,
 * as in `{name}을(를)`, and `withParticles` leaves the one that fits. Where nobody can know the sound, both stay.
 */
const pairs = /(을\(를\)|이\(가\)|은\(는\)|과\(와\)|으로\(로\)|이라\(라\)|이나\(나\))/

/** How a word ends when it is read aloud: with a vowel, with ㄹ, or with another consonant. */
type Ending = 'vowel' | 'ㄹ' | 'consonant'

/** Texts beside each other with the particles that fit. `before`: what is read before the first; null if unknown. */
export function withParticles(text: string, before: string | null): string {
  const parts = text.split(pairs)
  return parts.reduce((said, part, at) => {
    if (at % 2 === 0) return said + part
    const ending = endingOf(said === '' ? (before ?? '') : said)
    return said + (ending === null ? part : chosen(part, ending))
  }, '')
}

function chosen(pair: string, ending: Ending): string {
  const [afterConsonant = '', afterVowel = ''] = pair.replace(')', '').split('(')
  // 으로 follows every consonant but ㄹ.
  const isOpen = ending === 'vowel' || (ending === 'ㄹ' && afterVowel === '로')
  return isOpen ? afterVowel : afterConsonant
}

const inQuestions = /\ue002([^\ue003]*)\ue003(?=([^”.?!·:\n]*할까요\?)?)/g

/** What only a question has, marked so that it can still be left out of anything else: "rerank를 중지할까요?". */
export function forQuestions(text: string): string {
  return `\ue002${text}\ue003`
}

/** Texts beside each other, with what only questions have where one is asked. */
export function asQuestion(text: string): string {
  return text.replace(inQuestions, (_, part: string, asked: string | undefined) => (asked === undefined ? '' : part))
}

/** Null for what is not read as a word: a sign, or a script that is not known here. */
function endingOf(said: string): Ending | null {
  // What stands in brackets is passed over.
  const word = /([가-힣]|\d|[a-z]+)(?:[”’"'»)\]}>`*_]|\([^()]*\))*$/i.exec(said)?.[1]
  if (word === undefined) return null
  if (/[가-힣]/.test(word)) return hangulEnding(word)
  return /\d/.test(word) ? digitEnding(word) : latinEnding(word)
}

/** Unicode orders syllables by their 28 final consonants, the first of which is none. */
function hangulEnding(syllable: string): Ending {
  const final = ((syllable.codePointAt(0) ?? 0) - 0xac00) % 28
  return final === 0 ? 'vowel' : final === 8 ? 'ㄹ' : 'consonant'
}

/** 영 일 이 삼 사 오 육 칠 팔 구, and 십, 백 or 천 where a number ends in 0. */
function digitEnding(digit: string): Ending {
  if ('178'.includes(digit)) return 'ㄹ'
  return '036'.includes(digit) ? 'consonant' : 'vowel'
}

/** A guess, as Koreans read names: acronyms letter by letter (엘 엠 엔 알), words by their last sounds. */
function latinEnding(word: string): Ending {
  const lower = word.toLowerCase()
  const isSpelled =
    word === word.toUpperCase() || !/[aeiouy]/.test(lower) || /^(?![^aeiou]?[aeiou][^aeiou]$).{1,3}$/.test(lower)
  if (isSpelled) return /[lr]$/.test(lower) ? 'ㄹ' : /[mn]$/.test(lower) ? 'consonant' : 'vowel'
  if (/le?$/.test(lower)) return 'ㄹ'
  return /([mn]e?|ng|[aeiou][ckpt]|pp|web)$/.test(lower) ? 'consonant' : 'vowel'
}

/** A value of a sentence as Koreans write it: a place by its Korean name, and an amount of their money with 원 behind. */
export function inKorean(name: string, value: string): string {
  if (name === 'place') return placeInKorean(value)
  const [, won] = /^₩([\d,]+)$/.exec(value) ?? []
  return won === undefined ? value : `${won}원`
}
