import type { Outcome } from './platform.ts'

/** Reads lines `from` to `to`, both counted from 1; fewer come back where the file ends. */
export type ReadLines = (from: number, to: number) => Promise<Outcome<readonly string[]>>

export interface LogEnd {
  readonly lines: readonly string[]
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
  if (first.answer.length <= block - peek) return ended(first.answer, wanted, false)

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
  const last = await read(Math.max(1, there - wanted + 1), missing - 1)
  return last.kind === 'answered' ? ended(last.answer, wanted, there === lastReadable) : last
}

function ended(lines: readonly string[], wanted: number, cutOff: boolean): Outcome<LogEnd> {
  return { kind: 'answered', answer: { lines: lines.slice(-wanted), cutOff } }
}

/** Nobody says what a line after the end answers: nothing, or one of these. */
function isPastTheEnd(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'refused' && [400, 416, 422].includes(outcome.status)
}
