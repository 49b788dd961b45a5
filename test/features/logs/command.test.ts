import { describe, expect, test } from 'vitest'
import { readLine } from '../../../src/core/commands/parse.ts'
import type { LogFile } from '../../../src/core/model/endpoint.ts'
import type { Tail } from '../../../src/core/model/query-answer.ts'
import { rows } from '../../../src/features/command-table.ts'
import { logs } from '../../../src/features/logs/command.ts'
import { filesNamed, linesIn, newestEach, newestFirst, offersOf } from '../../../src/features/logs/files.ts'
import { english } from '../../support/words.ts'

function file(replica: string, name: string, more: Partial<LogFile> = {}): LogFile {
  const filename = `org/proj/${replica}/container/${name}`
  return { node: 'n1', replica, filename, historical: false, start: null, end: null, ...more }
}

const old = file('r1', 'a-1.log', { historical: true, end: '2026-11-01T00:00:00Z' })
const older = file('r1', 'a-0.log', { historical: true, end: '2026-10-01T00:00:00Z' })
const yesterday = file('r2', 'b-20261119.log')
const today = file('r2', 'b-20261120.log')
const other = file('r3', 'c-20261120.log')

describe('A log file', () => {
  test('that is still written comes first, then the newest', () => {
    expect(newestFirst([older, yesterday, old, today])).toEqual([today, yesterday, old, older])
  })

  test('is read if it is a live replica’s newest', () => {
    const files = newestFirst([older, yesterday, other, old, today])
    expect(newestEach(files, undefined)).toEqual([other, today])
    expect(newestEach(files, 'r2')).toEqual([today])
  })

  test('of an ended replica is read if no replica is live', () => {
    expect(newestEach(newestFirst([older, old]), undefined)).toEqual([old])
    expect(newestEach(newestFirst([older, today, old]), 'r1')).toEqual([old])
  })

  test('is named by its path or its file name, never by part of a name', () => {
    expect(filesNamed([old, today], today.filename)).toEqual([today])
    expect(filesNamed([old, today], 'b-20261120.log')).toEqual([today])
    expect(filesNamed([old, today], '20261120.log')).toEqual([])
  })

  test('has a button with the shortest unique name, whose line parses', () => {
    const twin = file('r9', 'a-1.log')
    const offers = offersOf({ id: 'ep-llm' }, [old, twin, today])
    expect(offers.map(({ line }) => line)).toEqual([
      `logs ep-llm file=${old.filename}`,
      `logs ep-llm file=${twin.filename}`,
      'logs ep-llm file=b-20261120.log',
    ])
    for (const { line } of offers) expect(readLine(line, rows)).toMatchObject({ kind: 'line' })
  })
})

describe('A line of a log file', () => {
  test.each([
    [
      '{"source":"stderr","log":"ready","timestamp":"2026-04-08T10:01:37.000Z"}',
      [['2026-04-08T10:01:37.000Z', 'ready']],
    ],
    [
      '{"log":"one\\ntwo\\n"}',
      [
        [undefined, 'one'],
        [undefined, 'two'],
      ],
    ],
    ['plain words', [[undefined, 'plain words']]],
    ['{"level":"info","msg":"x"}', [[undefined, '{"level":"info","msg":"x"}']]],
    ['{"log":12,"timestamp":"t"}', [[undefined, '{"log":12,"timestamp":"t"}']]],
    ['[1,2]', [[undefined, '[1,2]']]],
    ['null', [[undefined, 'null']]],
    ['{"log":', [[undefined, '{"log":']]],
    ['', [[undefined, '']]],
  ])('(%s) is read as its text and time', (raw, lines) => {
    expect([...linesIn(raw)].reverse().map(({ at, text }) => [at, text])).toEqual(lines)
  })

  test('is read at once after a million blank lines, which would hold the worker for minutes if each were tried', () => {
    expect(linesIn(`${'\n'.repeat(1_000_000)}ready\n`).next().value).toEqual({ text: 'ready' })
  })
})

describe('logs', () => {
  const context = { values: { endpoint: 'my-llm' }, project: 'default', role: null, rows, now: 0 }
  const endpoint = { id: 'ep-llm', name: 'my-llm', active: true }

  function tail(count: number, length: number, replicas = 1): Tail {
    const files = Array.from({ length: replicas }, (_, at) => file(`r${at}`, `a${at}.log`))
    const lines = Array.from({ length: count }, (_, at) => ({ text: `${at} `.padEnd(length, 'x') }))
    return { files, unread: [], tails: files.map((one) => ({ file: one, lines })) }
  }

  test('need no file if they fit into a message', () => {
    const shown = logs.show(tail(10, 100), { ...context, endpoint })
    expect(shown.block).toHaveLength(10)
    expect(shown.files).toBeUndefined()
  })

  test.each([
    ['2026-04-08T10:01:37.000Z', false],
    ['2026-04-08T10:01:37+09:00', false],
    ['2026-04-08T10:01:37', true],
    ['08-04-2026', true],
    [undefined, true],
  ])('with the time %s say that its zone is unknown: %s', (at, isSaid) => {
    const [file] = tail(0, 0).files
    const lines = [{ ...(at !== undefined && { at }), text: 'ready' }]
    const shown = logs.show({ files: [], unread: [], tails: file ? [{ file, lines }] : [] }, { ...context, endpoint })
    expect([shown.foot ?? ''].flat().map(english).join('').includes('time zone unknown')).toBe(isSaid)
  })

  test.each([
    [1_000, 300, 1],
    [1, 4_000, 1],
    [1_000, 4_000, 4],
    [50, 2, 4],
  ])('of %d lines of %d characters of %d replicas stay within a message and a megabyte', (count, length, replicas) => {
    const shown = logs.show(tail(count, length, replicas), { ...context, endpoint })
    const text = (shown.block ?? []).map(english).join('\n')
    expect(text.length).toBeLessThanOrEqual(2_900)
    expect(text).toContain(`${count - 1} `)
    for (const { text: whole } of shown.files ?? []) expect(whole.length).toBeLessThanOrEqual(1_000_000)
  })

  test('need the operator role', () => {
    expect(logs.needs?.({})).toBe('operator')
  })
})
