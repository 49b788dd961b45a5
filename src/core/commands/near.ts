import type { FieldValues } from '../model/request.ts'
import { namedIn, nameLikeIn, nearestByEdits } from '../text/names.ts'
import { withFor, withLeads } from './courtesy.ts'
import type { Row } from './define.ts'
import { longest, readableIn, type Word, withoutOtherDay } from './field-of-word.ts'
import { aPerson } from './fields.ts'
import {
  isDenial,
  isQuestion,
  isSaidIn,
  plainWords,
  rowsAgainst,
  rowsNamedIn,
  spoken,
  spokenWords,
  withoutPrepositions,
} from './sentence.ts'

/** The most commands to offer for a line that cannot be parsed. */
export const mostOffered = 2

export const everything = /^(all|everything|anything|아무것도|모두|전부|다|모든|전체)$/i

/** The names in "stop everything but rerank" are what not to stop. */
const allBut = /\b(all|everything|anything) (but|except|besides)\b|(빼고|제외).* (다|모두|전부|모든|전체)( |$)/i

/** A possible meaning of words that are not a line. */
export interface Meant {
  readonly row: Row
  /** The values found in the words, which may be too few for a line. */
  readonly values: FieldValues
}

/** Returns what a sentence may mean, likeliest first. Nothing is guessed: the command's form asks for the rest. */
export function meantBy(given: readonly Word[], rows: readonly Row[]): readonly Meant[] {
  const typed = withDaily(withFor(withLeads(given.slice(0, longest).map(unasked))), rows).slice(0, longest)
  const plain = plainWords(given)
  const asks = isQuestion(plain)
  const words = asks ? withoutPrepositions(spokenWords(typed)) : spokenWords(typed)
  const named = rowsNamedIn(words, rows)
  const meant = asks
    ? answersAmong(named, rows)
    : isDenial(plain)
      ? rowsAgainst(deniedBy(words, named), rows)
      : wantedAmong(named)
  return meant.map((row) => ({ row, values: valuesOf(row, typed, named) }))
}

/** "Tomorrow?" is a day. */
function unasked(word: Word): Word {
  return word.key === undefined ? { value: word.value.replace(/(?<=^\S+)[?!.,]+$/, '') } : word
}

/** "9시부터 18시까지 켜줘" names no day, so it means every day. */
function withDaily(words: readonly Word[], rows: readonly Row[]): readonly Word[] {
  const said = plainWords(words)
  const isDaily = [/\d(시반?|분)부터$/, /\d(시반?|분)까지만?$/].every((end) => said.some((word) => end.test(word)))
  if (!isDaily || said.some((word) => namesDay.test(word))) return words
  return rowsNamedIn(spokenWords(words), rows).every(isNow) ? [{ value: '매일' }, ...words] : words
}

const namesDay = /^(오늘|내일|모레|글피|매|평일|주말|이번|다음|담주)|요일|모레|\d[일월]/

/** Returns the endpoints that a text names; for a question, also a name that none has: "who stopped my-tts?". */
export function endpointsIn<One extends { readonly name: string }>(
  typed: string,
  all: readonly One[],
  near: readonly Meant[] = [],
): readonly (One | { readonly name: string; readonly active: null })[] {
  if (allBut.test(typed)) return []
  const named = namedIn(typed, all)
  const other = named.length === 0 && all.length > 0 && near[0]?.row.kind === 'query' ? nameLikeIn(typed) : undefined
  return other === undefined ? named : [{ name: other, active: null }]
}

/** A question gets an answer, never a change. If it names none, it is about the state. */
function answersAmong(named: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const queries = named.filter(({ kind }) => kind === 'query')
  // "Who can stop my-llm" asks about a command, and "who can approve" about nothing in particular.
  const clear = queries.filter(({ fields }) => !('line' in fields) || named.some(isExplained))
  return [clear, named.filter(isDeed)].find((some) => some.length > 0) ?? rowsNamedIn(['state'], rows)
}

/** A denial never offers what it denies: "don't stop my-llm" leads to what prevents a stop. */
function deniedBy(words: readonly string[], named: readonly Row[]): string {
  if (words.some((word) => everything.test(word))) return 'all'
  const [, next] = words.slice(words.indexOf('never'))
  if (next === 'mind') return next
  return (named.find(isNow) ?? named.find(({ kind }) => kind === 'operation'))?.name ?? 'stop'
}

/** "Turn my-llm off at night" means a schedule, not a stop now. */
function wantedAmong(named: readonly Row[]): readonly Row[] {
  const others = named.filter((row) => row.kind === 'operation' && !isNow(row))
  if (others.some((row) => isAboutOne(row) || isDeed(row))) return others
  return named.filter(({ kind }) => kind === named[0]?.kind)
}

/** "Keep my-llm from stopping at night" wants no stop. */
const averting = /\bfrom (?!morning|evening)\w+ing\b/i

/** "Stop my-llm at night", "keep it off at night" and "list schedules" begin like lines without a field for these words. */
export function rulesIn(verb: Row, words: readonly Word[], rows: readonly Row[]): readonly Meant[] {
  if (verb.kind === 'query' && !('endpoint' in verb.fields))
    return meantBy(words.slice(1), rows).filter(({ row }) => row.kind === 'query' && row !== verb)
  const isPause = !isNow(verb) && isAboutOne(verb) && 'until' in verb.fields
  if (isPause && averting.test(plainWords(words).join(' '))) return []
  const near = isNow(verb) || isPause ? meantBy(words, rows) : []
  // "Of no use" declines nothing, and "start my-llm with 2 replicas" is no scale.
  const isOther = ({ row }: Meant) => row.kind === 'query' || 'to' in row.fields || isDeed(row) || isNow(row)
  const isWeekly = ({ row }: Meant) => Object.values(row.fields).some(({ kind }) => kind === 'window')
  return near.some(isOther) || (isPause && !near.some(isWeekly)) ? [] : near
}

/** Returns the rows whose name is nearly typed: "restrat my-llm", "my-llm restrat". */
export function misspelt(
  typed: readonly Word[],
  rows: readonly Row[],
  read: (row: Row, rest: readonly Word[]) => FieldValues,
): readonly Meant[] {
  const [first, second] = typed.map(({ key, value }) => (key === undefined ? spoken(value) : ''))
  const before = nearestByEdits(first ?? '', rows, mostOffered)
  if (before.length > 0) return before.map((row) => ({ row, values: read(row, typed.slice(1)) }))
  const after = nearestByEdits(second ?? '', rows.filter(isAboutOne), mostOffered)
  return after.map((row) => ({ row, values: read(row, typed.slice(2)) }))
}

/** A name in "what did ben do" or "what ben did". "What did ci-bot do" is no question about a person. */
const doer =
  /\b(?:did|what) (?!(?:i|we|you|they|he|she|it|that|this|who|lamplighter|people|(?:\w+y|some|no)(?:one|body|thing)) )(\p{L}+) (?:do|did)( |$)/u

const koreanDoer =
  /^(?!내|제|저|누|우리|오늘|어제|지난|이번|저번|요즘|최근|모두|다들|사람)(\p{L}+?) ?[이가은는] (?:.* )?(?:뭐|뭘) ?했/u

const isAboutOne = ({ kind, fields }: Row) => kind === 'operation' && 'endpoint' in fields
const isDeed = (row: Row) => row.deed !== undefined
const isExplained = (row: Row) => isAboutOne(row) && !isDeed(row)
const isNow = (row: Row) => row.wants !== undefined

function valuesOf(row: Row, typed: readonly Word[], named: readonly Row[]): FieldValues {
  if ('line' in row.fields) return { line: named.find(isExplained)?.name }
  if ('about' in row.fields) return { about: named.find(({ kind }) => kind === 'operation')?.name }
  // "Off on weekends" means down: its "on" is no direction.
  const wants = named.filter(isNow).map((one) => one.wants)
  const wanted = wants.includes('down') ? ['down', 'stopped'] : wants.includes('up') ? ['up', 'started'] : []
  const words = spokenWords(typed)
  const said = row.kind === 'query' ? [words, wanted] : [wanted, words]
  const fields = Object.entries(row.fields)
  // "Until 18:00" and "at 19:00" can be read without a verb.
  const led = Object.fromEntries(fields.filter(([, { lead }]) => lead !== undefined))
  const times = withoutOtherDay(readableIn({ ...row, fields: led }, typed, {}), typed)
  // An optional choice of a change could surprise: the form asks for it.
  const asked = fields.filter(([, { optional }]) => row.kind === 'query' || !optional)
  const choices = asked.flatMap(([name, { of = [], also = {} }]) => {
    const choice = said.flatMap((some) => [...of, ...Object.keys(also)].filter((one) => isSaidIn(some, one)))[0]
    const value = choice && (also[choice] ?? choice)
    return value === undefined || Object.values(times).includes(value) ? [] : [[name, value] as const]
  })
  // "What did @ben do today?", "what did ben do?"
  const picked = typed.find(({ key, value }) => key === undefined && aPerson.test(value))?.value
  const text = words.join(' ')
  const person = picked ?? doer.exec(text)?.[1] ?? koreanDoer.exec(text)?.[1]
  const mentioned = fields.flatMap(([name, { kind }]) =>
    kind === 'person' && row.kind === 'query' && person !== undefined ? [[name, person] as const] : [],
  )
  return { ...times, ...Object.fromEntries([...choices, ...mentioned]) }
}
