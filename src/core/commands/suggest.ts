import type { FieldValues } from '../model/request.ts'
import { say, type Words } from '../model/words.ts'
import { nearestVerbs } from '../text/fuzzy.ts'
import { partOfDay } from '../time/parse-when.ts'
import type { Row } from './define.ts'

/** The endpoint of every example. */
export const exampleName = 'my-llm'

/** More words are no command that somebody mistyped. */
const longest = 8

/** At most so many commands are offered in place of what cannot be read. */
export const mostOffered = 2

/** Said by whoever wants no stop. */
export const unstopped = ['nothing', 'nobody', 'never', 'not', 'dont', "don't", '끄지', '멈추지', '중지하지']

/** Why a verb is none, with the lines that may be meant. */
export function unknownVerb(verb: string, lines: readonly string[]): Words {
  return [say('line.unknownVerb', { verb }), lines.length === 0 ? say('line.allVerbs') : nearText(lines)]
}

/** "Did you mean /endpoint stop my-llm?"; empty without lines. */
export function nearText(lines: readonly string[]): Words {
  return lines.length === 0 ? '' : say('line.near', { near: { any: lines.map((line) => `/endpoint ${line}`) } })
}

/** An example about the endpoint of this name, already written as a word of a line. */
export function exampleAbout(name: string, line: string): string {
  return line.replace(exampleName, () => name)
}

/** Whether a line is still about no endpoint that anybody named. */
export function isExample(line: string): boolean {
  return line.includes(exampleName)
}

/** The example that has a field, and of several the one with most of the values that were read so far. */
export function exampleWith(
  { examples }: Row,
  field: string,
  values: FieldValues,
  read: (line: string) => FieldValues,
): string | undefined {
  const same = (line: string) => Object.entries(read(line)).filter(([name, value]) => values[name] === value).length
  return examples.filter((line) => read(line)[field] !== undefined).toSorted((a, b) => same(b) - same(a))[0]
}

/**
 * Lines that may be meant by words of which the first is no verb, the likeliest first: what people say instead of the
 * verb, or its near misses, with what follows it if that makes a line; else whatever the other words name.
 */
export function linesNear(
  words: readonly string[],
  rows: readonly Row[],
  isLine: (line: string) => boolean,
): readonly string[] {
  const [verb = '', ...rest] = words.slice(0, longest).map(spoken)
  const beginning = saidFor(rows, verb)
  const near = beginning.length > 0 ? beginning : nearestVerbs(verb, rows, mostOffered)
  // "on" means a start only where nothing else is said.
  const [long, short] = [rest.filter((word) => !/^[a-z]{1,2}$/.test(word)), rest].map((some) =>
    some.flatMap((word) => saidFor(rows, word)),
  )
  const others = long?.length ? long : (short ?? [])
  const lines = (near.length > 0 ? near : others).map((row) => {
    const line = [row.name, ...words.slice(1)].join(' ')
    const isKept = near.length > 0 && words.length <= longest && isLine(line)
    return isKept ? line : (exampleLike(row, rest, rows) ?? row.name)
  })
  return [...new Set(lines)].slice(0, mostOffered)
}

function spoken(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[?!.,]+$/, '')
}

/** Whether people say this word for a command. */
export function isSaid(word: string, rows: readonly Row[]): boolean {
  return saidFor(rows, spoken(word)).length > 0
}

/** The rows that a word stands for: of "끄지" those that it begins with, not those of "끄" as well. */
function saidFor(rows: readonly Row[], word: string): readonly Row[] {
  const lengths = rows.map((row) => saidLength(row, word))
  const longestSaid = Math.max(0, ...lengths)
  return longestSaid === 0 ? [] : rows.filter((_, at) => lengths[at] === longestSaid)
}

/** Endings are glued to Korean words, so a hint of those is a beginning. 0: the word does not stand for this row. */
function saidLength({ name, also = [], hints = [] }: Row, word: string): number {
  if (word === name || also.includes(word) || hints.includes(word)) return word.length
  if (!/^[가-힣]/.test(word)) return 0
  return Math.max(0, ...hints.filter((hint) => !/^[a-z']/.test(hint) && word.startsWith(hint)).map((one) => one.length))
}

/** The example about an endpoint that shares most with what was said: "off at night" is not "up weekdays". */
function exampleLike({ examples }: Row, said: readonly string[], rows: readonly Row[]): string | undefined {
  const wanted = said
    .flatMap((word) => saidFor(rows, word))
    .flatMap((row) => (row.kind === 'operation' ? (row.wants ?? []) : []))
  const meant: ReadonlySet<string> = new Set([...said.filter((word) => word.length > 2), ...wanted])
  const shared = (line: string) => line.split(' ').filter((word) => meant.has(word)).length
  return examples.filter(isExample).toSorted((a, b) => shared(b) - shared(a))[0] ?? examples[0]
}

interface Unread {
  readonly row: Row
  readonly values: FieldValues
  /** The field whose lead was typed. */
  readonly lead: string | undefined
  /** What follows, none of which could be read. */
  readonly typed: readonly string[]
  readonly write: (row: Row, values: FieldValues) => string
}

/**
 * Lines that may be meant by words for which a start, a stop or a pause has no place: "this afternoon", "tonight", "at
 * night", a start "at 14:00". None of these says for certain what is wanted, so none is carried out.
 */
export function linesMeant({ row, values, lead, typed, write }: Unread, rows: readonly Row[]) {
  if (row.kind !== 'operation' || values['endpoint'] === undefined) return null
  const said = typed.slice(0, longest).map(spoken)
  const part = lead === undefined && 'until' in row.fields && values['until'] === undefined ? partOfDay(said) : null
  if (part !== null) return { says: '', lines: [[write(row, values), 'for', ...said.slice(0, part.count)].join(' ')] }
  const moment = lead ?? ('at' in row.fields ? 'at' : '')
  if (row.fields[moment]?.kind === 'when' && /^((this|the) )?(tonight|evening)/.test(said.join(' ')))
    return {
      ...(lead === undefined && { says: '' }),
      // Midnight is ahead at any hour.
      lines: ['18:00', '22:00', '24:00'].map((time) => write(row, { ...values, [moment]: time })),
    }
  const weekly = rows.find(({ fields }) => Object.values(fields).some(({ kind }) => kind === 'window'))
  if (row.wants === undefined || weekly === undefined) return null
  const isStartAt = row.wants === 'up' && lead === undefined && said[0] === 'at'
  if (!isStartAt && !said.some((word) => saidFor([weekly], word).length > 0)) return null
  const like = exampleLike(weekly, [row.name, ...said], rows) ?? ''
  const [, clock] = isStartAt ? (/^(\d{1,2}:\d{2})$/.exec(said[1] ?? '') ?? []) : []
  const line = exampleAbout(write(row, { endpoint: values['endpoint'] }).slice(row.name.length + 1), like)
  return {
    says: isStartAt ? say('line.startAt') : '',
    lines: [clock === undefined ? line : line.replace('09:00', clock)],
  }
}
