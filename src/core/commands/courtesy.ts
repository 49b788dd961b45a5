import type { FieldValues } from '../model/request.ts'
import { partOfDay } from '../time/parse-when.ts'
import type { Row } from './define.ts'
import { longest, rowOf, type Word, withIn, withReplicas, wordsFor } from './field-of-word.ts'
import type { Field } from './fields.ts'
import { isDenial, isPolite, isQuestion, plainWords, rowsNamedIn, spoken } from './sentence.ts'
import { withDay } from './time-fields.ts'

/** Words that a line does not need: "status of my-llm", "logs for my-llm"; but "start the server for 4h" needs its "for". */
const joining = [/^(of|for|about|me|my|the|an?)$/i, /^(of|about|me|my|the|an?)$/i]
/** "Stop the rerank endpoint". It may be a name: "stop the server". "Freeze the server" must not freeze everything. */
const naming = /^(endpoint|server|엔드포인트|서버)$/i
/** The end of "please and thank you". */
const closing = /^(and|you|so|much|very)$/i
/** "Scale my-llm to 3 replicas". */
const counting = /^replicas?$/i
const [direction, upward] = [/^(up|down|on|running)$/i, /^(up|on|running)$/i]
export function isCourtesy({ key, value }: Word): boolean {
  return key === undefined && isPolite(value)
}

/** The field of a row that takes a whole line. */
export function lineFieldOf(row: Row): string | undefined {
  return Object.entries(row.fields).find(([, { kind }]) => kind === 'line')?.[0]
}

/** Splits a line into its verb and the rest. A Korean verb can be two words: "보호 해제". */
export function beginningOf(words: readonly Word[], rows: readonly Row[]) {
  const [first, second, ...more] = words
  const rest = words.slice(1)
  if (first === undefined || first.key !== undefined) return { first, verb: undefined, rest }
  const word = first.value.toLowerCase().replace(/^스케쥴/, '스케줄')
  if (!/^[가-힣]/.test(word)) return { first, verb: rowOf(word, rows), rest }
  const pair = second?.key === undefined ? rowOf(`${word}${second?.value}`, rows) : undefined
  const begun = pair === undefined ? { verb: rowOf(word, rows), rest } : { verb: pair, rest: more }
  // A Korean name of a command is a noun, which also begins sentences: "보호 풀어줘", "승인 누가 해?", "중지 하지 마".
  const said = plainWords(words)
  const named = rowsNamedIn(said.slice(0, 2).map(spoken), rows)
  const [fields, next] = [begun.verb?.fields ?? {}, second?.value ?? '']
  // After 설명, another command is what to explain: "설명 중지 my-llm". After 도움말, it's the topic: "도움말 기록".
  const isTopic = 'about' in fields && rowOf(next, rows) !== undefined && more.every(isCourtesy)
  const takesLine = begun.verb !== undefined && lineFieldOf(begun.verb) !== undefined
  // "목록 유휴" lists what is idle.
  const isChoice = Object.values(fields).some(({ kind, read }) => kind === 'choice' && 'value' in read(next))
  const isOther = !(pair || isTopic || takesLine || isChoice) && named.some((row) => row !== begun.verb)
  const isSentence = isOther || isDenial(said) || isQuestion(said)
  return isSentence ? { first, verb: undefined, rest } : { first, ...begun }
}

/** Returns shorter forms of a line that cannot be read: each leaves out more words that it does not need. */
export function shorterForms(given: readonly Word[], rows: readonly Row[]): readonly (readonly Word[])[] {
  const words = withReplicas(withLeads(given))
  if (words.length > longest) return []
  const begin = words.findIndex((word) => !isCourtesy(word))
  const isClosing = (word: Word) => isCourtesy(word) || (word.key === undefined && closing.test(word.value))
  const bare = words.slice(begin, words.findLastIndex((word) => !isClosing(word)) + 1)
  const row = rowOf(bare[0]?.value.toLowerCase() ?? '', rows)
  // "Approve the stop" names no request.
  if (row === undefined || row.deed !== undefined) return [bare]
  const without = (some: readonly Word[], one: RegExp) =>
    some.filter((word, at) => at === 0 || word.key !== undefined || !one.test(word.value))
  const isScale = Object.values(row.fields).some(({ kind, lead }) => kind === 'number' && lead !== undefined)
  // "Stop automation for my-llm" is no stop of my-llm. "Logs from my-llm" needs no "from", but "scale my-llm from 3" does.
  const needless = isScale ? /^automation$/i : /^(automation|from)$/i
  const some = row.wants === undefined ? without(bare, needless) : bare
  // "Keep my-llm down" asks for the opposite of what `keep` does.
  const goesDown = isScale || row.wants === 'down'
  const counted = joining.map((words) => (isScale ? without(without(some, words), counting) : without(some, words)))
  const directed = counted.map((form) => without(form, goesDown ? direction : upward))
  // Last, because it may be the endpoint's name.
  const unnamed = row.kind === 'query' || 'endpoint' in row.fields ? directed.map((form) => without(form, naming)) : []
  return [bare, ...counted, ...directed, ...unnamed].filter(({ length }, at, all) => length !== all[at - 1]?.length)
}

/** Puts Korean leads first: "7시까지" becomes "until 7시", "7시에" "at 7시", "5개로" "to 5", unlike "다음 주 금요일까지". */
export function withLeads(spelt: readonly Word[]): readonly Word[] {
  const words = withDay(withTo(withIn(inDigits(withoutMarks(spelt)))))
  const isEnd = ({ key, value }: Word) => key === undefined && /.까지만?$|(\d(시반?|분|:\d\d)|자정|정오)에$/.test(value)
  const end = words.slice(0, longest).findIndex(isEnd)
  const isTime = ({ value }: Word) => /^(오늘|내일|.요일|오전|오후|아침|새벽|낮|저녁|밤|\d+시)$/.test(value)
  if (end === -1) return words
  const begin = words.findLastIndex((word, at) => at < end && !isTime(word)) + 1
  if (/^(다음|담|이번|주|다음주|담주)$|(모레|글피|부터|\d월|\d일)$/.test(words[begin - 1]?.value ?? '')) return words
  const time = words.slice(begin, end + 1).map(({ value }) => value.replace(/까지만?$|에$/, ''))
  const lead = words[end]?.value.endsWith('에') ? 'at' : 'until'
  // In one word, because half of “내일 3시” would be another time.
  return [...words.slice(0, begin), { value: lead }, { value: time.join(' ') }, ...words.slice(end + 1)]
}

/** "At 7pm tomorrow." becomes "at 7pm tomorrow". A reason keeps its marks, and a question its own. */
function withoutMarks(words: readonly Word[]): readonly Word[] {
  const reason = words.slice(0, longest).findIndex(({ value }) => /^because$/i.test(value))
  const few = words.slice(0, reason === -1 ? longest : reason)
  const bare = few.map((word) =>
    word.key === undefined ? { value: word.value.replace(/(?<=^\S+)[!.,]+$/, '') } : word,
  )
  return [...bare, ...words.slice(few.length)]
}

const numerals = '한,두,세,네,다섯,여섯,일곱,여덟,아홉,열'.split(',')
const counted = new RegExp(`^(${numerals.join('|')})(?=시간|시에|시까지|개)`)

/** Korean counts in words: "두 시간만" and "두시간만" become "2시간만". */
function inDigits(words: readonly Word[]): readonly Word[] {
  const few = words.slice(0, longest).map(({ key, value }) => (key === undefined ? value : ''))
  const at = few.findIndex((word, at) => counted.test(numerals.includes(word) ? `${word}${few[at + 1]}` : word))
  const isApart = numerals.includes(few[at] ?? '')
  const value = `${few[at]}${isApart ? few[at + 1] : ''}`
  const digits = value.replace(counted, (_, count) => String(numerals.indexOf(count) + 1))
  return at === -1 ? words : words.toSpliced(at, isApart ? 2 : 1, { value: digits })
}

function withTo(words: readonly Word[]): readonly Word[] {
  const at = words
    .slice(0, longest)
    .findIndex(({ key, value }) => key === undefined && /^\d+(개|대|으)?로$/.test(value))
  return at === -1
    ? words
    : words.toSpliced(at, 1, { value: 'to' }, { value: `${Number.parseInt(words[at]?.value ?? '', 10)}` })
}

/** A length of time. "5일" alone may be a date. */
const length = /^\d{1,4}(시간|분|(시간|분|일|주)(동안|간|만))$/
/** Words after a time that make it no length: "2시간 뒤에", "30분마다". */
const afterwards = /^(뒤|후|전|마다|있다|이따|지나|안에|이내|이상|넘|간격)/

/** Puts a lead before a Korean length of time: "2시간 켜줘" becomes "for 2시간 켜줘", "2시간 반만" "for 2시간 30분". */
export function withFor(given: readonly Word[]): readonly Word[] {
  const apart = ({ key, value }: Word) => (key === undefined ? value.split(/(?<=^\d{1,4}시간)(?=반)/) : [])
  const words = given.flatMap((word) => (apart(word).length > 1 ? apart(word).map((value) => ({ value })) : [word]))
  const isLength = (word: Word | undefined) => word?.key === undefined && length.test(word?.value ?? '')
  const begin = words.slice(0, longest).findIndex(isLength)
  if (begin === -1 || /^(매|최근|지난|for|at)$|시$/i.test(words[begin - 1]?.value ?? '')) return words
  const isHalf =
    words[begin]?.value.endsWith('시간') === true && /^반(동안|간|만)?$/.test(words[begin + 1]?.value ?? '')
  const end = isHalf || isLength(words[begin + 1]) ? begin + 2 : begin + 1
  const next = words[end]?.value ?? ''
  if (afterwards.test(next)) return words
  const bare = words
    .slice(begin, end)
    .map(({ value }) => value.replace(/(동안|(?<!시)간|만)$/, '').replace(/^반$/, '30분'))
  return [...words.slice(0, begin), { value: 'for' }, { value: bare.join(' ') }, ...words.slice(end)]
}

/** Adds the "for" that "start my-llm 2h" lacks, the "at" of "stop my-llm 7pm", or the "until" of "away mon". */
export function withLead(row: Row, words: readonly Word[], at: number, taken: FieldValues) {
  const isOnOne = 'endpoint' in row.fields
  const isFree = ([name, { kind, led, lead, moment }]: [string, Field]) =>
    kind === 'when' && led === true && (moment === undefined || lead === 'at' || !isOnOne) && taken[name] === undefined
  const field = Object.entries(row.fields).find(isFree)?.[1]
  const rest = words.slice(at)
  if (field?.lead === undefined || rest[0]?.key !== undefined) return undefined
  const given = rest.slice(0, wordsFor(field, rest.slice(0, longest), row)).map(({ value }) => value)
  // "Tonight" is no time to stop at. With its lead, it is answered with what to write.
  const isTime = 'value' in field.read(given.join(' ')) || (field.moment === true && partOfDay(given) !== null)
  return isTime ? [...words.slice(0, at), { value: field.lead }, ...rest] : undefined
}
