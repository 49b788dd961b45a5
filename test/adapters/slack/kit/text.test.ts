import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escaped, truncate, typedText } from '../../../../src/adapters/slack/kit/text.ts'
import { visible } from '../../../../src/core/time/format.ts'
import { tries } from '../../../support/search.ts'
import { anyText } from '../../../support/text.ts'

const anything = anyText(200)

describe('Escaping', () => {
  test('changes the three characters that are special in Slack, and no other', () => {
    expect(escaped('a & <b> "c" \'d\' *e* `f` @here')).toBe('a &amp; &lt;b&gt; "c" \'d\' *e* `f` @here')
    expect(escaped('&lt;!channel&gt;')).toBe('&amp;lt;!channel&amp;gt;')
  })

  test('is undone exactly once when typed text is read', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(typedText(escaped(text))).toBe(text)
      }),
    )
    expect(typedText('&amp;lt;b&amp;gt;')).toBe('&lt;b&gt;')
  })
})

describe('Typed text', () => {
  test.each([
    ['<@U0ANA|ana>', '@U0ANA'],
    ['<@U0ANA>', '@U0ANA'],
    ['<#C0OPS|ops>', '#ops'],
    ['<#C0OPS|>', '#C0OPS'],
    ['<!channel>', '!channel'],
    ['<!subteam^S0OPS|@ops>', '@ops'],
    ['<!subteam^S0OPS>', '!subteam^S0OPS'],
    ['<https://example.com/a?b=1&amp;c=2>', 'https://example.com/a?b=1&c=2'],
    ['<http://example.com|example.com>', 'example.com'],
    ['<mailto:ana@example.com|ana@example.com>', 'ana@example.com'],
    ['stop <http://my-llm.example|my-llm.example> because="a &lt; b"', 'stop my-llm.example because="a < b"'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['<>', ''],
    ['a < b', 'a < b'],
    ['&quot;', '&quot;'],
  ])('that arrives as %j is read as %j', (given, text) => {
    expect(typedText(given)).toBe(text)
  })
})

describe('Invisible text', () => {
  test.each([
    ['my-llm\u202e', 'my-llm\\u{202e}'],
    ['a\u200bb', 'a\\u{200b}b'],
    ['\u0000\u001b[31m', '\\u{0}\\u{1b}[31m'],
    ['\u{e0041}', '\\u{e0041}'],
    ['a\u3164b', 'a\\u{3164}b'],
    ['a\u034fb', 'a\\u{34f}b'],
    ['a\u180eb', 'a\\u{180e}b'],
    ['a\u2028b', 'a\\u{2028}b'],
    ['\ud800x', '\\u{d800}x'],
    ['x\udc00', 'x\\u{dc00}'],
    ['one\ntwo\tthree\r', 'one two three '],
    ['e\u0301', '\u00e9'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  test('is spelled out for every invisible code point, and for no other', () => {
    const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ue000\ue001]/u
    const marks = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
    const [written, left] = [marks.filter((mark) => hidden.test(mark)), marks.filter((mark) => !hidden.test(mark))]
    const isWritten = (text: string) => visible(text).includes('\\u{')
    expect(written.filter((mark) => isWritten(mark) === '\n\r\t\ufe0f'.includes(mark))).toEqual([])
    // Many at a time: a single one that is spelled out would show.
    for (let at = 0; at < left.length; at += 4_096)
      expect(visible(left.slice(at, at + 4_096).join(''))).not.toContain('\\u{')
  })

  test('stays the same when it is shown again', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(visible(visible(text))).toBe(visible(text))
      }),
    )
  })

  test('does not include letters of any script or emoji', () => {
    for (const text of ['모델-7b', 'מודל', 'модель', 'モデル', '👍🏽', '❤️', '🇰🇷']) expect(visible(text)).toBe(text)
  })
})

describe('Cutting', () => {
  test('keeps short texts whole', () => {
    expect(truncate('my-llm', 6)).toBe('my-llm')
    expect(truncate('', 0)).toBe('')
  })

  test.each([
    ['my-llm-large', 6, 'my-ll…'],
    ['👍🏽👍🏽👍🏽', 11, '👍🏽👍🏽…'],
    ['👍🏽👍🏽👍🏽', 8, '👍🏽…'],
    ['🇰🇷🇰🇷', 7, '🇰🇷…'],
    ['e\u0301e\u0301', 3, 'e\u0301…'],
    ['각각각', 2, '각…'],
    ['👍🏽x', 3, '…'],
  ])('keeps whole visible characters of %s within %d', (text, most, kept) => {
    expect(truncate(text, most)).toBe(kept)
  })

  test('never exceeds the limit or splits a character or an entity', () => {
    const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('&', '<', '>', 'a'),
        fc.constant('👩‍💻'),
        fc.string({ unit: 'grapheme', maxLength: 1 }),
      ),
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, most) => {
        const short = truncate(whole, most, escaped)
        expect(short.length).toBeLessThanOrEqual(most)
        const read = typedText(short)
        if (short === escaped(whole)) return
        expect(short.endsWith('…')).toBe(true)
        const ends = [...graphemes.segment(whole)].map(({ index }) => index)
        expect([...ends, whole.length]).toContain(read.length - 1)
        expect(whole.startsWith(read.slice(0, -1))).toBe(true)
      }),
      { numRuns: tries(5_000) },
    )
  })
})
