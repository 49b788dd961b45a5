import { WebClient } from '@slack/web-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'
import { checkBlocks } from '../../sandbox/slack/validate/blocks.ts'
import { quiet } from './slack-app.ts'

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })
const plain = (text: string) => ({ type: 'plain_text', text })
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) })
const button = (extra: object = {}) => ({ type: 'button', text: plain('Go'), action_id: 'go', ...extra })
const actions = (...elements: object[]) => ({ type: 'actions', elements })
const option = (value: string) => ({ text: plain('One'), value })

describe('each limit holds at its edge', () => {
  const at: readonly (readonly [name: string, fits: object[], not: object[], says: string])[] = [
    [
      'section text',
      [section('x'.repeat(3000))],
      [section('x'.repeat(3001))],
      'must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
    ],
    ['empty text', [section('x')], [section('')], 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
    [
      'header',
      [{ type: 'header', text: plain('x'.repeat(150)) }],
      [{ type: 'header', text: plain('x'.repeat(151)) }],
      'must be less than 151 characters',
    ],
    [
      'header in mrkdwn',
      [{ type: 'header', text: plain('x') }],
      [{ type: 'header', text: mrkdwn('x') }],
      'must be one of: plain_text',
    ],
    [
      'fields',
      [{ type: 'section', fields: Array(10).fill(mrkdwn('x')) }],
      [{ type: 'section', fields: Array(11).fill(mrkdwn('x')) }],
      'no more than 10 items allowed [json-pointer:/blocks/0/fields]',
    ],
    [
      'context',
      [{ type: 'context', elements: Array(10).fill(mrkdwn('x')) }],
      [{ type: 'context', elements: Array(11).fill(mrkdwn('x')) }],
      'no more than 10 items',
    ],
    [
      'blocks',
      Array(50).fill({ type: 'divider' }),
      Array(51).fill({ type: 'divider' }),
      'no more than 50 items allowed [json-pointer:/blocks]',
    ],
    [
      'actions',
      [actions(...Array.from({ length: 25 }, (_, at) => button({ action_id: `a${at}` })))],
      [actions(...Array.from({ length: 26 }, (_, at) => button({ action_id: `a${at}` })))],
      'no more than 25 items',
    ],
    [
      'button text',
      [actions(button({ text: plain('x'.repeat(75)) }))],
      [actions(button({ text: plain('x'.repeat(76)) }))],
      'must be less than 76 characters',
    ],
    [
      'button value',
      [actions(button({ value: 'x'.repeat(2000) }))],
      [actions(button({ value: 'x'.repeat(2001) }))],
      'must be less than 2001 characters',
    ],
    [
      'button style',
      [actions(button({ style: 'danger' }))],
      [actions(button({ style: 'warning' }))],
      'must be one of: primary, danger',
    ],
    [
      'action id',
      [actions(button({ action_id: 'x'.repeat(255) }))],
      [actions(button({ action_id: 'x'.repeat(256) }))],
      'must be less than 256 characters',
    ],
    [
      'option value',
      [actions({ type: 'static_select', options: [option('x'.repeat(150))] })],
      [actions({ type: 'static_select', options: [option('x'.repeat(151))] })],
      'must be less than 151 characters',
    ],
    [
      'options',
      [actions({ type: 'static_select', options: Array(100).fill(option('x')) })],
      [actions({ type: 'static_select', options: Array(101).fill(option('x')) })],
      'no more than 100 items',
    ],
    [
      'no options',
      [actions({ type: 'static_select', options: [option('x')] })],
      [actions({ type: 'static_select' })],
      'exactly one of options, option_groups is required',
    ],
    [
      'overflow',
      [actions({ type: 'overflow', options: Array(5).fill(option('x')) })],
      [actions({ type: 'overflow', options: Array(6).fill(option('x')) })],
      'no more than 5 items',
    ],
    [
      'confirm text',
      [actions(button({ confirm: { text: plain('x'.repeat(300)) } }))],
      [actions(button({ confirm: { text: plain('x'.repeat(301)) } }))],
      'must be less than 301 characters',
    ],
    [
      'confirm button',
      [actions(button({ confirm: { text: plain('x'), confirm: plain('x'.repeat(30)) } }))],
      [actions(button({ confirm: { text: plain('x'), confirm: plain('x'.repeat(31)) } }))],
      'must be less than 31 characters',
    ],
    [
      'unknown block',
      [{ type: 'divider' }],
      [{ type: 'dividre' }],
      'unsupported type: dividre [json-pointer:/blocks/0/type]',
    ],
    [
      'unknown field',
      [{ type: 'divider' }],
      [{ type: 'divider', colour: 'red' }],
      'invalid additional property: colour [json-pointer:/blocks/0]',
    ],
    [
      'same block id',
      [
        { type: 'divider', block_id: 'a' },
        { type: 'divider', block_id: 'b' },
      ],
      [
        { type: 'divider', block_id: 'a' },
        { type: 'divider', block_id: 'a' },
      ],
      '`block_id` "a" already exists',
    ],
    [
      'same action id',
      [actions(button(), button({ action_id: 'b' }))],
      [actions(button(), button())],
      '`action_id` "go" already exists for block',
    ],
    [
      'section with nothing',
      [section('x')],
      [{ type: 'section' }],
      'missing required field: text [json-pointer:/blocks/0]',
    ],
    [
      'missing text of a button',
      [actions(button())],
      [actions({ type: 'button' })],
      'missing required field: text [json-pointer:/blocks/0/elements/0]',
    ],
    ['alert in a message', [{ type: 'divider' }], [{ type: 'alert', text: plain('x') }], 'unsupported type: alert'],
  ]
  test.each(at)('%s', (_name, fits, not, says) => {
    expect(checkBlocks(fits as never, 'message')).toEqual([])
    expect(checkBlocks(not as never, 'message')[0]).toContain(says)
  })
})

describe('over the wire', () => {
  let slack: SlackSandbox
  let client: WebClient

  beforeAll(async () => {
    slack = await startSlack()
    client = new WebClient(slack.botToken, { slackApiUrl: slack.url, ...quiet })
  })
  afterAll(() => slack.stop())

  test('invalid blocks are refused with the place of each problem, and nothing is posted', async () => {
    const posted = client.chat.postMessage({ channel: 'C0OPS', text: 'x', blocks: [section('')] as never })
    await expect(posted).rejects.toMatchObject({
      data: {
        error: 'invalid_blocks',
        errors: ['must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
        response_metadata: { messages: ['[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]'] },
      },
    })
    expect(slack.channel('#ops').messages()).toEqual([])
  })

  test('blocks that are not a list are refused for their format', async () => {
    const posted = client.chat.postMessage({ channel: 'C0OPS', text: 'x', blocks: '{"type":' as never })
    await expect(posted).rejects.toMatchObject({ data: { error: 'invalid_blocks_format' } })
  })

  test('blocks that are too long together are refused', async () => {
    const blocks = Array(5).fill(section('x'.repeat(2900))) as never
    await expect(client.chat.postMessage({ channel: 'C0OPS', text: 'x', blocks })).rejects.toMatchObject({
      data: { error: 'msg_blocks_too_long' },
    })
  })

  test('missing ids are generated', async () => {
    const { message } = await client.chat.postMessage({
      channel: 'C0OPS',
      text: 'x',
      blocks: [actions({ type: 'button', text: plain('Go') })] as never,
    })
    expect(message?.blocks?.[0]).toMatchObject({
      block_id: expect.any(String),
      elements: [{ action_id: expect.any(String) }],
    })
  })
})
