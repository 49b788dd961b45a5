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

const englishDenial = /(\b(never|not|nothing|nobody)|n't)\b(?! us)/
// The 동안 of "2시간 동안 켜줘" is no 안.
const koreanDenial = /지 ?(마|말|않(?!으면))|면 ?안|말고|(?<!동)[안못] ?(꺼|끄|켜|멈)/

/** Returns a word as it is compared: in lower case and without marks. */
export function spoken(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replace('스케쥴', '스케줄')
    .replace(/[?!.,]+$/, '')
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
  return isAsked || koreanQuestion.test(text) || words.some((word) => word.endsWith('?'))
}

/** Whether words deny something: "don't", 끄지 마, 끄면 안 돼. "Not used" and 쓰지 않으면 only say when. */
export function isDenial(words: readonly string[]): boolean {
  const text = words.join(' ').toLowerCase().replaceAll('’', "'")
  return englishDenial.test(text) || koreanDenial.test(text)
}
