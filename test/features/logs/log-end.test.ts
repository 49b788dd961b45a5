import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../../src/core/ports/platform.ts'
import { lastReadable, readEnd, readOn } from '../../../src/features/logs/read.ts'

/** A file with this many numbered lines, read under the platform's limits. */
function fileOf(length: number, beyond: Outcome<readonly string[]> = { kind: 'answered', answer: [] }) {
  const reads: [number, number][] = []
  async function read(from: number, to: number): Promise<Outcome<readonly string[]>> {
    if (from < 1 || to < from || to > lastReadable) throw new Error(`The platform refuses lines ${from} to ${to}.`)
    reads.push([from, to])
    if (from > length) return beyond
    const count = Math.min(to, length) - from + 1
    return { kind: 'answered', answer: Array.from({ length: count }, (_, at) => `${from + at}`) }
  }
  return { read, reads }
}

describe('The end of a file', () => {
  test('is found for any length in at most 14 reads of bounded size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60_000 }),
        fc.constantFrom(1, 50, 1_000, 5_000),
        async (length, wanted) => {
          const { read, reads } = fileOf(length)
          const end = await readEnd(read, wanted)
          const last = Math.min(length, lastReadable)
          const first = Math.max(1, last - wanted + 1)
          const lines = Array.from({ length: last - first + 1 }, (_, at) => `${first + at}`)
          expect(end).toEqual({ kind: 'answered', answer: { lines, last, cutOff: length >= lastReadable } })
          expect(reads.length).toBeLessThanOrEqual(14)
          const size = reads.reduce((sum, [from, to]) => sum + to - from + 1, 0)
          expect(size).toBeLessThanOrEqual(wanted + 2_200)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('is not mistaken for a few blank lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60_000 }),
        fc.array(fc.constantFrom(999, 1_000, 1_001, 2_000, 4_000, 8_000, 16_000, 32_000, 49_999)),
        fc.nat({ max: 7 }),
        async (length, blanks, more) => {
          const blank = new Set(blanks.flatMap((at) => Array.from({ length: more + 1 }, (_, after) => at + after)))
          const { read } = fileOf(length)
          // Like the platform, which drops blank lines at the end of a read.
          const end = await readEnd(async (from, to) => {
            const outcome = await read(from, to)
            if (outcome.kind !== 'answered') return outcome
            const lines = outcome.answer.map((line) => (blank.has(Number(line)) ? '' : line))
            return { kind: 'answered', answer: lines.slice(0, lines.findLastIndex((line) => line !== '') + 1) }
          }, 100)
          const written = (at: number) => at <= Math.min(length, lastReadable) && !blank.has(at)
          let newest = lastReadable
          while (newest > 0 && !written(newest)) newest -= 1
          expect(end).toMatchObject({ kind: 'answered' })
          expect(end.kind === 'answered' && end.answer.lines.at(-1)).toBe(`${newest}`)
        },
      ),
      { numRuns: 300 },
    )
  })

  test.each([400, 416, 422])('is also found if a line after it is answered with %d', async (status) => {
    const { read } = fileOf(3_456, { kind: 'refused', status, says: 'No such line.' })
    expect(await readEnd(read, 2)).toEqual({
      kind: 'answered',
      answer: { lines: ['3455', '3456'], last: 3_456, cutOff: false },
    })
  })

  test('is not guessed if the platform does not answer', async () => {
    const away: Outcome<never> = { kind: 'unreached', says: 'Nobody there.' }
    expect(await readEnd(fileOf(3_456, away).read, 2)).toEqual(away)
    const gone: Outcome<never> = { kind: 'refused', status: 404, says: 'Log file not found' }
    expect(await readEnd(fileOf(3_456, gone).read, 2)).toEqual(gone)
  })
})

describe('The lines since the last read', () => {
  test('are all lines after it, however many', async () => {
    const { read, reads } = fileOf(3_456)
    const end = await readOn(read, 1_400)
    const lines = Array.from({ length: 2_056 }, (_, at) => `${1_401 + at}`)
    expect(end).toEqual({ kind: 'answered', answer: { lines, last: 3_456, cutOff: false } })
    expect(reads).toHaveLength(3)
  })

  test.each([400, 416, 422])('are empty if a line after it is answered with %i', async (status) => {
    const { read } = fileOf(20, { kind: 'refused', status, says: 'No.' })
    expect(await readOn(read, 20)).toEqual({ kind: 'answered', answer: { lines: [], last: 20, cutOff: false } })
  })

  test('are cut off if three reads don’t reach the end or the platform’s limit is reached', async () => {
    expect(await readOn(fileOf(9_000).read, 100)).toMatchObject({ answer: { last: 3_100, cutOff: true } })
    expect(await readOn(fileOf(60_000).read, 49_900)).toMatchObject({ answer: { last: lastReadable, cutOff: true } })
    expect(await readOn(fileOf(60_000).read, lastReadable)).toMatchObject({ answer: { lines: [], cutOff: true } })
  })

  test('are not guessed if the platform does not answer', async () => {
    const { read } = fileOf(20, { kind: 'refused', status: 500, says: 'No.' })
    expect(await readOn(read, 20)).toMatchObject({ kind: 'refused', status: 500 })
  })
})
