import { Newer } from '../model/formats.ts'
import type { FieldValues, Via } from '../model/request.ts'
import { type Sentence, say } from '../model/words.ts'
import type { Nonsense, Operation, Query, Row } from './define.ts'
import { nearText } from './examples.ts'
import { rowOf } from './field-of-word.ts'
import { type Read, readLine, writeLine } from './parse.ts'

/** A parsed line: its row and the values of its fields. */
export interface Command<R extends Row = Row> {
  readonly row: R
  readonly values: FieldValues
}

/** The table of commands, for all code that parses or writes lines. */
export type Commands = Readonly<ReturnType<typeof createCommands>>

/** Parses a stored line of any age; null if none of these rows knows it. */
export function storedLine(line: string, rows: readonly Row[]): Command | null {
  const read = readLine(line, rows, 'stored')
  return read.kind === 'line' ? { row: read.read.row, values: read.read.values } : null
}

/** Splits a stored line into the line without its reason, and the reason. */
export function withoutReason(
  line: string,
  { stored }: Pick<Commands, 'stored'>,
): { readonly line: string; readonly reason?: string } {
  const command = stored(line)
  if (command === null) return { line }
  const { because, ...values } = command.values
  const unshown = Object.values(command.row.fields).some((field) => field.unshown === true)
  if (typeof because !== 'string') return { line: unshown ? writeLine(command.row, values, 'shown') : line }
  return { line: writeLine(command.row, values), reason: because }
}

/** `rows`: in the order of the help. */
export function createCommands(rows: readonly Row[]) {
  const stored = (line: string) => storedLine(line, rows)

  function known<R extends Row>(line: string, kind: R['kind'], what: string): Command<R> {
    const command = stored(line)
    if (command?.row.kind === kind) return command as Command<R>
    // Quotes only the verb, because people's words do not belong in the log.
    const verb = line.split(' ')[0]
    throw new Newer(`A line that begins with “${verb}” is not one of ${what} that this process knows.`)
  }

  return {
    rows,
    /** Finds a row by its name or a synonym. */
    find: (word: string) => rowOf(word, rows),
    /** Parses a typed or pressed line. Never throws. `via`: a line typed by a person may have another meaning. */
    parse: (typed: string, via?: Via) =>
      via === 'typed' ? unlessAmbiguous(readLine(typed, rows), rows) : readLine(typed, rows),
    /** Parses a stored line of any age. Null if this version does not know it. */
    stored,
    /** Parses the stored line of an operation. Throws Newer if this version does not know it. */
    operation: (line: string) => known<Operation>(line, 'operation', 'an operation'),
    query: (line: string) => known<Query>(line, 'query', 'a query'),
    /** Throws if no row has this name. */
    write: (name: string, values: FieldValues) => {
      const row = rows.find((one) => one.name === name)
      if (row === undefined) throw new Error(`No command is called ${name}.`)
      return writeLine(row, values)
    },
    called: (line: string, endpoint: { readonly name: string } | undefined) => calledLine(line, endpoint, rows),
  }
}

/** Returns what a line says so far; undefined if it names no command. */
export function begunIn(read: Read): (Command & { readonly wrong?: Nonsense | undefined }) | undefined {
  return read.kind === 'misread' ? read.begun : read.kind === 'line' ? read.read : read
}

/** "keep my-llm off" ends a pause but reads like a stop, so a person who types it is offered both. */
function unlessAmbiguous(read: Read, rows: readonly Row[]): Read {
  const begun = begunIn(read)
  if (begun === undefined || (read.kind === 'incomplete' && read.missing.length > 0)) return read
  const { row, values } = begun
  const either = read.kind === 'line' && 'for' in row.fields ? eitherEnd(values) : undefined
  if (either !== undefined)
    return {
      kind: 'misread',
      says: either,
      begun: { row, values: { ...values, until: undefined }, wrong: { says: either, field: 'until' } },
    }
  const lines = row.kind === 'operation' ? (row.meant?.(values, read.kind === 'misread') ?? []) : []
  const near = lines.flatMap((line) => {
    const meant = readLine(line, rows)
    return meant.kind === 'misread' ? [] : [meant.kind === 'line' ? meant.read : meant]
  })
  return near.length === 0 ? read : { kind: 'misread', says: nearText(lines), near }
}

/** "Until 18h" is 18:00 to many people, so it asks. */
function eitherEnd({ until }: FieldValues): Sentence | undefined {
  const [typed, hours] = /^(1[3-9]|2[0-3])h$/.exec(String(until)) ?? []
  return typed === undefined ? undefined : say('line.eitherEnd', { typed, hours: String(hours) })
}

/** Returns the table without the commands for people only, which programs are never offered. */
export function forPrograms({ rows }: Commands): Commands {
  return createCommands(rows.filter((row) => row.peopleOnly !== true))
}

/** Caches the last line, so that a request's line is parsed once. */
export function parseOnce({ operation, query }: Commands): Pick<Commands, 'operation' | 'query'> {
  return { operation: remembering(operation), query: remembering(query) }
}

function remembering<Result>(read: (line: string) => Result): (line: string) => Result {
  let last: { readonly line: string; readonly result: Result } | undefined
  return (line) => {
    if (last?.line !== line) last = { line, result: read(line) }
    return last.result
  }
}

/** Replaces the endpoint's id, as written by buttons and rules, with its name in a stored line. */
export function calledLine(line: string, endpoint: { readonly name: string } | undefined, rows: readonly Row[]) {
  const command = storedLine(line, rows)
  if (command === null) return line
  const { row, values } = command
  const named = endpoint !== undefined && 'endpoint' in row.fields && { endpoint: endpoint.name }
  return writeLine(row, { ...values, ...named }, 'shown')
}

/** Whether the table itself answers the query, without a worker. */
export function isFromTable(row: Row): row is Query {
  return row.kind === 'query' && row.call === undefined && row.own === undefined
}
