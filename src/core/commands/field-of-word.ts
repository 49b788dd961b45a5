import type { FieldValues } from '../model/request.ts'
import { isDay } from '../time/parse-when.ts'
import type { Row } from './define.ts'
import type { Field } from './fields.ts'

/** One word of a line: `key=value`, or only a value. */
export interface Word {
  readonly key?: string
  readonly value: string
}

/** A line with more words is no mistyped command. */
export const longest = 12

export function rowOf(verb: string, rows: readonly Row[]): Row | undefined {
  return rows.find(({ name, also }) => name === verb || also?.includes(verb))
}

/** Returns the field that a word clears: `clear=env`, or `port=`. An empty value never clears secrets. */
export function clearedBy(row: Row, key: string | undefined, value: string, stored?: 'stored'): string | undefined {
  if (value !== '' && key !== 'clear') return undefined
  const fields = Object.entries(row.fields).filter(([, { clearable }]) => clearable)
  const matches = (field: Field): boolean =>
    value === ''
      ? field.key === key && (field.kind !== 'secrets' || stored !== undefined)
      : field.key === value.toLowerCase()
  return fields.find(([, field]) => matches(field))?.[0]
}

/** Returns the field that a lead word introduces. Required positional fields come first. */
export function leadOf(row: Row, word: string, taken: FieldValues): [string, Field] | undefined {
  const free = Object.entries(row.fields).filter(([name]) => taken[name] === undefined)
  const first = free.find(([, { key, lead, optional }]) => key === undefined && lead === undefined && !optional)
  if (first !== undefined) return undefined
  const ledBy = (by: string) => free.find(([, { lead }]) => lead === by)
  // "For 4h" also gives an end.
  return ledBy(word.toLowerCase()) ?? ledBy(/^(for|till?|untill)$/i.test(word) ? 'until' : asAt(word))
}

/** "In 4h" and "by 18:00" give a time. */
function asAt(word: string): string {
  return word.toLowerCase().replace(/^(in|by)$/, 'at')
}

export function wordsFor({ span }: Field, words: readonly Word[], row: Row): number {
  const until = words.findIndex((word, at) => word.key !== undefined || (at > 0 && isLed(row, words.slice(at))))
  const plain = until === -1 ? words : words.slice(0, until)
  return Math.max(1, span?.(plain.map(({ value }) => value.toLowerCase())) ?? 1)
}

/** Whether a word introduces a field and a valid value follows. "because nobody looks at it" contains no time. */
function isLed(row: Row, [first, ...rest]: readonly Word[]): boolean {
  const field = Object.values(row.fields).find(({ lead }) => lead !== undefined && lead === first?.value.toLowerCase())
  if (field === undefined || rest[0] === undefined || rest[0].key !== undefined) return false
  const next = rest.slice(0, 4).map(({ value }) => value.toLowerCase())
  const count = field.kind === 'text' ? 1 : Math.max(1, field.span?.(next) ?? 1)
  return 'value' in field.read(next.slice(0, count).join(' '))
}

/** Returns the field of the first of these words: by its key, otherwise the first free positional field that takes it. */
export function fieldFor(row: Row, words: readonly Word[], taken: FieldValues): [string, Field] | undefined {
  const key = words[0]?.key
  const given = (field: Field) => words.slice(0, wordsFor(field, words, row)).map(({ value }) => value)
  const free = Object.entries(row.fields).filter(([name]) => taken[name] === undefined)
  const positional = free.filter(([, field]) => field.key === undefined && field.led !== true)
  const isOf = ([, field]: [string, Field]) => 'value' in field.read(given(field).join(' '))
  if (key === undefined) {
    const found = positional.find((one) => one[1].optional !== true || isOf(one)) ?? positional[0]
    // "Away tomorrow to @cleo" lacks its "until": the day is no person.
    const isTime = !('endpoint' in row.fields) && free.some((one) => one[1].led === true && isOf(one))
    return isTime && found !== undefined && !isOf(found) ? undefined : found
  }
  return free.find(([, field]) => (field.key ?? field.lead) === key || field.typed === key)
}

/** Fields whose values are recognized without a key. */
const recognized: ReadonlySet<Field['kind']> = new Set(['choice', 'number', 'window', 'zone'])

/** Returns what can be read of words after one that is wrong, for a form. Secrets are left out. */
export function readableIn(row: Row, words: readonly Word[], taken: FieldValues): FieldValues {
  const [word, ...rest] = words
  if (word === undefined) return {}
  const { key, value } = word
  for (const [name, field] of Object.entries(row.fields)) {
    if (taken[name] !== undefined || field.kind === 'secrets') continue
    const isLed =
      key === undefined && field.lead !== undefined && [value.toLowerCase(), asAt(value)].includes(field.lead)
    const isKeyed = key !== undefined && [field.key ?? field.lead, field.typed].includes(key)
    const isBare = key === undefined && field.key === undefined && field.lead === undefined
    if (!isLed && !isKeyed && !(isBare && recognized.has(field.kind))) continue
    const own = isLed ? rest : words
    const count = isKeyed ? 1 : wordsFor(field, own, row)
    const given = own.slice(0, count).map((one) => one.value)
    const reading = field.read(given.join(' '))
    if (!('value' in reading) || field.of?.includes(String(reading.value)) === false) continue
    const found = { [name]: reading.value }
    return { ...found, ...readableIn(row, own.slice(count), { ...taken, ...found }) }
  }
  return readableIn(row, rest, taken)
}

/** Returns what can be read from the word `at` on, for a form, and clears a time that goes on there: "at 7pm | next monday". */
export function restFrom(row: Row, words: readonly Word[], at: number, taken: FieldValues): FieldValues {
  const before = words.slice(Math.max(0, at - 4), at).map(({ value }) => value)
  const rest = words.slice(at, at + longest)
  const isBefore = ([name, { moment, read }]: [string, Field]) =>
    moment === true &&
    before.some((_, from) => {
      const reading = read(before.slice(from).join(' '))
      return 'value' in reading && reading.value === taken[name]
    })
  // "Away until friday ben" goes on with a person.
  const isPersonal = Object.values(row.fields).some(({ kind }) => kind === 'person')
  const cleared = isPersonal ? [] : Object.entries(row.fields).filter(isBefore)
  return {
    ...Object.fromEntries(cleared.map(([name]) => [name, undefined])),
    ...withoutOtherDay(readableIn(row, rest, taken), rest),
  }
}

/** Words that move a time of day, if no field reads them with it. */
const otherDay = /^(next|days?|weeks?|weekend|months?|tonight|utc|gmt|kst|jst|ist|cet|[ecmp][sd]t)$/i

/** Leaves out times of day if a word may move them: of "next friday at 6pm" the time alone would be today's. */
export function withoutOtherDay(values: FieldValues, words: readonly Word[]): FieldValues {
  const isOther = ({ key, value }: Word) =>
    key === undefined && (otherDay.test(value) || (isDay(value.toLowerCase()) && !/^today$/i.test(value)))
  if (!words.some(isOther)) return values
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !/^\d{1,2}:\d{2}$/.test(String(value))))
}

/** "Start my-llm with 3 replicas" becomes "start my-llm replicas=3". */
export function withReplicas(words: readonly Word[]): readonly Word[] {
  const said = words.slice(0, longest).map(({ key, value }) => (key === undefined ? value : '='))
  const at = said.findIndex((_, at) => /^with \d+ replicas?$/i.test(said.slice(at, at + 3).join(' ')))
  return at === -1 ? words : words.toSpliced(at, 3, { key: 'replicas', value: said[at + 1] ?? '' })
}

/** Puts a lead before a Korean time from now: "2시간 반 뒤에" becomes "at" and "2시간 30분". */
export function withIn(words: readonly Word[]): readonly Word[] {
  const isPlain = ({ key, value }: Word) => key === undefined && !value.includes(' ')
  const text = words
    .slice(0, longest)
    .map((word) => (isPlain(word) ? word.value : '='))
    .join(' ')
  const [whole, length = ''] = /(?<!\S)(\d{1,4}(?:시간|분)(?: ?(?:반|\d{1,2}분))?) ?[뒤후]에?(?!\S)/.exec(text) ?? []
  if (whole === undefined) return words
  const at = text.slice(0, text.indexOf(whole)).split(' ').length - 1
  return words.toSpliced(at, whole.split(' ').length, { value: 'at' }, { value: length.replace('반', '30분') })
}
