import type { Outcome } from './platform.ts'

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
