import { count, endpointName, optional, text, type Values } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint, LogFile } from '../../core/model/endpoint.ts'
import { jsonIn } from '../../core/model/formats.ts'
import type { LogLine, Offer, Tail } from '../../core/model/query-answer.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { OwnOutcome } from '../../core/ports/services.ts'
import { visible } from '../../core/time/format.ts'

export const logFields = {
  endpoint: endpointName(),
  replica: optional(text('replica', 'replica', 100)),
  lines: optional({ ...count('lines', 'lines', [1, 1_000]), hint: 'lines=50' }),
  search: optional(text('search', 'search', 100)),
  file: optional(text('file', 'file', 300)),
}
export type LogsValues = Values<typeof logFields>

/** Sorts live files first, then by their end, or by their name, which contains the day. */
export function newestFirst(files: readonly LogFile[]): readonly LogFile[] {
  const keyOf = ({ historical, end, start, filename }: LogFile) =>
    [historical ? '0' : '1', end ?? start ?? '', filename].join('\u0000')
  return files.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
}

/** Returns the newest file of each live replica, or the newest of all if none is live. `files` are newest first. */
export function newestEach(files: readonly LogFile[], replica: string | undefined): readonly LogFile[] {
  const wanted = files.filter((file) => replica === undefined || file.replica === replica)
  const live = wanted.filter(({ historical }) => !historical)
  const each = live.filter((file, at) => live.findIndex((one) => one.replica === file.replica) === at)
  return each.length > 0 ? each : wanted.slice(0, 1)
}

/** Returns files with this name, or with this last part of their name. */
export function filesNamed(files: readonly LogFile[], name: string): readonly LogFile[] {
  const whole = files.filter(({ filename }) => filename === name)
  return whole.length > 0 ? whole : files.filter(({ filename }) => filename.endsWith(`/${name}`))
}

/** Returns the last part of the path, which contains the endpoint, the replica and the day. */
export function shortName({ filename }: Pick<LogFile, 'filename'>): string {
  return filename.split('/').at(-1) || filename
}

const mostOffers = 8

/** Returns a button for each file, with its shortest unambiguous name. */
export function offersOf({ id }: Pick<Endpoint, 'id'>, files: readonly LogFile[]): readonly Offer[] {
  return files.slice(0, mostOffers).map((file) => {
    const short = shortName(file)
    const name = filesNamed(files, short).length === 1 ? short : file.filename
    return { label: short, line: `logs ${writeWord(id)} file=${writeWord(name)}` }
  })
}

/** Says that no file fits what was asked for, or that several do, and offers those that there are. */
export function noFile(endpoint: Endpoint, files: readonly LogFile[], { file, replica }: LogsValues): OwnOutcome<Tail> {
  const { name } = endpoint
  const none = (says: Words) => ({ kind: 'none', says, offers: offersOf(endpoint, files) }) as const
  if (files.length === 0) return none(say('logs.none', { name }))
  if (file === undefined) return none(say('logs.noReplica', { name, replica: replica ?? '' }))
  return filesNamed(files, file).length > 1
    ? none(say('logs.several', { name, file }))
    : none(say('logs.noFile', { name, file }))
}

/** Characters; longer lines are cut. */
const longest = 4_000

/** Yields the lines in one line of a log file, newest first. The platform wraps some as `{source, log, timestamp}`. */
export function* linesIn(raw: string): Generator<LogLine> {
  const { log, timestamp } = objectIn(raw)
  const isWrapped = typeof log === 'string'
  const text = isWrapped ? log : raw
  const at = isWrapped && typeof timestamp === 'string' ? { at: timestamp.slice(0, 40) } : {}
  // A pattern for the line breaks at the end would try each of the others, too.
  let last = text.length
  while (text[last - 1] === '\n') last -= 1
  for (let end = last; end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    yield { ...at, text: text.slice(start, Math.min(end, start + longest)) }
    end = start - 1
  }
}

/** Characters; parsing a longer text would take too long. */
const longestRecord = 2_000_000

function objectIn(raw: string): { readonly log?: unknown; readonly timestamp?: unknown } {
  const value = raw.length > longestRecord ? undefined : jsonIn(raw)
  return typeof value === 'object' && value !== null ? value : {}
}

const [esc, bell] = ['\u001b', '\u0007']
/** Escape sequences of terminals: a control sequence, a title, or a two-letter escape. */
const terminal = new RegExp(
  String.raw`${esc}(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^${bell}${esc}]{0,400}(?:${bell}|${esc}\\)|[ -/]?[0-Z\\^-~])`,
  'g',
)

/** Returns what a terminal would show: no colors, and only the last state of a line that overwrites itself. */
export function terminalText(output: string): string {
  const last = output
    .replace(terminal, '')
    .split('\r')
    .findLast((part) => part !== '')
  return visible(last ?? '').trimEnd()
}
