import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Row } from '../../../src/core/commands/define.ts'
import type { Field } from '../../../src/core/commands/fields.ts'
import { longestLine, readLine, writeLine } from '../../../src/core/commands/parse.ts'
import type { Value } from '../../../src/core/model/request.ts'
import { commands, rows } from '../../../src/features/command-table.ts'
import { tries } from '../../support/search.ts'
import { anyText } from '../../support/text.ts'
import { english } from '../../support/words.ts'

const nasty = fc.constantFrom(
  ...rows.flatMap(({ name, also }) => [name, ...(also ?? [])]),
  ...Array.from('"\'“”‘’«»\\= \t\n\u0000\u200b\u202e\ud800&<>|@!#*_~`'),
  'because=',
  'explain ',
  'search=',
  'page=',
  '__proto__=',
  'constructor',
  '<@U0ANA|ana>',
  '<!channel>',
  '&lt;',
)

/** Arbitrary text, most of which resembles a line. */
const anything = fc.oneof(
  anyText(1_200),
  fc
    .array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 80 })
    .map((all) => all.join('')),
  fc.array(nasty, { maxLength: 20 }).map((all) => all.join(' ')),
)

describe('Arbitrary text', () => {
  test('is parsed as a line or answered with a sentence, and never throws', () => {
    fc.assert(
      fc.property(anything, (typed) => {
        const read = readLine(typed, rows)
        if (read.kind === 'line') expect(rows).toContain(read.read.row)
        else expect(english(read.says).trim()).not.toBe('')
      }),
      { numRuns: tries(10_000) },
    )
  })

  test('has one canonical line, which parses to the same row and values', () => {
    let lines = 0
    fc.assert(
      fc.property(anything, (typed) => {
        const first = readLine(typed, rows)
        if (first.kind !== 'line') return
        lines += 1
        // A bare name may have other meanings, but only as typed: its canonical line says status.
        expect(readLine(first.read.line, rows)).toEqual({ kind: 'line', read: first.read })
        const stored =
          first.read.row.kind === 'query' ? commands.query(first.read.line) : commands.operation(first.read.line)
        expect(stored).toEqual({ row: first.read.row, values: first.read.values })
      }),
      { numRuns: tries(10_000) },
    )
    expect(lines).toBeGreaterThan(tries(1_000))
  })
})

describe('A stored line of the wrong kind', () => {
  test.each(['', 'stop', 'list', 'nonsense at all', 'stop "x'])('throws when read as an operation: %j', (line) => {
    expect(() => commands.operation(line)).toThrow('is not one of an operation that this process knows')
  })

  test.each(['stop my-llm', 'nonsense at all', 'list page=0'])('throws when read as a query: %j', (line) => {
    expect(() => commands.query(line)).toThrow('is not one of a query that this process knows')
  })
})

/** Text as `plain` returns it: all whitespace is spaces, nothing is invisible. */
const visible = fc
  .string({ unit: fc.oneof(nasty, anyText(1)), maxLength: 60 })
  .map((text) => text.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, ''))

/** Words that at least one field accepts. */
const likely = fc.constantFrom(...'my-llm 1 80 8080 /healthz /a/b DB_URL A,B_2 7d 12h @U0ANA me r1 yes'.split(' '), '')

const typical: Partial<Record<Field['kind'], fc.Arbitrary<string>>> = {
  person: fc.constantFrom('@U0ANA', '@W0BEN', '@nobody'),
  window: fc.constantFrom('weekdays 09:00-20:00', 'sat-sun', 'mon,wed 22:00-06:00', 'daily', 'weekdays 25:00-26:00'),
  zone: fc.constantFrom('Asia/Seoul', 'UTC', 'europe/berlin', 'KST'),
  when: fc.constantFrom('19:00', '4h', 'fri 18:00', 'tomorrow', '2026-12-24 09:30', 'Mon', 'soon'),
}

/** Generates a value that the field accepts, or undefined if none is found or needed. */
function arbitraryOf(field: Field): fc.Arbitrary<Value | undefined> {
  if (field.kind === 'line') return fc.constantFrom(...rows.flatMap(({ examples }) => examples).flatMap(canonical))
  const own = field.of === undefined ? (typical[field.kind] ?? likely) : fc.constantFrom(...field.of)
  const words = fc.array(fc.oneof(visible, own), { minLength: 12, maxLength: 12 })
  const value = words.map((all) => {
    const taken = all.map((word) => field.read(word)).find((reading) => 'value' in reading)
    return taken !== undefined && 'value' in taken ? taken.value : undefined
  })
  // Null means a removed value, and so does an empty one.
  if (field.clearable) return fc.option(fc.option(value.map((one) => (one === '' ? null : one))), { nil: undefined })
  return field.optional ? fc.option(value, { nil: undefined }) : value
}

/** Returns the canonical spelling, which is what a line about another line contains. */
function canonical(line: string): readonly string[] {
  const read = readLine(line, rows)
  return read.kind === 'line' && !('line' in read.read.row.fields) ? [read.read.line] : []
}

function valuesOf({ fields }: Row): fc.Arbitrary<Record<string, Value | undefined>> {
  return fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, arbitraryOf(field)])))
}

test.each(rows.map((row) => [row.name, row] as const))(
  'a line of %s parses back to any values it was written with',
  (_, row) => {
    let lines = 0
    fc.assert(
      fc.property(valuesOf(row), (values) => {
        // A line without a required value is not a line.
        if (Object.entries(row.fields).some(([name, { optional }]) => !optional && values[name] === undefined)) return
        const line = writeLine(row, values)
        const read = readLine(line, rows)
        // Some values contradict each other or make the line too long.
        if (read.kind === 'incomplete' || line.length > longestLine) return
        const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
        expect(read).toEqual({ kind: 'line', read: { row, values: given, line } })
        lines += 1
      }),
      // Most combinations of such a row are contradictory, so more are tried.
      { numRuns: row.kind === 'operation' && row.nonsense !== undefined ? tries(3_000, 2) : tries(1_000, 2) },
    )
    expect(lines).toBeGreaterThan(200)
  },
)
