import type { FieldValues } from '../model/request.ts'
import { nearestVerbs } from '../text/fuzzy.ts'
import type { Operation, Row } from './define.ts'
import { courtesy, longest, pairAt, pairsIn, saidFor, spoken, unglued, type Word } from './field-of-word.ts'
import type { Field } from './fields.ts'

/** More characters would take their time to read. */
const longestSentence = 240

/** At most so many commands are offered in place of what cannot be read. */
export const mostOffered = 2

/** What comes before the verb of a sentence. */
const opening = new Set([...courtesy, ...'hey can could would you i we me want need to just let lets'.split(' ')])
/** Said between the words that matter; and one night or weekend, of which no schedule is. */
const filling = /(?:^| )(?:다시|다|좀|잠깐|잠시|\S+까지\S*|(?:오늘 ?밤|이번 ?주말)\S*|this weekend)(?= |$)/g
/** Words that begin a question, and name a command only where nothing else does. */
const vague = new Set(
  "how what what's whats which who is are any did was does will show tell 얼마나 뭐 뭘 뭐가 어떤".split(' '),
)

/** Those of Korean stand anywhere in a question. */
const asking = /^(?:뭐|뭘|왜|누가)/

/** What nobody can do from here. */
const beyond = /^(rename|delete|create|deploy)$/

/** Said by whoever wants no such thing. */
const denying =
  /\b(?:never|don't|not(?! used)|nothing|nobody(?! uses))\b|[가-힣]지 ?(?:마|말)|[가-힣]면 ?안 |안 [가-힣]+[게도] /

/** What names all there is. */
export const everything = /^(all|everything|모두|전부|다|모든|전체)$/i

/** What may be meant by words that make no line. */
export interface Meant {
  readonly row: Row
  /** What they say of it, which may not be enough for a line. */
  readonly values: FieldValues
}

/**
 * What may be meant by words of which the first is no verb, the likeliest first: what people say instead of the verb, or
 * its near misses; else whatever the other words name. What is to be done with the rest of a sentence is asked in a form,
 * never guessed. Null for what nobody can do from here.
 */
export function meantBy(
  given: readonly Word[],
  rows: readonly Row[],
  read: (row: Row, values: readonly Word[]) => FieldValues | undefined,
): readonly Meant[] | null {
  const typed = given.flatMap((word) => unglued(word, rows))
  const [first] = typed
  if (first?.key !== undefined || typed.map(({ value }) => value).join(' ').length > longestSentence) return []
  const words = typed.slice(0, longest).map(({ key, value }) => (key === undefined ? spoken(value) : '='))
  if (beyond.test(words[0] ?? '') && named(words.slice(1), rows).length === 0) return null
  const begin = words.findIndex((word) => !opening.has(word))
  if (begin === -1) return []
  const text = words.slice(begin).join(' ').replaceAll(filling, '').trim()
  const said = text.split(' ')
  const [verb = '', second = ''] = said
  const answers = answersIn(said, rows)
  const isQuestion = typed.at(-1)?.value.endsWith('?') === true || said.some((word) => asking.test(word))
  const isAsked = vague.has(verb) || (isQuestion && answers.length > 0)
  if (isAsked) return answers.map(withChoices)
  const meant = changesIn(said, rows)
  if (denying.test(`${text} `) && meant.every(({ kind }) => kind === 'operation')) {
    const isStop = named(said, rows).some((row) => isNow(row) && row.wants === 'down')
    return isStop ? saidFor(rows, 'never').map((row) => ({ row, values: {} })) : []
  }
  const pair = saidFor(rows, `${verb} ${second}`)
  const begun = pair.length > 0 ? pair : saidFor(rows, verb)
  // "turn my-llm off at night" is no stop now.
  const isRule = begun.every(isNow) && meant.some((row) => !isNow(row))
  if (begun.length > 0 && !isRule) {
    const end = words.indexOf(pair.length > 0 ? second : verb, begin) + 1
    return begun.map((row) => (row.kind === 'query' ? withChoices(row) : withValues(row, end)))
  }
  if (meant.length > 0) return meant.map((row) => (row.kind === 'query' ? withChoices(row) : withDirection(row)))
  return nearestVerbs(verb, rows, mostOffered).map((row) => withValues(row, begin + 1))

  /** "what is running?" is `list running`, and "why did it stop?" asks what was stopped. */
  function withChoices(row: Row): Meant {
    const choices = Object.values(row.fields).flatMap(({ of = [], also = {}, key }) =>
      key === undefined ? [...of, ...Object.keys(also)] : [],
    )
    const meant = [
      ...words,
      ...words.map(pairAt),
      ...wantsOf(words, rows).map((want) => (want === 'up' ? 'started' : 'stopped')),
    ]
    // Endings are glued to Korean words.
    const isSaid = (choice: string) => (word: string) =>
      word === choice || (/^[가-힣]/.test(choice) && word.startsWith(choice))
    const chosen = choices.filter((choice) => meant.some(isSaid(choice))).map((value) => ({ value }))
    return { row, values: (chosen.length > 0 && read(row, chosen)) || {} }
  }

  function withValues(row: Row, end: number): Meant {
    return { row, values: read(row, bare(typed.slice(end))) ?? withDirection(row).values }
  }

  /** "off at night" is about when it is stopped. */
  function withDirection(row: Row): Meant {
    const isDirection = ({ of, optional }: Field) => of?.join() === 'up,down' && optional !== true
    const [field] = Object.entries(row.fields).find(([, one]) => isDirection(one)) ?? []
    // The "on" of "off on weekends" wants nothing.
    const wants = wantsOf(
      words.filter((word) => word !== 'on'),
      rows,
    )
    const [want, ...others] = new Set(wants.length > 0 ? wants : wantsOf(words, rows))
    return { row, values: field === undefined || want === undefined || others.length > 0 ? {} : { [field]: want } }
  }
}

/** "stop my-llm at night": a rule, where a start or a stop has no place for what is said. */
export function rulesIn(verb: Row, words: readonly Word[], rows: readonly Row[]): readonly Meant[] {
  const near = isNow(verb) ? (meantBy(words, rows, () => undefined) ?? []) : []
  return near.filter(({ row }) => row.kind === 'operation' && !isNow(row))
}

/** Whether a person who types it means something else. */
export function isInverted({ row, values }: Meant): boolean {
  return row.kind === 'operation' && (row.meant?.(values) ?? []).length > 0
}

/** What follows a verb: "for my-llm?" is `my-llm`. */
function bare(words: readonly Word[]): readonly Word[] {
  return words
    .map((word, at) => (at === words.length - 1 ? { ...word, value: word.value.replace(/[?!]+$/, '') } : word))
    .filter(
      ({ key, value }, at) =>
        key !== undefined || !(at > 0 ? /^(줘|주세요|줄래)$/ : /^(for|of|the|줘|주세요|줄래)$/i).test(value),
    )
}

/** Whether it starts or stops something now. */
function isNow(row: Row): row is Operation {
  return row.kind === 'operation' && row.wants !== undefined
}

function wantsOf(words: readonly string[], rows: readonly Row[]): readonly ('up' | 'down')[] {
  return words.flatMap((word) => saidFor(rows, word).flatMap((row) => (isNow(row) ? (row.wants ?? []) : [])))
}

/** Whoever asks something wants an answer, and no change. */
function answersIn(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const isAnswer = (row: Row) => row.kind === 'query' || row.deed !== undefined
  // "who can approve" is a question of its own.
  const asked = [pairsIn(words, rows).flat(), named(words, rows), words.flatMap((word) => saidFor(rows, word))]
  return asked.map((some) => some.filter(isAnswer)).find((some) => some.length > 0) ?? []
}

/** What words ask for: a rule, else an answer, else a start or a stop. */
function changesIn(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const meant = named(words, rows)
  const kinds = [(row: Row) => row.kind === 'operation' && !isNow(row), ({ kind }: Row) => kind === 'query', isNow]
  return kinds.map((isOf) => meant.filter(isOf)).find((some) => some.length > 0) ?? answersIn(words, rows)
}

/** What words stand for: of "nobody uses" what both do together, and not what "nobody" does alone. */
function named(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const pairs = pairsIn(words, rows)
  const alone = words.filter((word, at) => !vague.has(word) && !pairs[at]?.length && !pairs[at - 1]?.length)
  return [...new Set([...pairs.flat(), ...alone.flatMap((word) => saidFor(rows, word))])]
}
