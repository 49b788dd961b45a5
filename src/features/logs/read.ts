import { call } from '../../core/commands/call.ts'
import { at } from '../../core/commands/platform-steps.ts'
import type { LogLine, Tail, Tailed } from '../../core/model/answer.ts'
import type { Endpoint, LogFile } from '../../core/model/endpoint.ts'
import type { Outcome } from '../../core/ports/platform.ts'
import type { Asked, OwnOutcome } from '../../core/ports/query.ts'
import type { House } from '../../core/ports/services.ts'
import { type Mask, maskOf } from '../../core/text/redact.ts'
import { legible } from '../../core/text/unicode.ts'
import { filesNamed, type LogsValues, newestEach, newestFirst, offersOf, shortName } from './files.ts'
import { linesIn } from './log-line.ts'

/** How many files are read for one question, and how much of each is looked through for a word. */
const most = { files: 4, searched: 5_000, characters: 2_000_000, lines: 20_000 } as const
/** Characters looked at before others have a turn; to mask one is as much work as to look at twenty. */
const [turn, masking] = [320_000, 20]

/** The ends of an endpoint's newest log files, readable and without what is secret in them. */
export async function tailOf(house: House, { values, endpoint }: Asked): Promise<OwnOutcome<Tail>> {
  if (endpoint === undefined) throw new Error('Logs are those of an endpoint.')
  const asked = values as LogsValues
  const listed = await house.platform.send(call('get', '/endpoints/{endpoint_id}/logs', { params: at(endpoint) }))
  if (listed.kind !== 'answered') return listed
  const files = newestFirst(listed.answer)
  const fitting = asked.file === undefined ? newestEach(files, asked.replica) : filesNamed(files, asked.file)
  const chosen = fitting.slice(0, most.files)
  if (chosen.length === 0 || (asked.file !== undefined && fitting.length > 1)) return nothing(endpoint, files, asked)

  const known = await house.seals?.known()
  const hide = maskOf(known === undefined ? {} : { known })
  const ends = await Promise.all(chosen.map(async (file) => ({ file, end: await endOf(house, endpoint, file, asked) })))
  const read: { readonly file: LogFile; readonly outcome: Outcome<Tailed> }[] = []
  // One after the other, so that the turns of several do not add up.
  for (const { file, end } of ends) read.push({ file, outcome: await tailedOf(file, end, asked, hide) })
  const tails = read.flatMap(({ outcome }) => (outcome.kind === 'answered' ? [outcome.answer] : []))
  const [first] = read
  if (tails.length === 0 && first !== undefined && first.outcome.kind !== 'answered') return first.outcome
  const failures = read.flatMap(({ file, outcome }) =>
    outcome.kind === 'answered' ? [] : [`Replica ${file.replica} could not be read: ${hide(legible(outcome.says))}`],
  )
  const unread = [...failures, ...beyond(fitting.slice(most.files))]
  return { kind: 'answered', answer: { tails, files, unread } }
}

/** That there are more than are read at once, and how to read one of them. */
function beyond(left: readonly LogFile[]): readonly string[] {
  const [next] = left
  if (next === undefined) return []
  const were = left.length === 1 ? '1 more replica was' : `${left.length} more replicas were`
  return [`${were} not read. To read one, add its name, such as replica=${next.replica}.`]
}

function endOf(
  house: House,
  endpoint: Endpoint,
  file: LogFile,
  { lines = 50, search = '' }: LogsValues,
): Promise<Outcome<LogEnd>> {
  return readEnd((from, to) => readLines(house, endpoint, file, from, to), search === '' ? lines : most.searched)
}

async function tailedOf(
  file: LogFile,
  end: Outcome<LogEnd>,
  { lines = 50, search = '' }: LogsValues,
  hide: Mask,
): Promise<Outcome<Tailed>> {
  if (end.kind === 'refused' && end.status === 404) {
    const note = `The log file ${shortName(file)} is gone: the platform keeps a file only for a while after its replica has ended.`
    return { kind: 'answered', answer: { file, lines: [], note } }
  }
  if (end.kind !== 'answered') return end
  const found = await foundIn(end.answer.lines, search.toLowerCase(), lines, hide)
  const note = noteOn(file, end.answer.cutOff)
  return { kind: 'answered', answer: { file, lines: found, ...(note !== undefined && { note }) } }
}

/**
 * The newest lines with a word, at most `wanted`, oldest first. Only a line that has it is masked, and then it must still
 * have it: what is masked cannot be found by guessing at it.
 */
async function foundIn(
  records: readonly string[],
  word: string,
  wanted: number,
  hide: Mask,
): Promise<readonly LogLine[]> {
  const found: LogLine[] = []
  let characters: number = most.characters
  let lines: number = most.lines
  let work = 0
  for (const record of records.toReversed()) {
    for (const line of linesIn(record)) {
      if (found.length === wanted || characters < 0 || lines === 0) return found.toReversed()
      lines -= 1
      characters -= line.text.length
      work += line.text.length
      const text = legible(line.text)
      if (text.toLowerCase().includes(word)) {
        work += masking * line.text.length
        const shown = hide(text)
        const at = line.at === undefined ? {} : { at: hide(legible(line.at)) }
        if (shown.toLowerCase().includes(word)) found.push({ ...at, text: shown })
      }
      if (work < turn) continue
      work = 0
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
  return found.toReversed()
}

/** Lines of one file, both counted from 1; fewer come back where it ends. */
export async function readLines(
  house: House,
  endpoint: Endpoint,
  { node, filename }: LogFile,
  from: number,
  to: number,
): Promise<Outcome<readonly string[]>> {
  const query = { node_id: node, filename, start_line: from, end_line: to }
  const outcome = await house.platform.send(
    call('get', '/endpoints/{endpoint_id}/logs/file', { params: { ...at(endpoint), query } }),
  )
  if (outcome.kind !== 'answered') return outcome
  const content = outcome.answer.content.replace(/\n$/, '')
  return { kind: 'answered', answer: content === '' ? [] : content.split('\n') }
}

function noteOn(file: LogFile, cutOff: boolean): string | undefined {
  if (cutOff)
    return `${shortName(file)} has ${lastReadable.toLocaleString('en')} lines or more, and the platform shows none after that: newer lines cannot be read.`
  return file.historical ? `Replica ${file.replica} has ended; this is what it wrote last.` : undefined
}

function nothing(endpoint: Endpoint, files: readonly LogFile[], { file, replica }: LogsValues): OwnOutcome<Tail> {
  const { name } = endpoint
  const says =
    files.length === 0
      ? `${name} has no log files. The platform has them while replicas run, and keeps them for a while after.`
      : file !== undefined
        ? filesNamed(files, file).length > 1
          ? `More than one log file of ${name} is called “${file}”. Choose one:`
          : `${name} has no log file “${file}”, or not any more. There are:`
        : `${name} has no log file of a replica “${replica ?? ''}”. There are:`
  return { kind: 'none', says, offers: offersOf(endpoint, files) }
}

/** Reads lines `from` to `to`, both counted from 1; fewer come back where the file ends. */
export type ReadLines = (from: number, to: number) => Promise<Outcome<readonly string[]>>

export interface LogEnd {
  readonly lines: readonly string[]
  /** The number of the last of them; 0 in an empty file. */
  readonly last: number
  /** The file goes on after the last line that can be read. */
  readonly cutOff: boolean
}

/** The platform gives no line after this one (platform-api.md 3.10). */
export const lastReadable = 50_000
/** Lines of the first read, and how closely the end is found before the last one. */
const block = 1_000
/**
 * Lines of a read that only looks whether the file goes that far. What is read comes as one text, and a blank line at
 * the end of it cannot be told from none, so one line would not do.
 */
const peek = 10

/**
 * The last `wanted` lines of a file. The platform tells neither how many there are nor where they end, so the end is
 * looked for by reading a few lines ever further on and then between: at most 14 calls for the longest file.
 */
export async function readEnd(read: ReadLines, wanted: number): Promise<Outcome<LogEnd>> {
  const first = await read(1, block)
  if (first.kind !== 'answered') return first
  if (first.answer.length <= block - peek) return ended(first.answer, wanted, 1)

  let there = first.answer.length
  let missing = lastReadable + 1
  let next = block * 2
  while (missing - there > block) {
    const before = next - peek
    const probe = await read(before + 1, next)
    if (probe.kind !== 'answered' && !isPastTheEnd(probe)) return probe
    if (probe.kind === 'answered' && probe.answer.length > 0) there = before + probe.answer.length
    else missing = before + 1
    next = missing > lastReadable ? Math.min(there * 2, lastReadable) : Math.floor((there + missing) / 2)
  }
  const from = Math.max(1, there - wanted + 1)
  const rest = await read(from, missing - 1)
  return rest.kind === 'answered' ? ended(rest.answer, wanted, from) : rest
}

function ended(lines: readonly string[], wanted: number, from: number): Outcome<LogEnd> {
  const last = from - 1 + lines.length
  return { kind: 'answered', answer: { lines: lines.slice(-wanted), last, cutOff: last >= lastReadable } }
}

/** Reads of what has come since: a server writes as much as that in minutes only while it is hard at work. */
const mostBlocks = 3

/** The lines after line `after`, as far as three reads go. Where there may be more, the end is `cutOff`. */
export async function readOn(read: ReadLines, after: number): Promise<Outcome<LogEnd>> {
  const lines: string[] = []
  for (let blocks = 0; blocks < mostBlocks; blocks += 1) {
    const from = after + lines.length + 1
    const to = Math.min(from + block - 1, lastReadable)
    if (from > lastReadable) break
    const next = await read(from, to)
    if (next.kind !== 'answered' && !isPastTheEnd(next)) return next
    const answer = next.kind === 'answered' ? next.answer : []
    lines.push(...answer)
    // Blank lines at the end of a read are not seen, so a few lines less are no end.
    if (answer.length <= to - from + 1 - peek && to < lastReadable)
      return { kind: 'answered', answer: { lines, last: after + lines.length, cutOff: false } }
  }
  return { kind: 'answered', answer: { lines, last: after + lines.length, cutOff: true } }
}

/** Nobody says what a line after the end answers: nothing, or one of these. */
function isPastTheEnd(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'refused' && [400, 416, 422].includes(outcome.status)
}
