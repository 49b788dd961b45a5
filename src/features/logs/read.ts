import { at, call } from '../../core/commands/call.ts'
import type { Endpoint, LogFile } from '../../core/model/endpoint.ts'
import type { LogLine, Tail, Tailed } from '../../core/model/query-answer.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { Outcome } from '../../core/ports/platform.ts'
import type { OwnOutcome, QueryInput, Services } from '../../core/ports/services.ts'
import { maskOf } from '../../core/text/redact.ts'
import {
  filesNamed,
  type LogsValues,
  linesIn,
  newestEach,
  newestFirst,
  offersOf,
  shortName,
  terminalText,
} from './files.ts'

const usualLines = 50
/** The most files read for one answer, and the most lines and characters searched in each. */
const most = { files: 4, searched: 5_000, characters: 2_000_000, lines: 20_000 } as const
/** Characters searched before other work in this process gets a turn. Masking one costs as much as searching 20. */
const [turn, maskingCost] = [320_000, 20]

/** Returns the last lines of an endpoint's newest log files, with secrets masked. */
export async function tailOf(services: Services, { values, endpoint }: QueryInput): Promise<OwnOutcome<Tail>> {
  if (endpoint === undefined) throw new Error('Logs need an endpoint.')
  const asked = values as LogsValues
  const listed = await services.platform.send(call('get', '/endpoints/{endpoint_id}/logs', { params: at(endpoint) }))
  if (listed.kind !== 'answered') return listed
  const files = newestFirst(listed.answer)
  const fitting = asked.file === undefined ? newestEach(files, asked.replica) : filesNamed(files, asked.file)
  const chosen = fitting.slice(0, most.files)
  if (chosen.length === 0 || (asked.file !== undefined && fitting.length > 1)) return nothing(endpoint, files, asked)

  const known = await services.seals?.known()
  const hide = maskOf(known === undefined ? {} : { known })
  const wanted = asked.search ? most.searched : (asked.lines ?? usualLines)
  const ends = await Promise.all(
    chosen.map(async (file) => ({ file, end: await readEnd(readerOf(services, endpoint, file), wanted) })),
  )
  const tails: Tailed[] = []
  const unread: Words[] = []
  let failure: OwnOutcome<Tail> | undefined
  // One after the other, so that other work gets its turn.
  for (const { file, end } of ends) {
    const outcome = await tailedOf(file, end)
    if (outcome.kind === 'answered') {
      tails.push(outcome.answer)
      continue
    }
    failure ??= outcome
    const { says } = outcome
    const why = typeof says === 'string' ? hide(terminalText(says)) : says
    unread.push(say('logs.unread', { replica: file.replica, why }))
  }
  if (tails.length === 0 && failure !== undefined) return failure
  const [next, ...others] = fitting.slice(most.files)
  if (next) unread.push(say('logs.more', { count: others.length + 1, example: `replica=${next.replica}` }))
  return { kind: 'answered', answer: { tails, files, unread } }

  async function tailedOf(file: LogFile, end: Outcome<LogEnd>): Promise<Outcome<Tailed>> {
    if (end.kind === 'refused' && end.status === 404) {
      const note = say('logs.gone', { file: shortName(file) })
      return { kind: 'answered', answer: { file, lines: [], note } }
    }
    if (end.kind !== 'answered') return end
    const found = await foundIn(end.answer.lines)
    const ended = file.historical && { note: say('logs.ended', { replica: file.replica }) }
    const note = end.answer.cutOff && {
      note: say('logs.cutOff', { file: shortName(file), most: lastReadable }),
    }
    return { kind: 'answered', answer: { file, lines: found, ...ended, ...note } }
  }

  /** Returns the newest lines with a word, oldest first. They match after masking, so no search can guess a secret. */
  async function foundIn(records: readonly string[]): Promise<readonly LogLine[]> {
    const { lines: wanted = usualLines, search = '' } = asked
    const word = search.toLowerCase()
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
        const text = terminalText(line.text)
        if (text.toLowerCase().includes(word)) {
          work += maskingCost * line.text.length
          const shown = hide(text)
          const at = line.at === undefined ? {} : { at: hide(terminalText(line.at)) }
          if (shown.toLowerCase().includes(word)) found.push({ ...at, text: shown })
        }
        if (work < turn) continue
        work = 0
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    }
    return found.toReversed()
  }
}

type ReadLines = (from: number, to: number) => Promise<Outcome<readonly string[]>>

/** Returns a reader of lines `from` to `to` of a file, counted from 1; it reads fewer at the end. */
export function readerOf({ platform }: Services, endpoint: Endpoint, { node, filename }: LogFile): ReadLines {
  return async (from, to) => {
    const params = { ...at(endpoint), query: { node_id: node, filename, start_line: from, end_line: to } }
    const outcome = await platform.send(call('get', '/endpoints/{endpoint_id}/logs/file', { params }))
    if (outcome.kind !== 'answered') return outcome
    const content = outcome.answer.content.replace(/\n$/, '')
    return { kind: 'answered', answer: content === '' ? [] : content.split('\n') }
  }
}

function nothing(endpoint: Endpoint, files: readonly LogFile[], { file, replica }: LogsValues): OwnOutcome<Tail> {
  const { name } = endpoint
  const none = (says: Words) => ({ kind: 'none', says, offers: offersOf(endpoint, files) }) as const
  if (files.length === 0) return none(say('logs.none', { name }))
  if (file === undefined) return none(say('logs.noReplica', { name, replica: replica ?? '' }))
  return filesNamed(files, file).length > 1
    ? none(say('logs.several', { name, file }))
    : none(say('logs.noFile', { name, file }))
}

interface LogEnd {
  readonly lines: readonly string[]
  /** The number of the last line; 0 in an empty file. */
  readonly last: number
  /** The file has more lines than can be read. */
  readonly cutOff: boolean
}

/** The platform returns no line of a file after this one. */
export const lastReadable = 50_000
/** Lines of the first read. The search for the end stops at this precision. */
const block = 1_000
/** Lines of a read that only checks the length: several, because blank lines at the end of a read are dropped. */
const peek = 10

/** Reads the last `wanted` lines of a file, whose length is found by doubling and bisection, in at most 14 calls. */
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

/** The most reads: a server that writes more between two checks is certainly busy. */
const mostBlocks = 3

/** Reads the lines after line `after`. `cutOff` if there may be more than three reads return. */
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
    // A few missing lines may be blank lines, so they don't mean the end.
    if (answer.length <= to - from + 1 - peek && to < lastReadable)
      return { kind: 'answered', answer: { lines, last: after + lines.length, cutOff: false } }
  }
  return { kind: 'answered', answer: { lines, last: after + lines.length, cutOff: true } }
}

/** The answer for a line after the end is undocumented: an empty one, or one of these. */
function isPastTheEnd(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'refused' && [400, 416, 422].includes(outcome.status)
}
