import { describe, expect, test } from 'vitest'
import { readLine } from '../../../src/core/commands/parse.ts'
import { rows } from '../../../src/features/command-table.ts'

/** The rows that a sentence is answered with or offered. */
function rowsFor(typed: string) {
  const read = readLine(typed, rows)
  if (read.kind === 'misread') return (read.near ?? []).map(({ row }) => row)
  return read.kind === 'line' ? [read.read.row, ...(read.perhaps?.near ?? []).map(({ row }) => row)] : [read.row]
}

const changes = rows.flatMap((row) => (row.kind === 'operation' && row.wants !== undefined ? [row] : []))
const words = changes.flatMap(({ name, hints = '' }) => [name, ...hints.split(',')])
const [korean, english] = [words.filter((word) => /[가-힣]/.test(word)), words.filter((word) => /^[a-z ]+$/.test(word))]

/** The words with which a sentence leads to a start or stop. */
function leadingToChange(sentence: string, among: readonly string[]): readonly string[] {
  const isChange = (word: string) =>
    rowsFor(sentence.replace('…', word)).some((row) => row.kind === 'operation' && row.wants !== undefined)
  return among.filter(isChange)
}

describe('Neither a start nor a stop is offered for', () => {
  test.each([
    'is it ok to … my-llm',
    'should I … my-llm',
    'can I … my-llm',
    'why did ben … my-llm',
    'my-llm …?',
    'what happens if I … my-llm',
    'don’t … my-llm',
    'dont … my-llm',
    'please dont … my-llm',
    'please do not … my-llm',
    'you must never … my-llm',
    'nobody may … my-llm',
    'isn’t my-llm …',
  ])('“%s”', (sentence) => {
    expect(english).toContain('turn off')
    expect(leadingToChange(sentence, english)).toEqual([])
  })

  test.each(['my-llm …도 돼?', 'my-llm …지 마', 'my-llm …면 안 돼', '왜 …', 'my-llm …까요', 'my-llm …지 말고'])(
    '“%s”',
    (sentence) => {
      expect(korean).toContain('꺼')
      expect(leadingToChange(sentence, korean)).toEqual([])
    },
  )
})

test('A rule that a sentence names comes before a start or stop now', () => {
  for (const [sentence, name] of [
    ['make sure my-llm is off at night', 'schedule'],
    ['turn my-llm off if nobody uses it', 'idle'],
    ['my-llm 주말에 꺼줘', 'schedule'],
  ] as const)
    expect(rowsFor(sentence).map((row) => row.name)).toEqual([name])
})

test('A sentence that wants something approves nothing', () => {
  for (const [sentence, name] of [
    ['i want my-llm off', 'stop'],
    ['my-llm 저녁 8시에 꺼지게 예약해줘', 'stop'],
    ['예약 목록', 'schedules'],
    ['list schedules', 'schedules'],
    ['bring my-llm back', 'start'],
  ] as const)
    expect(rowsFor(sentence).map((row) => row.name)).toEqual([name])
  expect(rowsFor('turn my-llm back off')[0]?.name).toBe('stop')
  for (const alone of ['ok', '네']) expect(rowsFor(alone).map(({ name }) => name)).toContain('approve')
})

test('The longest hint counts, and its words may have others between them', () => {
  expect(rowsFor('turn the big my-llm off').map(({ name }) => name)).toEqual(['stop'])
  expect(rowsFor('disable auto stop of my-llm').map(({ name }) => name)).toEqual(['idle'])
})
