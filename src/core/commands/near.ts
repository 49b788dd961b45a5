import type { FieldValues } from '../model/request.ts'
import { nearestVerbs } from '../text/fuzzy.ts'
import { withoutFiller } from './courtesy.ts'
import type { Operation, Row } from './define.ts'
import { courtesy, longest, notSo, pairAt, pairsIn, saidFor, spoken, unglued, type Word } from './field-of-word.ts'
import type { Field } from './fields.ts'

/** Longer sentences would take too long to parse. */
const longestSentence = 240

/** The most commands to offer for a line that cannot be parsed. */
export const mostOffered = 2

/** Words before the verb of a sentence. */
const opening = new Set([...courtesy, ...'hey can could would you i we me want need to just let lets'.split(' ')])
/** Filler words, and one-time phrases such as "this weekend", which no schedule covers. */
const filling = /(?:^| )(?:다시|다|좀|잠깐|잠시|\S+까지\S*|(?:오늘 ?밤|이번 ?주말)\S*|this weekend)(?= |$)/g
/** Words that begin a question. They name a command only if no other word does. */
const vague = new Set(
  "how what what's whats which who is are any did was does will show tell 얼마나 뭐 뭘 뭐가 어떤".split(' '),
)

/** Korean question words, which can stand anywhere in a question. */
const asking = /^(?:뭐|뭘|왜|누가)/

/** "make sure it isn't stopped" is about a stop, unlike "was it stopped?". */
const madeSure = /(?<=\bsure .*)\b(start|stop)(?:p?ed)\b/g

/** Actions that this product does not offer. */
const beyond = /^(rename|delete|create|deploy)$/

/** Negations, which mean that the command is not wanted. */
const denying =
  /\b(?:never|don't|sure .*n't|not(?! used)|nothing|nobody(?! uses))\b|지 ?(?:마|말|않(?:게|도록|았으면))|[가-힣]면 ?안 |안 [가-힣]+[게도] /

/** Words for all endpoints. */
export const everything = /^(all|everything|anything|아무것도|모두|전부|다|모든|전체)$/i

/** A possible meaning of words that are not a line. */
export interface Meant {
  readonly row: Row
  /** The values found in the words, which may be too few for a line. */
  readonly values: FieldValues
}

/**
 * Returns what a line without a verb may mean, likeliest first: commands that people call by these words, near misses
 * of a verb, or commands that the other words name. The command's form asks for the rest of a sentence, so nothing is
 * guessed. Null for actions that this product does not offer.
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
  const begin = words.findIndex((word, at) => !opening.has(word) && `${words[at - 1]} ${word}` !== 'we are')
  if (begin === -1) return []
  const text = words.slice(begin).join(' ').replaceAll(filling, '').replace(madeSure, '$1').trim()
  const said = text.split(' ')
  const [verb = '', second = ''] = said
  const answers = answersIn(said, rows)
  const isQuestion = typed.at(-1)?.value.endsWith('?') === true || said.some((word) => asking.test(word))
  const isAsked = vague.has(verb) || (isQuestion && answers.length > 0)
  const whyNot = notSo.test(text) ? saidFor(rows, 'why').map(withChoices) : []
  const off = whyNot.filter(({ values }) => Object.values(values).includes('started'))
  if (off.length > 0) return off.map(({ row }) => ({ row, values: read(row, [{ value: 'stopped' }]) ?? {} }))
  if (isAsked) return answers.map(withChoices)
  const meant = changesIn(said, rows)
  if (denying.test(`${text} `) && meant.every(({ kind }) => kind === 'operation')) {
    const isStop = named(said, rows).some((row) => isNow(row) && row.wants === 'down')
    const never = said.some((word) => everything.test(word)) ? 'never all' : 'never'
    return isStop ? saidFor(rows, never).map((row) => ({ row, values: {} })) : []
  }
  const pair = saidFor(rows, `${verb} ${second}`)
  const begun = pair.length > 0 ? pair : saidFor(rows, verb)
  // "turn my-llm off at night" does not mean a stop now.
  const isRule = begun.every(isNow) && meant.some((row) => !isNow(row))
  if (begun.length > 0 && !isRule) {
    const end = words.indexOf(pair.length > 0 ? second : verb, begin) + 1
    return begun.map((row) => (row.kind === 'query' ? withChoices(row) : withValues(row, end)))
  }
  if (meant.length > 0) return meant.map((row) => (row.kind === 'query' ? withChoices(row) : withDirection(row)))
  return nearestVerbs(verb, rows, mostOffered).map((row) => withValues(row, begin + 1))

  /** "what is running?" means `list running`, and "why did it stop?" asks about stops. */
  function withChoices(row: Row): Meant {
    const choices = Object.values(row.fields).flatMap(({ of = [], also = {}, key }) =>
      key === undefined ? [...of, ...Object.keys(also)] : [],
    )
    const meant = [
      ...words,
      ...words.map(pairAt),
      ...wantsOf(words, rows).map((want) => (want === 'up' ? 'started' : 'stopped')),
    ]
    // Korean words have endings, so a prefix is enough.
    const isSaid = (choice: string) => (word: string) =>
      word === choice || (/^[가-힣]/.test(choice) && word.startsWith(choice))
    const chosen = choices.filter((choice) => meant.some(isSaid(choice))).map((value) => ({ value }))
    return { row, values: (chosen.length > 0 && read(row, chosen)) || {} }
  }

  function withValues(row: Row, end: number): Meant {
    return { row, values: read(row, withoutFiller(typed.slice(end))) ?? withDirection(row).values }
  }

  /** "off at night" chooses the direction down. */
  function withDirection(row: Row): Meant {
    const isDirection = ({ of, optional }: Field) => of?.join() === 'up,down' && optional !== true
    const [field] = Object.entries(row.fields).find(([, one]) => isDirection(one)) ?? []
    // The "on" of "off on weekends" is not a direction.
    const wants = wantsOf(
      words.filter((word) => word !== 'on'),
      rows,
    )
    const [want, ...others] = new Set(wants.length > 0 ? wants : wantsOf(words, rows))
    return { row, values: field === undefined || want === undefined || others.length > 0 ? {} : { [field]: want } }
  }
}

/** "stop my-llm at night" means a rule, because a start or stop has no field for these words. */
export function rulesIn(verb: Row, words: readonly Word[], rows: readonly Row[]): readonly Meant[] {
  const near = isNow(verb) ? (meantBy(words, rows, () => undefined) ?? []) : []
  return near.filter(({ row }) => row.kind === 'operation' && !isNow(row))
}

/** Whether a person who types this means something else. */
export function isInverted({ row, values }: Meant): boolean {
  return row.kind === 'operation' && (row.meant?.(values) ?? []).length > 0
}

/** Whether a row starts or stops something now. */
function isNow(row: Row): row is Operation {
  return row.kind === 'operation' && row.wants !== undefined
}

function wantsOf(words: readonly string[], rows: readonly Row[]): readonly ('up' | 'down')[] {
  return words.flatMap((word) => saidFor(rows, word).flatMap((row) => (isNow(row) ? (row.wants ?? []) : [])))
}

/** Finds the queries and actions on requests that a question may mean, because a question wants no change. */
function answersIn(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const isAnswer = (row: Row) => row.kind === 'query' || row.deed !== undefined
  // "who can approve" is a separate question.
  const asked = [pairsIn(words, rows).flat(), named(words, rows), words.flatMap((word) => saidFor(rows, word))]
  return asked.map((some) => some.filter(isAnswer)).find((some) => some.length > 0) ?? []
}

/** Finds what words ask for: a rule, an answer, or a start or stop, which outweighs a rule that is about no endpoint. */
function changesIn(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const meant = named(words, rows)
  const isAboutOne = ({ fields }: Row) => Object.values(fields).some(({ kind }) => kind === 'endpoint')
  const isRule = (row: Row) => row.kind === 'operation' && (isAboutOne(row) || !meant.some(isNow)) && !isNow(row)
  const kinds = [isRule, ({ kind }: Row) => kind === 'query', isNow]
  return kinds.map((isOf) => meant.filter(isOf)).find((some) => some.length > 0) ?? answersIn(words, rows)
}

/** Finds what words stand for. "nobody uses" is matched as a pair, so "nobody" is not matched alone. */
function named(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const pairs = pairsIn(words, rows)
  const alone = words.filter((word, at) => !vague.has(word) && !pairs[at]?.length && !pairs[at - 1]?.length)
  return [...new Set([...pairs.flat(), ...alone.flatMap((word) => saidFor(rows, word))])]
}
