import type { Row } from './define.ts'
import type { Word } from './field-of-word.ts'

/** Returns the words that may belong to a sentence: a value with a key and a quoted text say nothing about it. */
export function plainWords(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ key, value }) => (key === undefined && !value.includes(' ') ? [value] : []))
}

/** "my-llm꺼줘" is two words. */
export function spokenWords(typed: readonly Word[]): readonly string[] {
  return plainWords(typed)
    .flatMap((word) => word.split(/(?<=[\w.-])(?=[가-힣])/))
    .map(spoken)
}

/** Returns the rows that words name, longest hint first. The "stop" of "auto stop" does not also name `stop`. */
export function rowsNamedIn(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const text = words.join(' ')
  const found = rows.flatMap((row) =>
    hintsOf(row).flatMap((parts) => {
      const places = text.includes(parts[0] ?? '') ? placesOf(parts, words) : [-1]
      return places.includes(-1) ? [] : [{ row, places, length: parts.join('').length }]
    }),
  )
  const isPart = (one: (typeof found)[number]) =>
    found.some((other) => other.length > one.length && one.places.every((place) => other.places.includes(place)))
  const whole = found.filter((one) => !isPart(one)).toSorted((a, b) => b.length - a.length)
  return [...new Set(whole.map(({ row }) => row))]
}

/** Returns the rows for people who do not want another one: "never stop" is a hint of `keep`. */
export function rowsAgainst(name: string, rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ hints }) => hints?.split(',').includes(['never', name].join(' ')))
}

/** Whether words contain one or two others, in this order. */
export function isSaidIn(words: readonly string[], phrase: string): boolean {
  return !placesOf(phrase.split(' '), words).includes(-1)
}

/** Returns where the parts of a hint stand among words; -1: nowhere. For a Korean word, its beginning is enough. */
function placesOf(parts: readonly string[], words: readonly string[]): readonly number[] {
  const places: number[] = []
  for (const part of parts) {
    const from = (places.at(-1) ?? -1) + 1
    // 네 and 예 say yes, 예약 doesn't.
    const isStem = /^[가-힣]/.test(part) && !/^[네예]$/.test(part)
    const isHere = (word: string, at: number) => at >= from && word.startsWith(part)
    places.push(isStem ? words.findIndex(isHere) : words.indexOf(part, from))
  }
  return places
}

const known = new WeakMap<Row, readonly (readonly string[])[]>()

/** Returns the words or pairs that name a row. Other words may come between two: "turn my-llm off". */
function hintsOf(row: Row): readonly (readonly string[])[] {
  const hints =
    known.get(row) ??
    [row.name, ...(row.also ?? []), ...(row.hints?.split(',') ?? [])]
      .filter((hint) => !hint.startsWith('never '))
      // 자동중지 is 자동 중지.
      .flatMap((hint) => (/^[가-힣].* /.test(hint) ? [hint, hint.replace(' ', '')] : [hint]))
      .map((hint) => hint.split(' '))
  known.set(row, hints)
  return hints
}

/** Words that say no more: greetings, thanks, emoji, "please", 부탁해요, the 해 줘 of "취소 해 줘". */
const courtesies = [
  /^(hi|hello|hey|please|pls|thanks?|thx|now|좀|해|해요)$/,
  /^(안녕|감사|고마|부탁|제발)/,
  /^(해|보여|알려|올려)?(줘|줄래|주세|주시|주십)/,
  /^:[\w+-]+:$/,
  /^\p{Extended_Pictographic}/u,
]

/** "Can you stop it?" and "꺼 줄래?" ask for a change, so they are no questions. */
const request = /^(can|could|would|will) (you|someone|somebody)\b|줄래|줄 수|주실/

/** Words that begin an English question. */
const asking =
  /^(who|what|which|when|where|why|how|an(y|ything)|tell|show|am|is|are|was|were|does|did|has|have|can|could|will|would|may|should)$/
const koreanQuestion =
  /(^| )(왜|뭐|뭘|뭔|누가|누구|언제|얼마|어떻게)|있어요?$|((?<![중정유까])지|[나까니냐죠]|[는은인한건]가)요?$/

/** A report, such as "my-llm isn't responding" or "my-llm is down", asks for no stop and for nothing against one. */
const reported =
  /^\S+ ((is|was|does|did|has|wo)(n't| not)\b|keeps \w+ing\b|(is|was) ((still|already) )?(down|off|up|on)$)/

const englishDenial = /(\b(never|not|nothing|nobody)|n't)\b(?! us| need(ed)?\b(?! to))/
// The 동안 of "2시간 동안 켜줘" is no 안.
const koreanDenial = /지 ?(마|말|않(?!으면))|면 ?안|말고|(?<!동)[안못] ?(꺼|끄|켜|멈)/

/** Returns a word as it is compared: in lower case, without marks, and with the apostrophe of "dont" and "whats". */
export function spoken(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replace('스케쥴', '스케줄')
    .replace(/[?!.,]+$/, '')
    .replace(/^(do|is|are|was|were|should)nt$/, "$1n't")
    .replace(/^(what|who|how|where|when)s$/, "$1's")
}

export function isPolite(word: string): boolean {
  const said = spoken(word)
  return courtesies.some((one) => one.test(said))
}

/** Whether words ask something. A question is only answered: it changes nothing. */
export function isQuestion(words: readonly string[]): boolean {
  // Later words do not tell what a sentence is.
  const said = words
    .slice(0, 12)
    .filter((word) => !isPolite(word))
    .map(spoken)
  const text = said.join(' ')
  if (request.test(text) || request.test(words.join(' '))) return false
  const [first = '', second] = said
  const isAsked = asking.test(first.replace(/(n't|'s)$/, '')) || (first === 'do' && second !== 'not')
  return isAsked || reported.test(text) || koreanQuestion.test(text) || words.some((word) => word.endsWith('?'))
}

const afterState =
  /^(|again|all|and|at|by|during|for|from|last|late|or|over|overnight|right|since|so|still|this|to(day|night)|until|when|while|yesterday)$/

/** Leaves out the "on" of "on my-llm" and "on monday", which starts nothing, unlike that of "left on overnight". */
export function withoutPrepositions(words: readonly string[]): readonly string[] {
  const isState = (at: number) =>
    /^(turn|switch|power|left$)/.test(words[at - 1] ?? '') || afterState.test(words[at + 1] ?? '')
  return words.filter((word, at) => word !== 'on' || isState(at))
}

/** Whether words deny something: "don't", 끄지 마, 끄면 안 돼. "Not used" and 쓰지 않으면 only say when. */
export function isDenial(words: readonly string[]): boolean {
  const text = words.map(spoken).join(' ')
  return englishDenial.test(text) || koreanDenial.test(text)
}

/** Words that do not identify a request: "undo my last change". */
const pointing =
  /^(it|this|that|them|my|the|all|everything|last|latest|what|i|just|did|change|stop|start|restart|one|requests?|이거|그거|거|방금|내|요청|변경)$/

/** Removes the words after a verb that do not identify a request. "승인 대기중인 거" identifies none. */
export function withoutPointing(words: readonly Word[], verb: Row): readonly Word[] {
  // A phrase in quotes is the name of a request.
  const isPointing = ({ value }: Word) =>
    pointing.test(spoken(value)) || (!/\s/.test(value) && rowsNamedIn([spoken(value)], [verb]).length > 0)
  const plain = words.filter(({ key }) => key === undefined)
  return plain.every(isPointing) ? words.filter(({ key }) => key !== undefined) : words
}
