import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { textAt } from '../../../../sandbox/slack/json.ts'
import type { SlackOptions } from '../../../../sandbox/slack/options.ts'
import { type SlackSandbox, startSlack } from '../../../../sandbox/slack/start.ts'
import { createDelivery, type Delivery } from '../../../../src/adapters/slack/delivery/post.ts'
import type { Sending } from '../../../../src/adapters/slack/delivery/send-private.ts'
import { type Message, message, paragraph } from '../../../../src/adapters/slack/kit/blocks.ts'
import type { RequestMessage } from '../../../../src/adapters/slack/messages/draw.ts'
import { slackFetch } from '../../../../src/adapters/slack/web/client.ts'
import { clientOf } from '../sandboxed.ts'

let slack: SlackSandbox
let delivery: Delivery
const replyUrls = new Map<string, string>()

async function open(options: SlackOptions = {}): Promise<void> {
  slack = await startSlack({
    channels: [
      { id: 'C0OPS', name: 'ops' },
      { id: 'C0OUT', name: 'out', botIsMember: false },
      { id: 'C0OLD', name: 'old', archived: true },
    ],
    ...options,
  })
  delivery = createDelivery({
    client: clientOf(slack),
    fetch: slackFetch(undefined),
    store: {
      replyUrlOf: async (reply) => replyUrls.get(reply) ?? null,
      fileOf: async () => null,
      postsOf: async () => null,
    },
  })
}

/** Starts again with an app that lacks a scope. */
async function openWithout(scope: string): Promise<void> {
  await slack.stop()
  await open({ scopes: slack.workspace.settings.scopes.filter((one) => one !== scope) })
}

beforeEach(() => open())
afterEach(async () => {
  replyUrls.clear()
  await slack.stop()
})

const says = (text: string): Message => message(text, [paragraph(text)])

function wanted(text: string, where: RequestMessage['where'] = 'channel'): RequestMessage {
  return { key: 'card', where, language: 'en', message: says(text), urgent: true, fresh: true }
}

function card(text: string, more: Partial<Sending> = {}): Sending {
  return { id: 'r1/card', channel: 'C0OPS', wanted: wanted(text), ...more }
}

const texts = (channel = 'ops'): readonly string[] =>
  slack
    .channel(channel)
    .messages()
    .map(({ text }) => text)

describe('A message in a channel', () => {
  test('is sent without markup, linked names or unfurling, and with our mark', async () => {
    const done = await delivery.send(card('Stop my-llm?'))
    expect(done).toEqual({ kind: 'done', channel: 'C0OPS', ts: expect.stringMatching(/^\d+\.\d{6}$/) })
    expect(slack.calls('chat.postMessage')[0]?.args).toMatchObject({
      mrkdwn: 'false',
      link_names: 'false',
      parse: 'none',
      unfurl_links: 'false',
      unfurl_media: 'false',
    })
    expect(slack.channel('ops').messages()[0]?.metadata).toEqual({
      event_type: 'lamplighter',
      event_payload: { id: 'r1/card' },
    })
  })

  test('is in a thread, or in the thread and the channel', async () => {
    const parent = await delivery.send(card('card'))
    const thread = parent.kind === 'done' ? (parent.ts ?? '') : ''
    await delivery.send({ id: 'r1/ask', channel: 'C0OPS', wanted: wanted('ask', 'thread'), thread })
    await delivery.send({ id: 'r1/end', channel: 'C0OPS', wanted: wanted('end', 'thread and channel'), thread })
    const found = slack
      .channel('ops')
      .messages()
      .map(({ text, threadTs, broadcast }) => ({ text, threadTs, broadcast }))
    expect(found).toEqual([
      { text: 'card', threadTs: undefined, broadcast: false },
      { text: 'ask', threadTs: thread, broadcast: false },
      { text: 'end', threadTs: thread, broadcast: true },
    ])
  })

  test('is edited in place and keeps its mark', async () => {
    const sent = await delivery.send(card('Stopping…'))
    const at = { channel: 'C0OPS', ts: sent.kind === 'done' ? (sent.ts ?? '') : '' }
    expect(await delivery.edit(at, says('Stopped.'))).toEqual({ kind: 'done', ...at })
    expect(slack.channel('ops').messages()).toMatchObject([
      { text: 'Stopped.', edited: false, metadata: { event_payload: { id: 'r1/card' } } },
    ])
  })

  test('that Slack rejects is sent, or edited to, as its plainest sentence', async () => {
    const bad: Message = {
      text: 'Stopped a &amp; b.',
      blocks: [{ type: 'header', text: { type: 'plain_text', text: '' } }],
    }
    const sent = await delivery.send({ ...card(''), wanted: { ...wanted(''), message: bad } })
    const at = { channel: 'C0OPS', ts: sent.kind === 'done' ? (sent.ts ?? '') : '' }
    expect(texts()).toEqual(['Stopped a &amp; b.'])
    expect(slack.transcript('ops')).toContain('Stopped a & b.')
    expect(await delivery.edit(at, bad)).toMatchObject({ kind: 'done' })
  })

  test('that can’t be posted returns the reason', async () => {
    expect(await delivery.send(card('x', { channel: 'C0OLD' }))).toMatchObject({ kind: 'closed', why: 'is_archived' })
    expect(await delivery.send(card('x', { channel: 'C0NONE' }))).toMatchObject({ kind: 'closed' })
    expect(await delivery.edit({ channel: 'C0OPS', ts: '1.000001' }, says('x'))).toEqual({ kind: 'gone' })
    expect(
      await delivery.send({ id: 'r1/end', channel: 'C0OPS', wanted: wanted('end', 'thread'), thread: '1.000001' }),
    ).toEqual({ kind: 'gone' })
    slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfterS: 3 })
    expect(await delivery.send(card('x'))).toEqual({ kind: 'wait', ms: 3_000 })
  })
})

describe('A post whose answer was lost', () => {
  async function lose(sending: Sending): Promise<Sending> {
    const since = Date.now()
    const lost = slack.fault('chat.postMessage', { kind: 'drop-after' }, 1)
    expect(await delivery.send(sending)).toMatchObject({ kind: 'unknown' })
    expect(lost.hits()).toBe(1)
    return { ...sending, unconfirmedSince: since }
  }

  test('is found by its mark and not posted again', async () => {
    const again = await lose(card('Stopping…'))
    await delivery.send({ ...card('another'), id: 'r2/card' })
    const found = await delivery.send({ ...again, wanted: wanted('Stopped.') })
    expect(found).toMatchObject({ kind: 'done', channel: 'C0OPS', found: true })
    expect(texts()).toEqual(['Stopping…', 'another'])
  })

  test('is found in its thread', async () => {
    const parent = await delivery.send(card('card'))
    const thread = parent.kind === 'done' ? (parent.ts ?? '') : ''
    const again = await lose({ id: 'r1/end', channel: 'C0OPS', wanted: wanted('end', 'thread and channel'), thread })
    expect(await delivery.send(again)).toMatchObject({ kind: 'done', found: true })
    expect(texts()).toEqual(['card', 'end'])
  })

  test('is posted if it never arrived', async () => {
    slack.fault('chat.postMessage', { kind: 'drop-before' }, 1)
    expect(await delivery.send(card('card'))).toMatchObject({ kind: 'unknown' })
    expect(await delivery.send(card('card', { unconfirmedSince: Date.now() }))).toMatchObject({ kind: 'done' })
    expect(texts()).toEqual(['card'])
  })

  test('is not posted while nobody can look for it', async () => {
    const again = await lose(card('card'))
    slack.fault('conversations.history', { kind: 'rate-limited', retryAfterS: 2 }, 1)
    expect(await delivery.send(again)).toEqual({ kind: 'wait', ms: 2_000 })
    expect(texts()).toEqual(['card'])
  })

  test('is posted again as repeated if the channel may not be read', async () => {
    await openWithout('channels:history')
    expect(await delivery.send(await lose(card('card')))).toMatchObject({ kind: 'done' })
    expect(texts()).toEqual(['card', 'card (repeated)'])
    expect(slack.transcript('ops')).toContain('Repeated: the first copy may not have arrived.')
  })

  test('is posted again as repeated if too many messages have followed it', async () => {
    const again = await lose(card('card'))
    for (let at = 0; at < 100; at += 1) await delivery.send({ ...card(`other ${at}`), id: `r2/note.${at}` })
    await delivery.send(again)
    expect(texts().filter((text) => text.startsWith('card'))).toEqual(['card', 'card (repeated)'])
  })
})

describe('A private message', () => {
  function privately(text: string, channel = 'C0OPS', user = 'U0ANA'): Sending {
    const to = { user, channel, reply: 'd1' }
    return { id: 'r1/answer', channel: '', wanted: { ...wanted(text, 'private'), key: 'answer', to } }
  }

  test('is shown to that person alone, in their channel', async () => {
    expect(await delivery.send(privately('only you'))).toEqual({ kind: 'done', channel: 'C0OPS' })
    expect(slack.channel('ops').messages()).toMatchObject([{ text: 'only you', ephemeralTo: 'U0ANA' }])
  })

  test('uses the response URL first, which works where the app is no member', async () => {
    await slack.as('U0ANA').types('out', '/endpoint list')
    replyUrls.set('d1', textAt(slack.link.sent.at(-1)?.payload, 'response_url') ?? '')
    expect(await delivery.send(privately('only you', 'C0OUT'))).toEqual({ kind: 'done', channel: 'C0OUT' })
    expect(slack.channel('out').messages().at(-1)).toMatchObject({ text: 'only you', ephemeralTo: 'U0ANA' })
    expect(slack.calls('chat.postEphemeral')).toEqual([])
  })

  test.each(['http://127.0.0.1:9/used-up', 'not an address'])(
    'is shown in the channel if the response URL is %s',
    async (url) => {
      replyUrls.set('d1', url)
      expect(await delivery.send(privately('only you'))).toMatchObject({ kind: 'done' })
      expect(slack.channel('ops').messages()).toMatchObject([{ text: 'only you', ephemeralTo: 'U0ANA' }])
    },
  )

  test('goes to the direct conversation if the app is not in the channel, again without markup', async () => {
    await openWithout('chat:write.public')
    expect(await delivery.send(privately('only you', 'C0OUT'))).toMatchObject({ kind: 'done', channel: 'D0ANA' })
    expect(texts('U0ANA')).toEqual(['only you'])
    expect(slack.calls('chat.postMessage')[0]?.args).toMatchObject({
      mrkdwn: 'false',
      link_names: 'false',
      parse: 'none',
    })
  })

  test('returns “closed” for a person who has left', async () => {
    await slack.stop()
    await open({ people: [{ id: 'U0GONE', name: 'gone', deleted: true }] })
    expect(await delivery.send(privately('only you', 'C0OPS', 'U0GONE'))).toMatchObject({ kind: 'closed' })
  })

  test('waits when Slack says so', async () => {
    slack.fault('chat.postEphemeral', { kind: 'rate-limited', retryAfterS: 4 })
    expect(await delivery.send(privately('only you'))).toEqual({ kind: 'wait', ms: 4_000 })
  })
})
