import { at, call } from '../../core/commands/call.ts'
import type { Endpoint, LogFile, Replica } from '../../core/model/endpoint.ts'
import type { LogPlace, LogTail } from '../../core/ports/endpoint-use.ts'
import type { Outcome } from '../../core/ports/platform.ts'
import type { Services } from '../../core/ports/services.ts'
import { linesIn, newestEach, newestFirst } from './files.ts'

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

export interface LogEnd {
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

/** With more replicas, no logs are read, because that would take too long. */
const mostReplicas = 8
/** Lines read from a log that was not read before; they may be of any time. */
const firstLines = 10

/** Lets the watch continue in the newest log file of each replica. */
export function logReader(services: Services, endpoint: Endpoint, replicas: readonly Replica[]) {
  return replicas.length > mostReplicas ? {} : { logs }

  async function logs(from: Readonly<Record<string, LogPlace>>): Promise<Readonly<Record<string, LogTail>>> {
    const params = { ...at(endpoint), query: { include_history: false } }
    const listed = await services.platform.send(call('get', '/endpoints/{endpoint_id}/logs', { params }))
    if (listed.kind !== 'answered') return {}
    const files = newestFirst(listed.answer.filter(({ historical }) => !historical))
    const tails: Record<string, LogTail> = {}
    // One by one, because people wait for the same API.
    for (const { id } of replicas) {
      const [file] = newestEach(files, id)
      const tail = file === undefined ? null : await readLog(file, from[id])
      if (tail !== null) tails[id] = tail
    }
    return tails
  }

  async function readLog(file: LogFile, from: LogPlace | undefined): Promise<LogTail | null> {
    const line = from?.file === file.filename ? from.line : undefined
    const read = readerOf(services, endpoint, file)
    const outcome = await (line === undefined ? readEnd(read, firstLines) : readOn(read, line))
    if (outcome.kind !== 'answered') return null
    const { lines, last, cutOff } = outcome.answer
    const place = { file: file.filename, line: last }
    // The lines are judged, but neither kept nor shown.
    return { place, lines: lines.flatMap((one) => [...linesIn(one)]), whole: line !== undefined && !cutOff }
  }
}
