import { spoken, type Word } from './field-of-word.ts'

/** Words before or after a command that say no more: greetings, emoji, "please", "부탁해요", the 해 줘 of "취소 해 줘". */
const polite =
  /^(?:hi|hello|please|pls|thanks|thx|now|:[\w+-]+:|(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)+|[ㅋㅎㅠㅜ~]+|안녕.*|감사.*|고마.*|좀|해요?|부탁.*|(?:해|보여|알려|확인해|올려)?(?:줘요?|줄래요?|주[세시십실]\S*))$/u

export function isPolite({ key, value }: Word): boolean {
  return key === undefined && polite.test(spoken(value))
}

/** English beginnings of a question; Korean question words and endings, which can stand anywhere; "꺼도 될지 알려줘". */
const asking =
  /^(?:can|could|would|will|may|should|does|did|is|are|do(?! not| n[o’'])) |(?<!\S)(?:뭐|뭘|뭔|왜|누가|언제|맞[아지나죠니습]|아(?:니[지죠]|닌가)|있(?:어(?!야)|나|니|습|을까)|\S+(?:[건는던인한]가|[나까])요(?!\S))|(?:\?|[건는은던인한]가|[가-힣][나까니냐]|[하되있없맞될할는을은]지)$/i

export function isAsking(words: readonly Word[]): boolean {
  const end = words.findLastIndex((word) => !isPolite(word) || word.value.endsWith('?')) + 1
  return asking.test(
    words
      .slice(0, end)
      .map(({ key, value }) => (key === undefined ? value : ''))
      .join(' '),
  )
}

/** Whether a question is about a state: "my-llm off?", "꺼진 거 맞아", "꺼도 돼?", unlike "꺼 줄래?", which wants a change. */
export function asksForState(question: string): boolean {
  const wantsChange = /(?<!(?:알려|보여|확인해) ?)(?:줘|줄[래까]|주[세시])|[가-힣]래|수 ?있/
  return /[가-힣]$|^\S+ (?:on|off|up|down)$/.test(question) && !wantsChange.test(question)
}

const topic =
  /^what(?:'s| is) an? (.+)$|^how (?:to|(?:do|can) (?:i|we)) (\S+(?: off| on)?)|(?:^| )어떻게 (\S+)$|(\S+) (?:법|방법)\S*$|^what does (.+) mean$|^(\S+(?: \S+)?) (?:뭐[야예에죠지]|뭔|무엇)\S*$/

/** Returns what a question wants explained: "what is a freeze?", "how do I stop it?", "보호가 뭐야?" */
export function topicOf(question: string): string {
  return topic.exec(question)?.slice(1).find(Boolean) ?? ''
}

/** "Why won't it start?" asks why it is stopped. */
export const notSo = /\bwhy (?:.* )?(?:(?:do|did|is|was|wo)(?:es)?n't|not)(?= )|왜 .*안 |안 .*왜/

/** Negations, which mean that the command is not wanted. */
export const denying =
  /\b(?:never|don't|sure .*n't|not(?! used)|nothing|nobody(?! uses))\b|지 ?(?:마|말|않(?:게|도록|았으면))|[가-힣]면 ?안 |안 [가-힣]+[게도] /

/** Filler words, a yes or no that isn't the first word, and one-time phrases such as "this weekend", which no schedule covers. */
const filling =
  /(?: (?:ok|okay|아[니닌]\S*)|(?:^| )(?:다시|다|좀|잠깐|잠시|\S+까지\S*|(?:오늘 ?밤|이번 ?주말)\S*|this weekend|for the night))(?= |$)/g
/** "make sure it isn't stopped" is about a stop, unlike "was it stopped?". */
const madeSure = /(?<=\bsure .*)\b(start|stop)(?:p?ed)\b/g

/** "all automation" is one thing, "rerank's schedule" a schedule, and to turn off alerts is no stop. */
const whole =
  /\b(?:all|all the|the) (?=automations?\b)|(?:모든|모두|전체|전부) (?=자동화)|(?<=자동화) (?:모두|전체|전부)(?= )|(?:\S+'s|(?<=^(?:remove|delete) (?:the )?)\S+) (?=schedule)|(?:turn off|disable|mute) (?:the )?(?:alert|notification)s?|알림\S* (?:꺼|끄|해제|멈)\S*/g

/** Removes filler words from a sentence, and the denial from a question: "isn't it off?" */
export function bareOf(sentence: string): string {
  return sentence
    .replaceAll(/(?<=^| )안(?=[꺼끄켜멈되된될됩됨돼])/g, '안 ')
    .replaceAll(whole, '')
    .replaceAll(filling, '')
    .replace(madeSure, '$1')
    .replace(/^(is|are|was|were|did|does|has)n't /, '$1 ')
    .trim()
}

/** Returns the Korean ways to ask for the end of something: "보호 풀어줘", "일정을 취소해줘". */
export function endingsOf(thing: string): string {
  const ways = ['삭제', '지워', '지우', '없애', '제거', '해제', '취소', '풀']
  return [thing, `${thing}을`, `${thing}를`].flatMap((one) => ways.map((way) => `${one} ${way}`)).join()
}
