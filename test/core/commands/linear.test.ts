import { afterAll, beforeAll, expect, test } from 'vitest'
import { longestLine, readLine } from '../../../src/core/commands/parse.ts'
import { wordsOf } from '../../../src/core/commands/quoting.ts'
import { rows } from '../../../src/features/command-table.ts'
import { type Counter, startCounting } from './counting.ts'

// The parser must not run before counting starts, so these tests have their own file.
let counter: Counter
beforeAll(async () => {
  counter = await startCounting()
})
afterAll(() => counter.stop())

/** The most blocks that the tokenizer may execute per character; it never backtracks. */
const most = 8

const parts = ['a', ' ', '"', "'", '\\', 'a ', 'a=', '"a" ', '"a ', '“a” ', '\\"', 'a="b" ', '=', '\u200b', 'aé ', '‘’']

test.each(parts)('tokenizing a line of repeated %j takes time linear in its length', async (part) => {
  for (const length of [1_000, 10_000, 100_000]) {
    const line = part.repeat(length / part.length)
    for (const text of [line, `"${line}`, `because=${line}`])
      expect(await counter.stepsOf('commands/quoting', () => wordsOf(text))).toBeLessThan(most * length + 100)
  }
})

test('the counter really counts', async () => {
  const steps = await counter.stepsOf('commands/quoting', () => wordsOf('a '.repeat(1_000)))
  expect(steps).toBeGreaterThan(3_000)
})

test('a line that is too long is refused without being parsed', async () => {
  for (const length of [longestLine + 1, 100_000])
    expect(await counter.stepsOf('/src/', () => readLine('a '.repeat(length), rows))).toBeLessThan(10)
})

test.each([...parts, 'stop ', 'x=y ', 'explain '])(
  'the longest line of repeated %j is parsed in few steps',
  async (part) => {
    const rest = part.repeat(longestLine).slice(0, longestLine - 10)
    for (const verb of ['', 'stop ', 'list ', 'stpo ', 'help ', 'explain ', 'stop "', 'stop because="']) {
      const steps = await counter.stepsOf('/src/', () => readLine(`${verb}${rest}`, rows))
      expect(steps).toBeLessThan(20 * longestLine)
    }
  },
)

test.each(['a', 'ab', 'st', 'stop', 'stpo', '=', '𝕊'])(
  'near misses for a verb of repeated %j are found in few steps',
  async (part) => {
    const line = `${part.repeat(longestLine / part.length - 10)} my-llm`
    expect(await counter.stepsOf('fuse', () => readLine(line, rows))).toBeLessThan(200_000)
  },
)
