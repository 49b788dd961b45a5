import type { App } from '@slack/bolt'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'
import { socketApp } from './slack-app.ts'

let slack: SlackSandbox
let app: App

const quiet = { id: 'C0QUIET', name: 'quiet', botIsMember: false }

beforeEach(async () => {
  slack = await startSlack({ ackTimeoutMs: 2_000, channels: [{ id: 'C0OPS', name: 'ops' }, quiet] })
  app = await socketApp(slack, (bolt) => {
    bolt.command('/endpoint', async ({ command, ack, client }) => {
      if (command.text === 'silence') return
      if (command.text === 'wrong') return await ack({ text: 'x', blocks: [{ type: 'divider', extra: 1 } as never] })
      await ack(command.text === 'whisper' ? { text: 'Just for *you*, <@U0ANA>.' } : undefined)
      if (!command.text.startsWith('stop')) return
      const card = await client.chat.postMessage({ channel: command.channel_id, text: 'Stop my-llm?' })
      await client.chat.postMessage({
        channel: command.channel_id,
        thread_ts: card.ts ?? '',
        text: 'It is active.',
        blocks: [
          { type: 'section', text: { type: 'mrkdwn', text: 'It is *active*.' } },
          {
            type: 'actions',
            elements: [
              { type: 'button', action_id: 'yes', value: 'r1', text: { type: 'plain_text', text: 'Stop my-llm' } },
              { type: 'button', action_id: 'no', value: 'r1', text: { type: 'plain_text', text: 'Leave it running' } },
            ],
          },
        ],
      })
    })
    bolt.action('yes', async ({ ack, body, client, respond }) => {
      await ack()
      if (body.type !== 'block_actions') return
      const { channel, message } = body
      await client.chat.update({ channel: channel?.id ?? '', ts: message?.ts ?? '', text: 'Decided.', blocks: [] })
      await client.chat.postMessage({
        channel: channel?.id ?? '',
        thread_ts: message?.['thread_ts'] ?? '',
        reply_broadcast: true,
        text: `Stopped my-llm. @${body.user.id}`,
      })
      await respond({ text: 'You stopped it.', replace_original: false })
    })
  })
})

afterEach(async () => {
  await app.stop()
  await slack.stop()
})

test('a command, a button in a thread and a broadcast end look as in a channel', async () => {
  const ana = slack.as('U0ANA')
  expect(await ana.types('#ops', '/endpoint stop my-llm')).toBe('')
  expect(await ana.presses('Stop my-llm')).toEqual({ asked: undefined, outcome: 'acked' })
  await ana.sees('You stopped it.')
  expect(slack.transcript('#ops')).toBe(
    [
      'App: Stop my-llm?',
      '  App (edited): Decided.',
      '  App (broadcast): Stopped my-llm. @U0ANA',
      // An answer to a press in a thread appears in the channel.
      'App (only visible to @ana): You stopped it.',
    ].join('\n'),
  )
})

test('the text of an ack is shown to that person alone', async () => {
  expect(await slack.as('U0ANA').types('#ops', '/endpoint whisper')).toBe('Just for you, @ana.')
  await expect(slack.as('U0BEN').sees('Just for', { timeoutMs: 50 })).rejects.toThrow('ben never saw Just for')
})

test('an app that does not answer in time is a timeout for the person', async () => {
  expect(await slack.as('U0ANA').types('#ops', '/endpoint silence')).toBe(
    '/endpoint failed with the error "operation_timeout"',
  )
})

test('an app that is not connected is a failed dispatch for the person', async () => {
  await app.stop()
  await expect.poll(() => slack.sockets.count()).toBe(0)
  expect(await slack.as('U0ANA').types('#ops', '/endpoint list')).toBe(
    '/endpoint failed with the error "dispatch_failed"',
  )
})

test('an answer that Slack can’t show is an error for the person', async () => {
  expect(await slack.as('U0ANA').types('#ops', '/endpoint wrong')).toContain('invalid_command_response')
})

test('typed people, channels and addresses arrive as tokens, and the rest is escaped', async () => {
  await slack.as('U0ANA').types('#ops', '/endpoint keep <my&llm> @ben in #ops https://a.example/?x=1&y=2')
  expect(slack.link.sent.at(-1)?.payload['text']).toBe(
    'keep &lt;my&amp;llm&gt; <@U0BEN|ben> in <#C0OPS|ops> <https://a.example/?x=1&amp;y=2>',
  )
})

test('a command in a thread is refused by Slack itself', async () => {
  await slack.as('U0ANA').types('#ops', 'hello')
  const thread = slack.channel('#ops').messages()[0]?.ts ?? ''
  expect(await slack.as('U0ANA').types('#ops', '/endpoint list', { thread })).toBe(
    '/endpoint is not supported in threads. Sorry!',
  )
})

test('the app is added to a channel with Slack’s own /invite', async () => {
  const ana = slack.as('U0ANA')
  expect(await ana.types('#quiet', '/invite @someone')).toBe('Type /invite @App.')
  expect(await ana.types('#quiet', '/invite @App')).toBe('')
  expect(slack.transcript('#quiet')).toContain('@ana added @app to this channel.')
  await app.client.chat.postMessage({ channel: 'C0QUIET', text: 'I am here.' })
  expect(await ana.types('#quiet', '/invite @app')).toBe('App is already in this channel.')
})

test('a refreshed socket comes back', async () => {
  await slack.sockets.refresh(0)
  expect(slack.sockets.count()).toBe(0)
  await slack.sockets.connected()
  expect(await slack.as('U0ANA').types('#ops', '/endpoint whisper')).toContain('Just for you')
})

test('a socket URL works once', async () => {
  const { url } = await app.client.apps.connections.open({ token: slack.appToken })
  const first = new WebSocket(url ?? '')
  await new Promise((resolve) => first.once('message', resolve))
  const second = new WebSocket(url ?? '')
  await new Promise((resolve) => second.once('error', resolve))
  first.close()
  await expect.poll(() => slack.sockets.count()).toBe(1)
})

test('a remembered button can be pressed after the message has changed', async () => {
  const ana = slack.as('U0ANA')
  await ana.types('#ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm')
  await ana.presses('Stop my-llm')
  await ana.sees('Decided.')
  expect(await slack.as('U0BEN').pressesRaw(button)).toEqual({ kind: 'acked', body: undefined })
  expect(slack.link.sent.at(-1)?.payload).toMatchObject({ user: { id: 'U0BEN' }, actions: [{ value: 'r1' }] })
  await slack.as('U0BEN').sees('You stopped it.')
})

test('each payload goes to one of the sockets, and an app has at most ten', async () => {
  const got: number[] = []
  async function open(index: number): Promise<WebSocket> {
    const { url } = await app.client.apps.connections.open({ token: slack.appToken })
    const socket = new WebSocket(url ?? '')
    socket.on('message', (data: Buffer) => {
      const { envelope_id, type, reason } = JSON.parse(data.toString()) as Record<string, string>
      if (type === 'slash_commands') got.push(index)
      if (reason) got.push(-1)
      if (envelope_id) socket.send(JSON.stringify({ envelope_id }))
    })
    await new Promise((resolve) => socket.once('message', resolve))
    return socket
  }
  const sockets: WebSocket[] = []
  for (let index = 0; index < 10; index += 1) sockets.push(await open(index))
  expect(got).toEqual([-1])
  await expect.poll(() => slack.sockets.count()).toBe(10)
  for (let round = 0; round < 10; round += 1) await slack.as('U0ANA').types('#ops', '/endpoint list')
  expect(got.slice(1)).toHaveLength(9)
  expect(new Set(got.slice(1)).size).toBe(9)
  for (const socket of sockets) socket.close()
})

test('the same envelope can be delivered again', async () => {
  await slack.as('U0ANA').types('#ops', '/endpoint whisper')
  expect(await slack.link.sendAgain(0)).toMatchObject({
    kind: 'acked',
    body: { text: expect.stringContaining('Just') },
  })
  expect(slack.link.sent).toHaveLength(1)
})

test('people and channels change while the app runs', async () => {
  const { ts = '' } = await app.client.chat.postMessage({ channel: 'C0OPS', text: 'x' })
  slack.changes.person('U0ANA', { deleted: true })
  expect((await app.client.users.info({ user: 'U0ANA' })).user?.deleted).toBe(true)
  const { channel } = slack.channel('#ops')
  slack.workspace.channels.set('C0OPS', { ...channel, members: new Set(), archived: true })
  await expect(app.client.chat.update({ channel: 'C0OPS', ts, text: 'y' })).rejects.toMatchObject({
    data: { error: 'is_archived' },
  })
  expect((await app.client.conversations.info({ channel: 'C0OPS' })).channel).toMatchObject({ is_member: false })
})
