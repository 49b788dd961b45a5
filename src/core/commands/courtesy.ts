import type { Row } from './define.ts'
import { isSaid, longest, rowOf, saidFor, spoken, type Word } from './field-of-word.ts'
import { denying, isAsking, isPolite } from './tone.ts'

/** Words between a query's verb and its subject. */
const isJoining = ({ key, value }: Word) => key === undefined && /^(of|for|about|me|my|the)$/i.test(value)
/** Words that do not identify a request: "undo my last change". */
const pointing =
  /^(it|this|that|them|my|the|all|last|latest|what|i|just|did|change|stop|start|restart|one|requests?|이거|그거|방금|내|요청|변경)$/

/** Splits a line into its verb and the rest. A Korean verb can be two words: "보호 해제". A question has none. */
export function beginningOf([given, ...rest]: readonly Word[], rows: readonly Row[]) {
  const first = given && { ...given, value: given.value.replace(/^스케쥴/, '스케줄') }
  if (first === undefined || first.key !== undefined) return { first, verb: undefined, rest }
  const verb = rowOf(first.value.toLowerCase(), rows)
  const [second] = rest
  if (verb === undefined || second?.key !== undefined || !/^[가-힣]/.test(first.value)) return { first, verb, rest }
  const word = `${first.value}${second?.value}`
  const both = rowOf(word, rows)
  const begun = both === undefined ? { verb, rest } : { verb: both, rest: rest.slice(1) }
  const said = saidFor(rows, `${both === undefined ? first.value : word} ${spoken(begun.rest[0]?.value ?? '')}`)
  const isSame = said.includes(begun.verb)
  const isDenied = begun.rest.some(({ value }, at) => at < 2 && denying.test(`${value} ${begun.rest[at + 1]?.value}`))
  const isOther = (said.length > 0 && !isSame) || isDenied || isAsking(begun.rest)
  return isOther ? { first, verb: undefined, rest } : { first, ...begun, rest: begun.rest.slice(isSame ? 1 : 0) }
}

/** Removes the words after a verb that do not identify a request. "승인 대기중인 거" identifies none. */
export function withoutPointing(words: readonly Word[], verb: Row): readonly Word[] {
  const [first] = words
  if (first?.key === undefined && /^[가-힣]/.test(first?.value ?? '') && isSaid(first?.value ?? '', [verb])) return []
  const named = words.filter(({ key, value }) => key !== undefined || !pointing.test(spoken(value)))
  return named.some(({ key }) => key === undefined) ? words : named
}

/** Removes polite words: "status of my-llm please" becomes `status my-llm`. */
export function withoutCourtesy(given: readonly Word[], rows: readonly Row[]): readonly Word[] {
  const words = withUntil(given)
  if (words.length > longest) return given
  const [verb, ...rest] = words.slice(
    words.findIndex((word) => !isPolite(word)),
    words.findLastIndex((word) => !isPolite(word)) + 1,
  )
  if (verb === undefined) return given
  const row = rowOf(verb.value.toLowerCase(), rows)
  if (row?.kind === 'query') return [verb, ...rest.filter((word) => !isPolite(word) && !isJoining(word))]
  const isPause = row?.kind === 'operation' && row.wants === undefined && 'until' in row.fields
  const isSaid = (one: RegExp, at: number) => rest[at]?.key === undefined && one.test(rest[at]?.value ?? '')
  // "resume automation for my-llm", "schedule for my-llm", "keep my-llm up until 18:00", "scale my-llm up to 3".
  const named = isSaid(/^automation$/i, 0) ? 1 : 0
  const isLong = row !== undefined && isSaid(/^(for|of|the)$/i, named) && isSaid(/^\D/, named + 1)
  const isExtra = (at: number) =>
    isPause && at === 1 ? isSaid(/^(up|on|running)$/i, at) : isSaid(/^(up|down)$/i, at) && isSaid(/^to$/i, at + 1)
  return [verb, ...rest.slice(isLong ? named + 1 : 0).filter((_, at) => isLong || !isExtra(at))]
}

/** Puts the Korean end of a time first: "오후 7시까지" becomes "until 오후 7시", unlike "다음 주 금요일까지". */
export function withUntil(words: readonly Word[]): readonly Word[] {
  const end = words.slice(0, longest).findIndex(({ key, value }) => key === undefined && /.까지$/.test(value))
  const isTime = ({ value }: Word) => /^(오늘|내일|.요일|오전|오후|\d+시)$/.test(value)
  const begin = words.findLastIndex((word, at) => at < end && !isTime(word)) + 1
  if (end === -1 || /^(다음|담|이번|주)$/.test(words[begin - 1]?.value ?? '')) return words
  const time = words.slice(begin, end + 1).map(({ value }) => ({ value: value.replace(/까지$/, '') }))
  return [...words.slice(0, begin), { value: 'until' }, ...time, ...words.slice(end + 1)]
}

/** Removes filler after a verb: "for my-llm?" becomes `my-llm`. */
export function withoutFiller(words: readonly Word[]): readonly Word[] {
  return words
    .map((word, at) => (at === words.length - 1 ? { ...word, value: word.value.replace(/[?!]+$/, '') } : word))
    .filter((word, at) => !isPolite(word) && (at > 0 || !isJoining(word)))
}
