import { placeInKorean } from '../time/zone.ts'

/**
 * Korean particles depend on the preceding sound. A catalogue message writes both forms after a value, as in
 * `{name}을(를)`, and `withParticles` keeps the one that fits. If the sound is unknown, both stay.
 */
const pairs = /(을\(를\)|이\(가\)|은\(는\)|과\(와\)|으로\(로\)|이라\(라\)|이나\(나\))/

/** How a word ends when it is read aloud: with a vowel, with ㄹ, or with another consonant. */
type Ending = 'vowel' | 'ㄹ' | 'consonant'

/** Picks the particles that fit in a text. `before`: the text read just before it; null if unknown. */
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
  // 으로 follows every consonant except ㄹ.
  const isOpen = ending === 'vowel' || (ending === 'ㄹ' && afterVowel === '로')
  return isOpen ? afterVowel : afterConsonant
}

const inQuestions = /\ue002([^\ue003]*)\ue003(?=([^”.?!·:\n]*할까요\?)?)/g

/** Marks a part that only questions have, so that it can be removed elsewhere: 를 in "rerank를 중지할까요?". */
export function forQuestions(text: string): string {
  return `\ue002${text}\ue003`
}

/** Keeps the parts that only questions have if the text asks a question, and removes them otherwise. */
export function asQuestion(text: string): string {
  return text.replace(inQuestions, (_, part: string, asked: string | undefined) => (asked === undefined ? '' : part))
}

/** Returns null if the text does not end in a readable word, such as after a sign or in an unknown script. */
function endingOf(said: string): Ending | null {
  // Text in brackets is skipped.
  const word = /([가-힣]|\d|[a-z]+)(?:[”’"'»)\]}>`*_]|\([^()]*\))*$/i.exec(said)?.[1]
  if (word === undefined) return null
  if (/[가-힣]/.test(word)) return hangulEnding(word)
  return /\d/.test(word) ? digitEnding(word) : latinEnding(word)
}

/** Unicode orders syllables by 28 final consonants, the first of which means none. */
function hangulEnding(syllable: string): Ending {
  const final = ((syllable.codePointAt(0) ?? 0) - 0xac00) % 28
  return final === 0 ? 'vowel' : final === 8 ? 'ㄹ' : 'consonant'
}

/** Digits are read 영 일 이 삼 사 오 육 칠 팔 구; a number that ends in 0 ends in 십, 백 or 천. */
function digitEnding(digit: string): Ending {
  if ('178'.includes(digit)) return 'ㄹ'
  return '036'.includes(digit) ? 'consonant' : 'vowel'
}

/** Guesses from how Koreans read names: acronyms letter by letter (엘 엠 엔 알), words by their last sounds. */
function latinEnding(word: string): Ending {
  const lower = word.toLowerCase()
  const isSpelled =
    word === word.toUpperCase() || !/[aeiouy]/.test(lower) || /^(?![^aeiou]?[aeiou][^aeiou]$).{1,3}$/.test(lower)
  if (isSpelled) return /[lr]$/.test(lower) ? 'ㄹ' : /[mn]$/.test(lower) ? 'consonant' : 'vowel'
  if (/le?$/.test(lower)) return 'ㄹ'
  return /([mn]e?|ng|[aeiou][ckpt]|pp|web)$/.test(lower) ? 'consonant' : 'vowel'
}

/** Formats a value in Korean: a place by its Korean name, and an amount of won with 원 after it. */
export function inKorean(name: string, value: string): string {
  if (name === 'place') return placeInKorean(value)
  const [, won] = /^₩([\d,]+)$/.exec(value) ?? []
  return won === undefined ? value : `${won}원`
}
