import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wordsOf, writeWord } from '../../../src/core/commands/quoting.ts'
import { anyText } from '../../support/text.ts'

describe('The tokenizer', () => {
  test.each<[string, ReturnType<typeof wordsOf>]>([
    ['', []],
    ['   ', []],
    ['stop my-llm', [{ value: 'stop' }, { value: 'my-llm' }]],
    ['  stop \t my-llm  ', [{ value: 'stop' }, { value: 'my-llm' }]],
    ['stop\u00a0my-llm\u3000now', [{ value: 'stop' }, { value: 'my-llm' }, { value: 'now' }]],
    ['because="moving to v2"', [{ key: 'because', value: 'moving to v2' }]],
    ['BECAUSE=x', [{ key: 'because', value: 'x' }]],
    ['because=', [{ key: 'because', value: '' }]],
    ['because= x', [{ key: 'because', value: '' }, { value: 'x' }]],
    ['a=b=c', [{ key: 'a', value: 'b=c' }]],
    ['=x', [{ value: '=x' }]],
    ['"a=b"', [{ value: 'a=b' }]],
    ["'my llm'", [{ value: 'my llm' }]],
    ['"it\'s"', [{ value: "it's" }]],
    ['it’s', [{ value: 'it’s' }]],
    ['"say \\"hi\\" \\\\"', [{ value: 'say "hi" \\' }]],
    ['"a"b', [{ value: 'a' }, { value: 'b' }]],
    ['a"b', [{ value: 'a"b' }]],
    ['\\', [{ value: '\\' }]],
  ])('splits %j into words', (line, words) => {
    expect(wordsOf(line)).toEqual(words)
  })

  test.each([
    '“my llm”',
    '„my llm“',
    '”my llm”',
    '«my llm»',
    '»my llm«',
    '“my llm"',
    '‘my llm’',
    '‚my llm‘',
    "'my llm’",
  ])('accepts the quotation marks of %s', (line) => {
    expect(wordsOf(line)).toEqual([{ value: 'my llm' }])
  })

  test('keeps an apostrophe between quotation marks of another kind', () => {
    expect(wordsOf('“ana’s llm” "ben\'s llm"')).toEqual([{ value: 'ana’s llm' }, { value: "ben's llm" }])
  })

  test.each(['"', "'", 'stop "my llm', 'because="', 'because="a\\"', '“open', 'x ‘y'])(
    'finds no closing quote in %j',
    (line) => {
      expect(wordsOf(line)).toBeNull()
    },
  )

  test('drops invisible characters', () => {
    const hidden = [
      '\u0000',
      '\u0007',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u00ad',
      '\u200b',
      '\u200d',
      '\u202e',
      '\u2066',
      '\ufeff',
    ]
    for (const mark of hidden) {
      const words = wordsOf(`stop my${mark}-llm`)?.map(({ value }) => value)
      // Some of them count as whitespace; none is ever part of a word.
      expect([
        ['stop', 'my-llm'],
        ['stop', 'my', '-llm'],
      ]).toContainEqual(words)
    }
  })
})

/** Any typed text: all whitespace is spaces, nothing is invisible. */
const typed = fc
  .string({
    unit: fc.oneof(fc.constantFrom(...Array.from('"\'“”„‟«»‘’‚\\= -ab')), anyText(1)),
  })
  .map((text) => text.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, ''))

describe('A written word', () => {
  test('is read back unchanged, whatever it contains', () => {
    fc.assert(
      fc.property(typed, (value) => {
        expect(wordsOf(writeWord(value))).toEqual([{ value }])
        expect(wordsOf(`because=${writeWord(value)} x`)).toEqual([{ key: 'because', value }, { value: 'x' }])
      }),
      { numRuns: 5_000 },
    )
  })

  test('is quoted only if it needs to be', () => {
    expect(['my-llm', 'a.b_c', '@ana', 'a/b:c+1', 'my llm', 'a=b', '', 'a"b', 'ana’s'].map(writeWord)).toEqual([
      'my-llm',
      'a.b_c',
      '@ana',
      'a/b:c+1',
      '"my llm"',
      '"a=b"',
      '""',
      '"a\\"b"',
      '"ana’s"',
    ])
  })
})
