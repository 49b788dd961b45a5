import type { FieldValues } from '../model/request.ts'
import { night } from '../time/weekly-window.ts'
import type { Row } from './define.ts'
import { saidFor } from './field-of-word.ts'

/** The endpoint of every example. */
export const exampleName = 'my-llm'

/** At most so many commands are offered in place of what cannot be read. */
export const mostOffered = 2

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

/** Days as people call them, and as windows have them. */
const namedDays = [
  ['주말', 'weekends'],
  ['weekend', 'weekends'],
  ['평일', 'weekdays'],
  ['weekday', 'weekdays'],
  ['office', 'weekdays'],
  ['매일', 'daily'],
  ['daily', 'daily'],
] as const

export const stateWords = { up: ['started', 'running'], down: ['stopped'] }

/** Said where "off" is about an endpoint, or is not wanted. */
const denying = /^((no|not|nobody|nothing|never|don'?t|unused|leave)$|안|놀고|끄지|멈추지|중지하지)/

/** Whether a line turns off a rule or a pause where "off what nobody uses" is said. */
export function isInverted(line: string, said: readonly string[]): boolean {
  return line.endsWith(' off') && said.some((word) => denying.test(word))
}

/** The example about an endpoint that shares most with what was said; of a schedule the one that was said. */
export function exampleLike(row: Row, said: readonly string[], rows: readonly Row[]): string | undefined {
  const direction = directionIn(said, rows)
  const window = 'window' in row.fields ? windowIn(said, direction) : undefined
  if (window !== undefined) return [row.name, exampleName, window].join(' ')
  const meant: ReadonlySet<string> = new Set([...said.filter((word) => word.length > 2), direction ?? ''])
  const shared = (line: string) => line.split(' ').filter((word) => meant.has(word)).length
  return (
    row.examples
      .filter((line) => isExample(line) && !isInverted(line, said))
      .toSorted((a, b) => shared(b) - shared(a))[0] ?? row.examples[0]
  )
}

/** "on at night" is `up daily 22:00-06:00`, never the opposite; undefined if no days are said. */
function windowIn(said: readonly string[], direction: 'up' | 'down' | undefined): string | undefined {
  const isNight = said.some((word) => /^(night|overnight|밤|야간)/.test(word))
  const [named] = said.flatMap((word) => namedDays.find(([ours]) => word.startsWith(ours))?.[1] ?? [])
  const days = named ?? (isNight ? 'daily' : undefined)
  if (days === undefined) return undefined
  const want = direction ?? (isNight || days === 'weekends' ? 'down' : 'up')
  if (isNight || (want === 'down' && days === 'daily')) return `${want} ${days} ${night}`
  return want === 'up' && days !== 'weekends' ? `up ${days} 09:00-20:00` : `${want} ${days}`
}

/** What is wanted of an endpoint: "don't stop it" wants it up. */
function directionIn(said: readonly string[], rows: readonly Row[]): 'up' | 'down' | undefined {
  const wantsOf = (word: string) => {
    if (/^(끄|멈추|중지하)지/.test(word) || stateWords.up.includes(word)) return ['up' as const]
    if (stateWords.down.includes(word) || /^(켜|실행하|돌리)지($|[마말않])/.test(word)) return ['down' as const]
    return saidFor(rows, word).flatMap((row) => (row.kind === 'operation' ? (row.wants ?? []) : []))
  }
  // "on weekends" wants nothing, where anything else does.
  const [want] = [...said.filter((word) => word !== 'on'), ...said].flatMap(wantsOf)
  if (want === undefined || !/(^| )(not(?! used)|never|nothing|don'?t|안(?= [꺼끄켜멈]))( |$)/.test(said.join(' ')))
    return want
  return want === 'up' ? 'down' : 'up'
}
