import type { KnownBlock } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SlackSandbox, startSlack } from '../../../../sandbox/slack/start.ts'
import { checkBlocks } from '../../../../sandbox/slack/validate/blocks.ts'
import { createArgs } from '../../../../sandbox/slack/web-api/args.ts'
import { chatMethods } from '../../../../sandbox/slack/web-api/chat.ts'
import {
  contextLine,
  type Message,
  message,
  paragraph,
  row,
  shortMessage,
} from '../../../../src/adapters/slack/kit/blocks.ts'
import { button, buttons, offered } from '../../../../src/adapters/slack/kit/buttons.ts'
import { shownMessage } from '../../../../src/adapters/slack/messages/draw.ts'
import { claimOf, everyRequest, membersOf, start } from '../requests.ts'
import { clientOf } from '../sandboxed.ts'
import { messagesOf } from '../showing.ts'

let slack: SlackSandbox
let client: WebClient
let ts: string
beforeAll(async () => {
  slack = await startSlack()
  client = clientOf(slack)
  ts = (await client.chat.postMessage({ channel: 'C0OPS', text: 'x' })).ts ?? ''
})
afterAll(() => slack.stop())

/** Every different message of requests made of this text, and the short form of some of them. */
function allMessages(text: string): readonly Message[] {
  const whole = everyRequest([text]).flatMap((request) =>
    messagesOf(claimOf(request), start + 60_000, 'https://sandbox.example/p1', membersOf).map(({ message }) => message),
  )
  const all = [...whole, ...whole.slice(0, 5).map(shortMessage)]
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

/** Checks a message with an edit, which has the same limits as a post. */
async function accepted({ text, blocks }: Message): Promise<void> {
  await client.chat.update({ channel: 'C0OPS', ts, text, blocks: [...blocks] })
}

/** The same, without HTTP. */
function taken({ text, blocks }: Message): void {
  const args = createArgs({ channel: 'C0OPS', ts, text, blocks: JSON.stringify(blocks) })
  chatMethods['chat.update']!.run({ workspace: slack.workspace, args })
}

describe('Slack accepts every message', () => {
  test.each([
    ['letters', 'x'],
    ['emoji', '👩‍💻'],
    ['flags', '🇰🇷'],
    ['letters from right to left', 'א'],
    ['a direction that is turned', '\u202ea'],
    ['what has no width', '\u200b.'],
    ['one letter under a heap of accents', '\u0301'],
    ['what has to be escaped', '&<>'],
    ['halves of characters', '\ud83d.'],
    ['quotation marks', '"'],
    ['line breaks', '\n.'],
  ])('made of endless %s', async (_, part) => {
    for (const length of [200, 5_000]) {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length)
      // A few messages show what HTTP does to a text.
      for (const [at, message] of allMessages(text).entries()) {
        expect(message.text).not.toBe('')
        if (at < 5) await accepted(message)
        else taken(message)
      }
    }
  })

  test('made of one character or a blank', async () => {
    for (const text of ['x', ' ', '\n', '–']) for (const message of allMessages(text)) taken(message)
  })

  test('with more rows and buttons than fit', async () => {
    const offers = Array.from({ length: 40 }, (_, at) => ({ label: `Start ${at}`, line: `start ep-${at}` }))
    const items = Array.from({ length: 200 }, (_, at) => ({ text: `row ${at}`, detail: '&'.repeat(500), offers }))
    await accepted(shownMessage({ title: 'x'.repeat(5_000), items, foot: 'y'.repeat(5_000), offers }, 'en'))
  })

  test('with empty texts', async () => {
    await accepted(shownMessage({ title: '', items: [{ text: '' }, { text: '', detail: '' }], foot: '' }, 'en'))
  })
})

describe('Slack accepts each part by itself', () => {
  const long = '&'.repeat(50_000)
  test.each<[string, KnownBlock]>([
    ['a paragraph', paragraph(long, { bold: long }, { link: 'https://sandbox.example/p1', label: long })],
    ['a row', row([long, long], button(long, 'line:0', long))],
    ['a row without words', row(['', ''])],
    ['a small line of many pieces', contextLine(...Array.from({ length: 30 }, () => long))],
    [
      'a small line of many people',
      contextLine(...Array.from({ length: 30 }, () => ({ person: { team: 'T1', user: 'U1' } }))),
    ],
    ['buttons', buttons(button(long, 'a', long, 'danger'), button(long, 'b', long, 'primary'))],
    ...offered(
      Array.from({ length: 40 }, () => ({ label: long, line: long })),
      'en',
    ).map((one): [string, KnownBlock] => ['offers', one]),
  ])('%s', (_, block) => {
    expect(checkBlocks(JSON.parse(JSON.stringify([block])) as [], 'message')).toEqual([])
  })

  test('and a message cut to its limits on blocks and letters', async () => {
    const whole = message(
      '&'.repeat(10_000),
      Array.from({ length: 100 }, () => paragraph('x')),
    )
    expect(whole.blocks.length).toBeLessThanOrEqual(50)
    expect(whole.text.length).toBeLessThanOrEqual(4_000)
    await accepted(whole)
  })
})

describe('The short form of a message', () => {
  test('says the same in one short paragraph', () => {
    const whole = message(`Could not stop a & <b>. ${'x'.repeat(600)}`, [])
    const short = shortMessage(whole)
    expect(short.blocks).toEqual([
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [{ type: 'text', text: `Could not stop a & <b>. ${'x'.repeat(475)}…` }],
          },
        ],
      },
    ])
    expect(short.text).toMatch(/^Could not stop a &amp; &lt;b&gt;\. x+…$/)
  })

  test('unescapes its text once, not twice', () => {
    const [block] = shortMessage(message('&lt;', [])).blocks
    expect(block).toMatchObject({ elements: [{ elements: [{ text: '&lt;' }] }] })
  })
})
