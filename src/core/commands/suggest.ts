import type { FieldValues } from '../model/request.ts'
import { say, type Words } from '../model/words.ts'
import { nearestVerbs } from '../text/fuzzy.ts'
import type { Row } from './define.ts'

/** The endpoint of every example. */
export const exampleName = 'my-llm'

/** More words are no command that somebody mistyped. */
const longest = 8

/** At most so many commands are offered in place of an unknown word. */
const most = 2

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
  const near = beginning.length > 0 ? beginning : nearestVerbs(verb, rows, most)
  // "on" means a start only where nothing else is said.
  const [long, short] = [rest.filter((word) => !/^[a-z]{1,2}$/.test(word)), rest].map((some) =>
    some.flatMap((word) => saidFor(rows, word)),
  )
  const others = long?.length ? long : (short ?? [])
  const lines = (near.length > 0 ? near : others).map((row) => {
    const line = [row.name, ...words.slice(1)].join(' ')
    const isKept = near.length > 0 && words.length <= longest && isLine(line)
    return isKept ? line : (exampleLike(row, rest) ?? row.name)
  })
  return [...new Set(lines)].slice(0, most)
}

function spoken(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[?!.,]+$/, '')
}

/** The rows that a word stands for: of "끄지" those that it begins with, not those of "끄" as well. */
function saidFor(rows: readonly Row[], word: string): readonly Row[] {
  const lengths = rows.map((row) => saidLength(row, word))
  const longestSaid = Math.max(0, ...lengths)
  return longestSaid === 0 ? [] : rows.filter((_, at) => lengths[at] === longestSaid)
}

/** Endings are glued to Korean words, so a hint of those is a beginning. 0: the word does not stand for this row. */
function saidLength({ name, also = [], hints = [] }: Row, word: string): number {
  const isHint = (hint: string) => (/^[a-z']+$/.test(hint) ? word === hint : word.startsWith(hint))
  return Math.max(
    0,
    ...[name, ...also].filter((one) => one === word).map((one) => one.length),
    ...hints.filter(isHint).map((one) => one.length),
  )
}

/** The example about an endpoint that shares most words with what was said: "off at night" is not "up weekdays". */
function exampleLike({ examples }: Row, said: readonly string[]): string | undefined {
  const shared = (line: string) => line.split(' ').filter((word) => word.length > 2 && said.includes(word)).length
  return examples.filter(isExample).toSorted((a, b) => shared(b) - shared(a))[0] ?? examples[0]
}
