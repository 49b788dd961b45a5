import type { FieldValues, Value } from '../model/request.ts'
import { say, type Words } from '../model/words.ts'
import { partOfDay } from '../time/parse-when.ts'
import { night } from '../time/weekly-window.ts'
import { beginningOf, isCourtesy, lineFieldOf, shorterForms, withLead } from './courtesy.ts'
import type { Nonsense, Row } from './define.ts'
import { exampleAbout, exampleWith, isBeyond, nearText, surplusText, unknownVerb } from './examples.ts'
import { clearedBy, fieldFor, leadOf, longest, restFrom, rowOf, type Word, wordsFor } from './field-of-word.ts'
import type { Field } from './fields.ts'
import { type Meant, meantBy, misspelt, rulesIn } from './near.ts'
import { withQuestion, wordsOf, writeTyped, writeWord } from './quoting.ts'
import { withoutPointing } from './sentence.ts'

/** A parsed line: its row, its values and its canonical spelling. */
export interface Line {
  readonly row: Row
  readonly values: FieldValues
  readonly line: string
}

/** A line that lacks values or whose values contradict each other. It opens a form. */
interface Incomplete {
  readonly row: Row
  readonly values: FieldValues
  /** Names of the missing fields; empty if the values contradict each other. */
  readonly missing: readonly string[]
  /** What to type instead, if no form can be opened. */
  readonly says: Words
  /** Set if the values contradict each other, or a word cannot be read as the value of its field. */
  readonly wrong?: (Nonsense & { readonly typed?: readonly Word[] }) | undefined
}

export type Read =
  /** `perhaps`: what the line means if no endpoint has this name. */
  | { readonly kind: 'line'; readonly read: Line; readonly perhaps?: Misread }
  | ({ readonly kind: 'incomplete' } & Incomplete)
  | Misread

/** A line that cannot be parsed. */
interface Misread {
  readonly kind: 'misread'
  readonly says: Words
  /** The part of the line that can be read, for an operation's form. */
  readonly begun?: Pick<Incomplete, 'row' | 'values' | 'wrong'>
  /** Possible meanings, likeliest first, each with the values that it has so far. */
  readonly near?: readonly Meant[]
}

/** Longer than anything people type, and short enough for all code that handles lines. */
export const longestLine = 1_000

/**
 * Parses the text after `/endpoint`. An empty text is `help`. A single word that is not a verb is `status` with that
 * endpoint name. Drops a copied `/endpoint` prefix, and words like "please" if needed. `stored`: the line was parsed
 * before; older lines have `env=` for `clear=env`. Never throws.
 */
export function readLine(typed: string, rows: readonly Row[], stored?: 'stored'): Read {
  if (typed.length > longestLine) return misread(say('line.tooLong', { most: longestLine }))
  const bare = withQuestion(typed.replace(/^\s*\/endpoint(?!\S)/i, ''), rows)
  const words = wordsOf(bare)
  if (words === null) return misread(say('line.unclosed'))
  const read = readWords(words, bare, rows, stored)
  if (read.kind !== 'misread' || stored !== undefined) return read
  const again = shorterForms(words, rows).map((form) => readWords(form, form.map(writeTyped).join(' '), rows))
  const isQuery = read.near?.[0]?.row.kind === 'query'
  return again.find(({ kind }) => kind === 'line' || (kind === 'incomplete' && !isQuery)) ?? read
}

function readWords(words: readonly Word[], bare: string, rows: readonly Row[], stored?: 'stored'): Read {
  const { first, verb, rest } = beginningOf(words, rows)
  if (words.every(isCourtesy) || first === undefined) return readAs('help', [], rows)
  if (verb !== undefined) {
    if (lineFieldOf(verb) !== undefined) return readNested(verb, bare, rest, rows)
    if (stored !== undefined) return readRow(verb, rest, rows, stored)
    // In quotes, a name may look like a courtesy: `status "🤖"`.
    const more = rest.every(isCourtesy) && !bare.includes('"') ? [] : rest
    const read = readRow(verb, verb.deed === undefined ? more : withoutPointing(more, verb), rows)
    const rules = read.kind === 'misread' ? rulesIn(verb, words, rows) : []
    return rules.length > 0 ? meaning(rules) : read
  }
  const near = meantBy(words, rows)
  const status = rest.length === 0 && first.key === undefined ? readAs('status', [first], rows) : undefined
  if (status?.kind === 'line') return near.length > 0 ? { ...status, perhaps: meaning(near) } : status
  if (near.length > 0) return meaning(near)
  const word = (first.key === undefined ? first.value : `${first.key}=`).slice(0, 60)
  if (isBeyond(word)) return misread(unknownVerb(word))
  const typos = misspelt(words, rows, (row, rest) => valuesIn(readRow(row, rest, rows)))
  return typos.length > 0 ? meaning(typos) : { ...misread(unknownVerb(word)), near }
}

/** Returns what a mistyped line says, unless it reads like another command. */
function valuesIn(read: Read): FieldValues {
  const got = read.kind === 'line' ? read.read : read.kind === 'incomplete' ? read : undefined
  const isOther = got?.row.kind === 'operation' && (got.row.meant?.(got.values) ?? []).length > 0
  return got === undefined || isOther ? {} : got.values
}

function meaning(near: readonly Meant[]): Misread {
  return { ...misread(nearText(near.map(({ row, values }) => writeLine(row, values)))), near }
}

function readAs(name: string, words: readonly Word[], rows: readonly Row[]): Read {
  const row = rowOf(name, rows)
  return row === undefined ? misread(unknownVerb(name)) : readRow(row, words, rows)
}

/** Parses a line inside a line, also in quotes, and stores it in its canonical spelling. A missing reason is fine. */
function readNested(row: Row, typed: string, words: readonly Word[], rows: readonly Row[]): Read {
  const rest = typed.trim().replace(/^\S+\s*(what (would happen|happens) if (I|we) )?/i, '')
  if (rest === '') return readRow(row, [], rows)
  if (rowOf(/^\S*/.exec(rest)?.[0].toLowerCase() ?? '', rows) === row)
    return readNested(row, rest, words.slice(1), rows)
  // No lines inside lines inside lines, so that parsing stays linear.
  const others = rows.filter((one) => lineFieldOf(one) === undefined)
  const valuesFor = (line: string) => ({ [lineFieldOf(row) ?? '']: line })
  const [only, more] = /^["'“‘]/.test(rest) ? words : []
  const said = only?.value.includes(' ') && more === undefined ? readLine(only.value, others) : undefined
  // "explain “turn off my-llm”": which endpoint this is about is found later.
  const [near] = said?.kind === 'misread' ? (said.near ?? []) : []
  if (near?.row.kind === 'operation') return meaning([{ row, values: valuesFor(near.row.name) }])
  const read = said === undefined || meantIn(said, others) === undefined ? readLine(rest, others) : said
  const meant = meantIn(read, others)
  if (meant !== undefined) return lineOf(row, valuesFor(meant))
  if (read.kind !== 'incomplete') return read
  if (read.missing.join() !== 'because') return misread(read.says)
  return lineOf(row, valuesFor(writeLine(read.row, { ...read.values, because: '…' })))
}

/** Returns a line, or the likeliest line that may be meant. */
function meantIn(read: Read, rows: readonly Row[]): string | undefined {
  if (read.kind === 'line') return read.read.line
  const [meant] = read.kind === 'misread' ? (read.near ?? []) : []
  const whole = meant && readLine(writeLine(meant.row, meant.values), rows)
  return whole?.kind === 'line' ? whole.read.line : undefined
}

/** Fields whose errors come with an example. */
const exampled: ReadonlySet<Field['kind']> = new Set(['choice', 'number', 'when', 'window', 'zone'])

/** A line of a row of which some words are read. */
interface SoFar {
  readonly row: Row
  readonly rows: readonly Row[]
  readonly words: readonly Word[]
  readonly values: Record<string, Value | undefined>
}

function readRow(row: Row, words: readonly Word[], rows: readonly Row[], stored?: 'stored'): Read {
  const values: SoFar['values'] = {}
  const soFar = { row, rows, words, values }
  /** The field that the last word introduced. */
  let led: [string, Field] | undefined
  for (let at = 0; at < words.length; ) {
    const { key, value } = words[at] as Word
    const cleared = clearedBy(row, key, value, stored)
    if (cleared !== undefined && values[cleared] === undefined) {
      values[cleared] = null
      at += 1
      continue
    }
    const part = led === undefined ? untilEndOf(row, words.slice(at, at + 3)) : null
    if (part !== null && values['until'] === undefined) {
      values['until'] = part.end
      at += 1 + part.count
      continue
    }
    const lead = led === undefined && key === undefined ? leadOf(row, value, values) : undefined
    if (lead !== undefined) {
      led = lead
      at += 1
      continue
    }
    const field = led ?? fieldFor(row, words.slice(at, at + longest), values)
    if (field === undefined) return surplusAt(soFar, at)
    const count = key === undefined ? wordsFor(field[1], words.slice(at), row) : 1
    const given = words.slice(at, at + count).map((word) => word.value)
    const reading = field[1].read(given.join(' '))
    if ('wrong' in reading) return wrongAt(soFar, at, { field, given, reading, isLed: led !== undefined })
    values[field[0]] = reading.value
    led = undefined
    at += count
  }
  return wholeLine(row, values, led?.[0])
}

/** "for this afternoon" means until it ends, if the command has an `until`. */
function untilEndOf(row: Row, [first, ...more]: readonly Word[]) {
  const isFor = first?.key === undefined && first?.value.toLowerCase() === 'for' && 'until' in row.fields
  return isFor ? partOfDay(more.map(({ value }) => value)) : null
}

/** Answers a word that fits no free field. */
function surplusAt(soFar: SoFar, at: number): Read {
  const { row, rows, words, values } = soFar
  const leading = withLead(row, words, at, values)
  const meant = leading && readRow(row, leading, rows)
  if (meant?.kind === 'line') return meaning([meant.read])
  if (meant?.kind === 'misread' && meant.begun?.wrong !== undefined) return meant
  return misreadAt(soFar, at, surplusText(row, words[at] as Word, { taken: values, usage: usageOf(row) }))
}

interface WrongValue {
  readonly field: readonly [string, Field]
  readonly given: readonly string[]
  readonly reading: Extract<ReturnType<Field['read']>, { readonly wrong: unknown }>
  readonly isLed: boolean
}

/** Answers words that are no value of their field. The end of "monday to friday 9 to 18" would be another one. */
function wrongAt(soFar: SoFar, at: number, { field: [name, field], given, reading, isLed }: WrongValue): Read {
  const { row, rows, words, values } = soFar
  const end = at + given.length
  // In "keep my-llm up until I'm back", "up" isn't meant for the field that it could be for.
  const isBare = [words[at], words[end]].every((word) => word !== undefined && word.key === undefined)
  const { begun: other } = misreadAt(soFar, at, '')
  if (other && isBare && field.optional && field.kind !== 'zone' && !isLed) return meaning([other])
  // Times without days, and "nights", mean every day. The form offers that.
  const every = ['daily', ...given].join(' ').replace(/ night(s|ly)?$/i, ` ${night}`)
  const daily = field.kind === 'window' ? field.read(every) : null
  values[name] = daily !== null && 'value' in daily ? daily.value : undefined
  const isShown = exampled.has(field.kind) && field.key === undefined && values[name] === undefined
  const valuesOf = (line: string): FieldValues => {
    const read = readLine(line, rows)
    return read.kind === 'line' ? read.read.values : {}
  }
  const like = isShown ? (reading.example ?? exampleWith(row, name, values, valuesOf)) : undefined
  const example = exampleText(row, like, values)
  const says = example === '' ? reading.wrong : [reading.wrong, example]
  // Secrets are never repeated.
  const typed = field.kind !== 'secrets' && values[name] === undefined ? words.slice(isLed ? at - 1 : at, end) : []
  return misreadAt(soFar, at, says, { ...reading, says: reading.wrong, field: name, typed })
}

function misreadAt({ row, words, values }: SoFar, at: number, says: Words, wrong?: Incomplete['wrong']): Misread {
  const { field = '' } = wrong ?? {}
  const known = /when|window/.test(row.fields[field]?.kind ?? '') ? { ...values, [field]: '' } : values
  const begun = { row, values: { ...values, ...restFrom(row, words, at, known) }, wrong }
  return row.kind === 'operation' ? { ...misread(says), begun } : misread(says)
}

/** Returns the line if nothing is missing, after a lead either, and its values don't contradict each other. */
function wholeLine(row: Row, values: FieldValues, led: string | undefined): Read {
  const missing = Object.entries(row.fields).filter(
    ([name, field]) => values[name] === undefined && (!field.optional || name === led),
  )
  const [first] = missing
  if (first !== undefined) {
    const says = say('line.missing', { what: first[1].label, usage: usageOf(row) })
    return { kind: 'incomplete', row, values, missing: missing.map(([name]) => name), says }
  }
  const wrong = row.kind === 'operation' && row.nonsense?.(values)
  if (!wrong) return lineOf(row, values)
  const example = exampleText(row, wrong.example, values)
  return { kind: 'incomplete', row, values, missing: [], says: [wrong.says, example], wrong }
}

/** "For example: /endpoint stop my-llm", with the endpoint that was typed. */
function exampleText({ fields }: Row, example: string | undefined, values: FieldValues): Words {
  if (example === undefined) return ''
  const named = Object.entries(fields).find(([name, { kind }]) => kind === 'endpoint' && values[name] !== undefined)
  const about = named === undefined ? example : exampleAbout(writeWord(String(values[named[0]])), example)
  return say('line.example', { example: about })
}

/** Escaped quotes lengthen a canonical line, so its length is checked again. */
function lineOf(row: Row, values: FieldValues): Read {
  const line = writeLine(row, values)
  return line.length > longestLine
    ? misread(say('line.tooLong', { most: longestLine }))
    : { kind: 'line', read: { row, values, line } }
}

/** Writes the canonical line of a row, which `readLine` parses to the same values. `shown`: in today's spelling. */
export function writeLine(row: Row, values: FieldValues, shown?: 'shown'): string {
  const words = Object.entries(row.fields).flatMap(([name, field]) => {
    const { key: stored, typed = stored, lead, kind, span, unshown } = field
    const [key, value] = [shown === undefined ? stored : typed, values[name]]
    if (value === undefined || (shown !== undefined && unshown === true)) return []
    if (kind === 'line') return [String(value)]
    if (value === null && kind === 'secrets') return [`clear=${key}`]
    const word =
      value === null
        ? ''
        : span === undefined || kind === 'endpoint' || kind === 'text'
          ? writeWord(String(value))
          : String(value)
    if (key !== undefined) return [`${key}=${word}`]
    return lead === undefined ? [word] : [lead, word]
  })
  return [row.name, ...words].join(' ')
}

/** `/endpoint stop <endpoint> [reason="…"]` */
export function usageOf(row: Row): string {
  return ['/endpoint', row.name, ...Object.values(row.fields).map(({ hint }) => hint)].join(' ')
}

function misread(says: Words): Misread {
  return { kind: 'misread', says }
}
