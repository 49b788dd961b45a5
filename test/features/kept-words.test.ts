import { describe, expect, test } from 'vitest'
import { rowOf } from '../../src/core/commands/field-of-word.ts'
import { readLine } from '../../src/core/commands/parse.ts'
import { rows } from '../../src/features/command-table.ts'
import kept from '../golden/words.json' with { type: 'json' }

/*
 * Later versions read stored lines again, so a word of the grammar may be hidden from people but is never removed.
 * Add new words to test/golden/words.json.
 */

/** The words of a row that a stored line may contain: synonyms of its verb, keys, leads and choices. */
function wordsOf(verb: string): readonly string[] {
  const row = rowOf(verb, rows)
  const fields = Object.values(row?.fields ?? {})
  return [
    ...(row?.also ?? []),
    ...fields.flatMap(({ key, lead, of = [], also = {} }) => [
      ...(key === undefined ? [] : [`${key}=`]),
      ...(lead === undefined ? [] : [lead]),
      ...of,
      ...Object.keys(also),
    ]),
  ].toSorted()
}

describe('The grammar', () => {
  test.each(Object.entries(kept))('still knows every word that %s ever had', (verb, { words, lines }) => {
    expect(words.filter((word) => !wordsOf(verb).includes(word))).toEqual([])
    const read = lines.map((line) => readLine(line, rows))
    expect(read.filter(({ kind }) => kind !== 'line')).toEqual([])
  })

  test('has no word that is not kept', () => {
    const now = rows.map(({ name, examples }) => [name, { words: wordsOf(name), lines: examples }] as const)
    const known: Readonly<Record<string, { readonly words: readonly string[]; readonly lines: readonly string[] }>> =
      kept
    const fresh = now.filter(([name, { words, lines }]) => {
      const before = known[name]
      return ![...words, ...lines].every((one) => before?.words.includes(one) === true || before?.lines.includes(one))
    })
    expect(Object.fromEntries(fresh)).toEqual({})
  })
})
