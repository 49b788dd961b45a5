import type { Row } from './define.ts'
import type { Word } from './field-of-word.ts'

/** One or two words that name a row. Between two words may stand others: "turn my-llm off". */
interface Hint {
  readonly row: Row
  readonly parts: readonly string[]
}

/** Returns the words that may belong to a sentence: a value with a key and a quoted text say nothing about it. */
export function plainWords(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ key, value }) => (key === undefined && !value.includes(' ') ? [value] : []))
}

/** Returns the rows that words name, longest hint first. The "stop" of "auto stop" does not also name `stop`. */
export function rowsNamedIn(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const text = words.join(' ')
  const likely = rows.flatMap(hintsOf).filter(({ parts: [first = ''] }) => text.includes(first))
  const found = likely.flatMap(({ row, parts }) => {
    const places = placesOf(parts, words)
    return places.includes(-1) ? [] : [{ row, places, length: parts.join('').length }]
  })
  const isPart = (one: (typeof found)[number]) =>
    found.some((other) => other.length > one.length && other.places.some((place) => one.places.includes(place)))
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

/** Returns where the parts of a hint stand among words; -1: nowhere. Of a Korean word its beginning is enough. */
function placesOf(parts: readonly string[], words: readonly string[]): readonly number[] {
  const places: number[] = []
  for (const part of parts) {
    const from = (places.at(-1) ?? -1) + 1
    const isKorean = /^[가-힣]/.test(part)
    const isHere = (word: string, at: number) => at >= from && word.startsWith(part)
    places.push(isKorean ? words.findIndex(isHere) : words.indexOf(part, from))
  }
  return places
}

const known = new WeakMap<Row, readonly Hint[]>()

function hintsOf(row: Row): readonly Hint[] {
  const hints =
    known.get(row) ??
    [row.name, ...(row.also ?? []), ...(row.hints?.split(',') ?? [])]
      .filter((hint) => !hint.startsWith('never '))
      // 자동중지 is 자동 중지.
      .flatMap((hint) => (/^[가-힣].* /.test(hint) ? [hint, hint.replace(' ', '')] : [hint]))
      .map((hint) => ({ row, parts: hint.split(' ') }))
  known.set(row, hints)
  return hints
}
