import type { FieldValues } from '../model/request.ts'
import { nearestVerbs } from '../text/fuzzy.ts'
import { withoutFiller, withUntil } from './courtesy.ts'
import type { Operation, Row } from './define.ts'
import { longest, pairAt, pairsIn, readableIn, saidFor, spoken, unglued, type Word } from './field-of-word.ts'
import type { Field } from './fields.ts'
import { asksForState, bareOf, denying, isAsking, isPolite, notSo, topicOf } from './tone.ts'

/** Longer sentences would take too long to parse. */
const longestSentence = 240

/** The most commands to offer for a line that cannot be parsed. */
export const mostOffered = 2

/** Words before the verb of a sentence. */
const opening = new Set('hey can could would you i we me want need to just let lets'.split(' '))
/** Words that begin a question. They name a command only if no other word does. */
const vague =
  /^any(thing)?$|^(how|what|what's|whats|which|who|why|is|are|did|was|were|has|does|will|won't|should|may|show|tell|얼마나|뭐|뭘|뭐가|왜|어떤)$/

/** Actions that this product does not offer. */
const beyond = /^(rename|delete|create|deploy)$/

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
  const typed = withUntil(given).flatMap((word) => unglued(word, rows))
  const [first] = typed
  if (first?.key !== undefined || typed.map(({ value }) => value).join(' ').length > longestSentence) return []
  const words = typed.slice(0, longest).map(({ key, value }) => (key === undefined ? spoken(value) : '='))
  if (beyond.test(words[0] ?? '') && named(words.slice(1), rows).length === 0) return null
  const isOpening = (word: string) => opening.has(word) || isPolite({ value: word })
  const begin = words.findIndex((word, at) => !isOpening(word) && `${words[at - 1]} ${word}` !== 'we are')
  if (begin === -1) return []
  const text = bareOf(words.slice(begin).join(' '))
  const said = text.split(' ')
  const [verb = '', second = ''] = said
  const [topic, ...more] = saidFor(rows, topicOf(text)).filter(({ kind }) => kind === 'operation')
  if (topic !== undefined && more.length === 0)
    return saidFor(rows, 'help').map((row) => ({ row, values: { about: topic.name } }))
  const isQuestion = isAsking(typed)
  const about = answersIn(said, rows)
  const answers = about.length === 0 && isQuestion && asksForState(text) ? saidFor(rows, 'is') : about
  const isAsked = vague.test(verb) || (isQuestion && answers.length > 0)
  const whyNot = notSo.test(text) ? saidFor(rows, 'why').map(withChoices) : []
  const off = whyNot.filter(({ values }) => Object.values(values).includes('started'))
  if (off.length > 0) return off.map(({ row }) => ({ row, values: read(row, [{ value: 'stopped' }]) ?? {} }))
  if (isAsked) return answers.map(withChoices)
  const meant = changesIn(said, rows)
  if (denying.test(`${text} `) && meant.every(({ kind }) => kind === 'operation')) {
    // "Don't stop it at night" is about stops, not about a schedule.
    const denied = named(said, rows).find(isNow) ?? meant[0]
    const what = said.some((word) => everything.test(word)) ? 'all' : denied?.name
    const never = saidFor(rows, ['never', what].join(' '))
    return never.map((row) => ({ row, values: row === denied ? readableIn(row, [{ value: 'off' }], {}) : {} }))
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
  // The first word of "my-llm restrat" is a name.
  const missed = [nearestVerbs(verb, rows, mostOffered), nearestVerbs(second, rows.filter(isAboutOne), mostOffered)]
  const at = missed.findIndex((some) => some.length > 0)
  return missed[at]?.map((row) => withValues(row, begin + at + 1)) ?? []

  /** "what is running?" means `list running`, and "why did it stop?" asks about stops. */
  function withChoices(row: Row): Meant {
    if ('line' in row.fields) return { row, values: { line: named(said, rows).find(isAboutOne)?.name } }
    const choices = Object.values(row.fields).flatMap(({ of = [], also = {}, key }) =>
      key === undefined ? [...of, ...Object.keys(also)] : [],
    )
    const meant = [...words, ...words.map(pairAt)]
    const wanted = wantsOf(words, rows).map((want) => (want === 'up' ? 'started' : 'stopped'))
    // Korean words have endings, so a prefix is enough.
    const isSaid = (choice: string) => (word: string) =>
      word === choice || (/^[가-힣]/.test(choice) && word.startsWith(choice))
    const chosenFrom = (some: readonly string[]) =>
      choices.filter((choice) => some.some(isSaid(choice))).map((value) => ({ value }))
    // "stop what is unused" lists what is unused.
    const reads = [[...meant, ...wanted], meant].map(chosenFrom).map((some) => some.length > 0 && read(row, some))
    return { row, values: reads.find((one) => one) || {} }
  }

  function withValues(row: Row, end: number): Meant {
    return { row, values: read(row, withoutFiller(typed.slice(end))) ?? withDirection(row).values }
  }

  /** "off at night" chooses the direction down. */
  function withDirection(row: Row): Meant {
    const isDirection = ({ of, optional }: Field) => of?.join() === 'up,down' && optional !== true
    const [field] = Object.entries(row.fields).find(([, one]) => isDirection(one)) ?? []
    // The "on" of "off on weekends" is not a direction.
    const bare = words.filter((word) => word !== 'on')
    const wants = [bare, words].map((some) => wantsOf(some, rows)).find((some) => some.length > 0)
    const [want, ...others] = new Set(wants)
    const direction = field !== undefined && others.length === 0 && { [field]: want }
    const { until } = readableIn(row, typed.slice(typed.findIndex(({ value }) => value === 'until')), {})
    return { row, values: { ...(!isNow(row) && { until }), ...direction } }
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

const isAboutOne = ({ kind, fields }: Row) => kind === 'operation' && 'endpoint' in fields

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
  const begins = words.filter((word) => vague.test(word)).flatMap((word) => saidFor(rows, word))
  const asked = [pairsIn(words, rows).flat(), named(words, rows), begins]
  return asked.map((some) => some.filter(isAnswer)).find((some) => some.length > 0) ?? []
}

/** Finds what words ask for: a rule, an answer, or a start or stop, which outweighs a rule that is about no endpoint. */
function changesIn(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const meant = named(words, rows)
  const isRule = (row: Row) =>
    row.kind === 'operation' && (isAboutOne(row) || row.deed !== undefined || !meant.some(isNow)) && !isNow(row)
  const kinds = [isRule, ({ kind }: Row) => kind === 'query', isNow]
  return kinds.map((isOf) => meant.filter(isOf)).find((some) => some.length > 0) ?? answersIn(words, rows)
}

/** Finds what words stand for. "nobody uses" is matched as a pair, so "nobody" is not matched alone. */
function named(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const pairs = pairsIn(words, rows)
  const alone = words.filter((word, at) => !vague.test(word) && !pairs[at]?.length && !pairs[at - 1]?.length)
  return [...new Set([...pairs.flat(), ...alone.flatMap((word) => saidFor(rows, word))])]
}
