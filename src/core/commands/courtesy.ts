import type { Row } from './define.ts'
import { courtesy, isSaid, longest, rowOf, saidFor, spoken, type Word } from './field-of-word.ts'

/** Words between a query's verb and its subject. */
const joining = new Set([...courtesy, 'of', 'for', 'about', 'me', 'my', 'the'])
/** Words that do not identify a request: "undo my last change". */
const pointing = /^(it|this|that|them|my|the|all|last|latest|change|one|requests?|이거|그거|방금|내|요청|변경)$/

/** Splits a line into its verb and the rest. A Korean verb can be two words: "보호 해제". */
export function beginningOf([first, ...rest]: readonly Word[], rows: readonly Row[]) {
  if (first === undefined || first.key !== undefined) return { first, verb: undefined, rest }
  const verb = rowOf(first.value.toLowerCase(), rows)
  const [second] = rest
  if (verb === undefined || second?.key !== undefined || !/^[가-힣]/.test(first.value)) return { first, verb, rest }
  const both = rowOf(`${first.value}${second?.value}`, rows)
  if (both !== undefined) return { first, verb: both, rest: rest.slice(1) }
  const said = saidFor(rows, `${first.value} ${spoken(second?.value ?? '')}`)
  if (said.length > 0 && !said.includes(verb)) return { first, verb: undefined, rest }
  const isAsking = ({ key, value }: Word) => key === undefined && /^(보여|알려|확인해|해) ?(줘|주세요|줄래)/.test(value)
  return { first, verb, rest: verb.kind === 'query' ? rest.filter((word) => !isAsking(word)) : rest }
}

/** Removes the words after a verb that do not identify a request. "승인 대기중인 거" identifies none. */
export function withoutPointing(words: readonly Word[], verb: Row): readonly Word[] {
  const [first] = words
  if (first?.key === undefined && /^[가-힣]/.test(first?.value ?? '') && isSaid(first?.value ?? '', [verb])) return []
  const named = words.filter(({ key, value }) => key !== undefined || !pointing.test(spoken(value)))
  return named.some(({ key }) => key === undefined) ? words : named
}

/** Removes polite words: "status of my-llm please" becomes `status my-llm`. */
export function withoutCourtesy(words: readonly Word[], rows: readonly Row[]): readonly Word[] {
  if (words.length > longest) return words
  const isOf = (some: ReadonlySet<string>, { key, value }: Word) => key === undefined && some.has(spoken(value))
  const [verb, ...rest] = words.slice(
    words.findIndex((word) => !isOf(courtesy, word)),
    words.findLastIndex((word) => !isOf(courtesy, word)) + 1,
  )
  if (verb === undefined) return words
  const row = rowOf(verb.value.toLowerCase(), rows)
  if (row?.kind === 'query') return [verb, ...rest.filter((word) => !isOf(joining, word))]
  const isPause = row?.kind === 'operation' && row.wants === undefined && 'until' in row.fields
  const isSaid = (one: RegExp, at: number) => rest[at]?.key === undefined && one.test(rest[at]?.value ?? '')
  // "resume automation for my-llm", "schedule for my-llm", "keep my-llm up until 18:00", "scale my-llm up to 3".
  const named = isSaid(/^automation$/i, 0) ? 1 : 0
  const isLong = row !== undefined && isSaid(/^(for|of)$/i, named) && isSaid(/^\D/, named + 1)
  const isExtra = (at: number) =>
    isPause && at === 1 ? isSaid(/^(up|on|running)$/i, at) : isSaid(/^(up|down)$/i, at) && isSaid(/^to$/i, at + 1)
  return [verb, ...rest.slice(isLong ? named + 1 : 0).filter((_, at) => isLong || !isExtra(at))]
}

/** Removes filler after a verb: "for my-llm?" becomes `my-llm`. */
export function withoutFiller(words: readonly Word[]): readonly Word[] {
  return words
    .map((word, at) => (at === words.length - 1 ? { ...word, value: word.value.replace(/[?!]+$/, '') } : word))
    .filter(
      ({ key, value }, at) =>
        key !== undefined || !(at > 0 ? /^(줘|주세요|줄래)$/ : /^(for|of|the|줘|주세요|줄래)$/i).test(value),
    )
}
