import type { FieldValues } from '../model/request.ts'
import { type Sentence, say, type Words } from '../model/words.ts'
import type { Row } from './define.ts'
import type { Word } from './field-of-word.ts'
import type { Meant } from './near.ts'

export const exampleName = 'my-llm'

/** Returns an example about another endpoint, whose name is already written as a word of a line. */
export function exampleAbout(name: string, line: string): string {
  return line.replace(exampleName, () => name)
}

/** Picks the example that has the field and shares the most values with what was parsed so far. */
export function exampleWith(
  { examples }: Row,
  field: string,
  values: FieldValues,
  read: (line: string) => FieldValues,
): string | undefined {
  const same = (line: string) => Object.entries(read(line)).filter(([name, value]) => values[name] === value).length
  return examples.filter((line) => read(line)[field] !== undefined).toSorted((a, b) => same(b) - same(a))[0]
}

/** Whether a word is an action that this product does not offer. */
export function isBeyond(verb: string): boolean {
  return /^(rename|delete|create|deploy)$/i.test(verb)
}

export function unknownVerb(verb: string): Words {
  return [say(isBeyond(verb) ? 'line.beyond' : 'line.unknownVerb', { verb }), say('line.allVerbs')]
}

/** "Did you mean /endpoint stop my-llm?"; empty without lines. */
export function nearText(lines: readonly string[]): Words {
  if (lines.length === 0) return ''
  const of = lines.some((line) => line.includes(' ')) ? 'line' : 'name'
  return say('line.near', { of, near: { any: lines.map((line) => say('line.typed', { line })) } })
}

export function surplusText(
  { fields }: Row,
  { key, value }: Word,
  { taken, usage }: { readonly taken: FieldValues; readonly usage: string },
): Sentence {
  const word = key === undefined ? value : `${key}=`
  const isTaken = Object.entries(fields).some(
    ([name, field]) => key !== undefined && (field.key ?? field.lead) === key && taken[name] !== undefined,
  )
  return isTaken ? say('line.twice', { word }) : say('line.surplus', { word, usage })
}

/** Words that give a time: "tonight", "at ten", "in half an hour". "In prod" and "by mistake" give none. */
const saysWhen =
  /\b(tonight|tomorrow|midnight|noon|morning|afternoon|evening|(mon|tues|wednes|thurs|fri|satur|sun)day|(at|in|by|until) (?!(all|once|hand|mistake|accident|prod|production|staging|dev|test|the|this|our|here)\b)\w+|\d+ ?[ap]m|\d+:\d+)\b|오늘|내일|모레|오전|오후|자정|(\d|[한두세네섯곱덟홉열] ?)시(에|까지|반| |$)|까지|(시간|분) ?(뒤|후)|요일/i
const saysUntil = /\buntil\b|까지/i

/** Says that a time was not read: a button that stops at once must not seem to stop at that time. */
export function timeLost(typed: string, meant: readonly Meant[]): Words {
  const isStart = meant.some(({ row }) => row.wants === 'up')
  const isLater = isStart && !saysUntil.test(typed) && /\btomorrow\b|\bat \d|내일|모레|\d시에/i.test(typed)
  if (!isLater && (!saysWhen.test(typed) || !meant.some(lacksTime))) return ''
  return say(isStart && !saysUntil.test(typed) ? 'line.startsNow' : 'line.noTime')
}

/** Whether a start or stop would be made now. */
export function lacksTime({ row, values }: Pick<Meant, 'row' | 'values'>): boolean {
  const times = Object.entries(row.fields).filter(([, { kind }]) => kind === 'when')
  return row.wants !== undefined && times.every(([name]) => values[name] === undefined)
}
