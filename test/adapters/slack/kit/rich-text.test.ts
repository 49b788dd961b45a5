import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../sandbox/slack/json.ts'
import { checkBlocks } from '../../../../sandbox/slack/validate/blocks.ts'
import {
  contextLine,
  message,
  paragraph,
  preformatted,
  row,
  smallWithin,
} from '../../../../src/adapters/slack/kit/blocks.ts'
import { button, buttons } from '../../../../src/adapters/slack/kit/buttons.ts'
import { inUtc, partsOf, shortened } from '../../../../src/adapters/slack/kit/text.ts'
import { shownMessage } from '../../../../src/adapters/slack/messages/draw.ts'
import { instant } from '../../../../src/core/time/format.ts'
import { tries } from '../../../support/search.ts'
import { anyText } from '../../../support/text.ts'
import { ana } from '../requests.ts'

const ms = Date.UTC(2026, 10, 20, 9, 30)

/** Our sentences, mixed with text by somebody who knows how an instant is encoded. */
const sentence = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 4_000_000_000_000 }).map(instant),
      fc.maxSafeInteger().map(instant),
      fc.constantFrom('\ue000', '\ue001', '\ue0009999999999999999\ue001', '\ue000-0\ue001', '\ue000\ue001', '12'),
      anyText(12),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('An instant in a sentence', () => {
  test('is a date in the reader’s zone in rich text, with UTC as the fallback', () => {
    expect(paragraph('Until ', { bold: `then ${instant(ms)}` }, '.').elements[0]?.elements).toEqual([
      { type: 'text', text: 'Until ' },
      { type: 'text', text: 'then ', style: { bold: true } },
      {
        type: 'date',
        timestamp: ms / 1000,
        format: '{date_short_pretty} at {time}',
        fallback: '20 Nov 2026, 09:30 UTC',
        style: { bold: true },
      },
      { type: 'text', text: '.' },
    ])
  })

  test('is written in UTC in plain text', () => {
    const says = `Frozen until ${instant(ms)}.`
    const plain = 'Frozen until 20 Nov 2026, 09:30 UTC.'
    expect(message(says, []).text).toBe(plain)
    expect(row([says]).text?.text).toBe(plain)
    expect(button(says, 'a', 'b').text.text).toBe(plain)
    expect(smallWithin(50, says).elements).toEqual([
      { type: 'plain_text', text: 'Frozen until 20 Nov 2026, 09:30 UTC.', emoji: false },
    ])
    expect(inUtc(says)).toBe(plain)
  })

  test('has no gap before the punctuation that follows, like the name of a person', () => {
    expect(contextLine('by', { person: ana }, ', ', { person: ana }, '.').elements).toEqual([
      { type: 'plain_text', text: 'by', emoji: false },
      { type: 'mrkdwn', text: '<@U0ANA>,' },
      { type: 'mrkdwn', text: '<@U0ANA>.' },
    ])
  })

  test('is written the Korean way in Korean text, with its particle beside it', () => {
    const says = `my-llm이 ${instant(ms, 'ko')}에 중지됩니다.`
    const [fallback, format] = ['2026년 11월 20일 09:30 UTC', '{date_short_pretty} {time}']
    expect(message(says, []).text).toBe(`my-llm이 ${fallback}에 중지됩니다.`)
    expect(paragraph(says).elements[0]?.elements[1]).toEqual({ type: 'date', timestamp: ms / 1000, format, fallback })
    expect(contextLine(says).elements).toEqual([
      { type: 'plain_text', text: 'my-llm이', emoji: false },
      { type: 'mrkdwn', text: `<!date^${ms / 1000}^${format}|${fallback}>에`, verbatim: true },
      { type: 'plain_text', text: '중지됩니다.', emoji: false },
    ])
  })

  test('is a separate date in a small line of plain words, if Slack allows that many', () => {
    const date = `<!date^${ms / 1000}^{date_short_pretty} at {time}|20 Nov 2026, 09:30 UTC>`
    expect(contextLine(`*Frozen* until ${instant(ms)}.`, { person: ana }).elements).toEqual([
      { type: 'plain_text', text: '*Frozen* until', emoji: false },
      { type: 'mrkdwn', text: `${date}.`, verbatim: true },
      { type: 'mrkdwn', text: '<@U0ANA>' },
    ])
    const many = contextLine(Array.from({ length: 6 }, () => `at ${instant(ms)}`).join(', '), { person: ana })
    expect(many.elements).toHaveLength(2)
    expect(many.elements[0]).toMatchObject({
      type: 'plain_text',
      text: expect.stringMatching(/(at [^,]+, 09:30 UTC(, )?){6}/),
    })
  })

  test('is kept or dropped as a whole when a sentence is cut', () => {
    const says = `Frozen until ${instant(ms)} and then on.`
    expect(shortened(says, 1_000)).toBe(says)
    expect(partsOf(says, 120)).toEqual(['Frozen until ', ms, ' and t…'])
    expect(partsOf(says, 20)).toEqual(['Frozen until ', '…'])
    expect(shortened(says, 5)).toBe('Froz…')
  })

  test('that is out of range or incomplete is ordinary text', () => {
    expect(partsOf('\ue000999999999999999\ue001 \ue000 \ue000-1\ue001', 100)).toEqual([
      '999999999999999',
      ' \\u{e000} ',
      '-1',
    ])
  })

  test('or anything like one never makes a message that Slack refuses or that contains our marks', () => {
    fc.assert(
      fc.property(sentence, fc.integer({ min: 1, max: 400 }), (text, most) => {
        const items = [
          { text, detail: text, who: ana },
          { text, detail: text },
        ]
        const blocks = [
          paragraph(text, { bold: text }, { link: 'https://sandbox.example/p1', label: text }, shortened(text, most)),
          preformatted([text]),
          row([text, text]),
          contextLine(text, { person: ana }),
          smallWithin(most, { person: ana }, `x${text}`),
          buttons(button(`x${text}`, 'a', 'b')),
          ...shownMessage({ title: text, items, foot: text }, 'en').blocks,
        ]
        const sent = JSON.stringify(blocks)
        expect(checkBlocks(JSON.parse(sent) as JsonObject[], 'message')).toEqual([])
        expect(sent + message(text, []).text).not.toMatch(/[\ue000\ue001]/)
      }),
      { numRuns: tries(5_000) },
    )
  })
})
