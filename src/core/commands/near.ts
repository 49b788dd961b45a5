import { say, type Words } from '../model/words.ts'
import { nearestVerbs } from '../text/fuzzy.ts'
import type { Operation, Row } from './define.ts'
import { saidFor, spoken, type Word } from './field-of-word.ts'

/** More words are no command that somebody mistyped. */
export const longest = 12
/** Nor are more characters, which would take their time to read. */
const longestSentence = 240

/** At most so many commands are offered in place of what cannot be read. */
export const mostOffered = 2

/** Said before and after a command without changing it. */
export const courtesy = new Set(['please', 'pls', 'thanks', 'now'])
/** What comes before the verb of a sentence. */
const opening = new Set([...courtesy, ...'hey can could would you i we want need to just let lets'.split(' ')])
/** Said between the words that matter; and one night or weekend, of which no schedule is. */
const filling = /(?:^| )(?:다시|다|좀|잠깐|잠시|\S+까지\S*|(?:오늘 ?밤|이번 ?주말)\S*|this weekend)(?= |$)/g
/** Words that begin a question, and name a command only where nothing else does. */
const vague = new Set("how what what's whats which is are any did was does will 얼마나 뭐 뭘 뭐가 어떤".split(' '))

/** What nobody can do from here. */
const beyond = /^(rename|delete|create|deploy)$/

const stateWords = { up: 'started', down: 'stopped' }

/** What names all there is. */
export const everything = /^(all|everything|모두|전부|다|모든|전체)$/i

/** What may be meant by words that make no line. */
export interface Meant {
  readonly row: Row
  /** The line that they make with what follows the verb. */
  readonly line?: string
}

/**
 * What may be meant by words of which the first is no verb, the likeliest first: what people say instead of the verb, or
 * its near misses; else whatever the other words name. What is to be done with the rest of a sentence is asked in a form,
 * never guessed. Null for what nobody can do from here.
 */
export function meantBy(
  typed: readonly Word[],
  rows: readonly Row[],
  lineOf: (row: Row, values: readonly Word[]) => string | undefined,
): readonly Meant[] | null {
  const [first] = typed
  if (first?.key !== undefined || typed.map(({ value }) => value).join(' ').length > longestSentence) return []
  const words = typed.slice(0, longest).map(({ key, value }) => (key === undefined ? spoken(value) : '='))
  if (beyond.test(words[0] ?? '')) return null
  const begin = Math.max(
    0,
    words.findIndex((word) => !opening.has(word)),
  )
  const said = words.slice(begin).join(' ').replaceAll(filling, '').trim().split(' ')
  const [verb = '', second = ''] = said
  const isAsked = vague.has(verb)
  const pair = isAsked ? [] : saidFor(rows, `${verb} ${second}`)
  const begun = pair.length > 0 || isAsked ? pair : saidFor(rows, verb)
  const meant = isAsked ? answersIn(said, rows) : changesIn(said, rows)
  // "turn my-llm off at night" is no stop now.
  const isRule = begun.every(isNow) && meant.some((row) => !isNow(row))
  const count = pair.length > 0 ? 2 : 1
  if (begun.length > 0 && !isRule)
    return begun.map((row) => (row.kind === 'query' ? withChoices(row) : withValues(row, count)))
  if (meant.length > 0) return meant.map(withChoices)
  return isAsked ? [] : nearestVerbs(verb, rows, mostOffered).map((row) => withValues(row, 1))

  /** "what is running?" is `list running`. */
  function withChoices(row: Row): Meant {
    if (row.kind !== 'query') return { row }
    const choices = Object.values(row.fields).flatMap(({ of = [], also = {}, key }) =>
      key === undefined ? [...of, ...Object.keys(also)] : [],
    )
    // Endings are glued to Korean words.
    const isSaid = (choice: string) => (word: string) =>
      word === choice || (/^[가-힣]/.test(choice) && word.startsWith(choice))
    // "why did it stop" asks what was stopped.
    const ends = words.flatMap((word) =>
      saidFor(rows, word).map((one) => (isNow(one) ? stateWords[one.wants === 'up' ? 'up' : 'down'] : '')),
    )
    const meant = [...words, ...ends]
    const chosen = choices.filter((choice) => meant.some(isSaid(choice))).map((value) => ({ value }))
    const line = chosen.length === 0 ? undefined : lineOf(row, chosen)
    return line === undefined ? { row } : { row, line }
  }

  function withValues(row: Row, length: number): Meant {
    const line = lineOf(row, bare(typed.slice(begin + length)))
    return line === undefined ? { row } : { row, line }
  }
}

/** What follows a verb: "for my-llm?" is `my-llm`. */
function bare(words: readonly Word[]): readonly Word[] {
  const isLast = (at: number) => at === words.length - 1
  return words
    .map((word, at) => (isLast(at) ? { ...word, value: word.value.replace(/[?!]+$/, '') } : word))
    .filter(({ key, value }, at) => at > 0 || key !== undefined || !/^(for|of|the)$/i.test(value))
}

/** Whether it starts or stops something now. */
function isNow(row: Row): row is Operation {
  return row.kind === 'operation' && row.wants !== undefined
}

/** Whoever asks something wants an answer, and no change. */
function answersIn(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const answers = (some: readonly string[]) => named(some, rows).filter((row) => row.kind === 'query' || row.deed)
  const strong = answers(words.filter((word) => !vague.has(word)))
  return strong.length > 0 ? strong : answers(words)
}

/** What words ask for: an answer, else a rule, else a start or a stop. */
function changesIn(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const meant = named(
    words.filter((word) => !vague.has(word)),
    rows,
  )
  const kinds = [({ kind }: Row) => kind === 'query', (row: Row) => !isNow(row), isNow]
  return kinds.map((isOf) => meant.filter(isOf)).find((some) => some.length > 0) ?? answersIn(words, rows)
}

/** What words stand for: of "nobody uses" what both do together, and not what "nobody" does alone. */
function named(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const pairs = words.map((word, at) => saidFor(rows, `${word} ${words[at + 1]}`))
  const alone = words.filter((_, at) => !pairs[at]?.length && !pairs[at - 1]?.length)
  return [...new Set([...pairs.flat(), ...alone.flatMap((word) => saidFor(rows, word))])]
}

/** Why a verb is none. */
export function unknownVerb(verb: string, why: 'line.unknownVerb' | 'line.beyond' = 'line.unknownVerb'): Words {
  return [say(why, { verb }), say('line.allVerbs')]
}

/** "Did you mean /endpoint stop my-llm?"; empty without lines. */
export function nearText(lines: readonly string[]): Words {
  if (lines.length === 0) return ''
  const of = lines.some((line) => line.includes(' ')) ? 'line' : 'name'
  return say('line.near', { of, near: { any: lines.map((line) => say('line.typed', { line })) } })
}
