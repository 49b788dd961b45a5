import type { App } from '@slack/bolt'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'
import { httpApp } from './slack-app.ts'

let slack: SlackSandbox
let app: App
let ran: string[]

beforeEach(async () => {
  ran = []
  slack = await startSlack({ mode: 'http', ackTimeoutMs: 2_000 })
  app = await httpApp(slack, (bolt) => {
    bolt.command('/endpoint', async ({ command, ack }) => {
      ran.push(command.text)
      if (command.text !== 'silence') await ack(command.text === 'text' ? 'plain words' : { text: 'in *blocks*' })
    })
    bolt.action('go', async ({ ack, body }) => {
      ran.push(`${body.user.id} pressed`)
      await ack()
    })
  })
})

afterEach(async () => {
  await app.stop()
  await slack.stop()
})

test('signed commands and presses reach the app, and its answers reach the person', async () => {
  const ana = slack.as('U0ANA')
  expect(await slack.http.verifyUrl()).toBe(true)
  expect(await ana.types('#ops', '/endpoint list <all>')).toBe('in blocks')
  expect(await ana.types('#ops', '/endpoint text')).toBe('plain words')
  await app.client.chat.postMessage({
    channel: 'C0OPS',
    text: 'x',
    blocks: [
      { type: 'actions', elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }] },
    ],
  })
  expect((await ana.presses('Go')).outcome).toBe('acked')
  expect(ran).toEqual(['list &lt;all&gt;', 'text', 'U0ANA pressed'])
})

test('silence is a timeout, and a refused connection is a failed dispatch', async () => {
  expect(await slack.as('U0ANA').types('#ops', '/endpoint silence')).toContain('operation_timeout')
  slack.http.setRequestUrl('http://127.0.0.1:1/slack/events')
  expect(await slack.as('U0ANA').types('#ops', '/endpoint list')).toContain('dispatch_failed')
})

test('a forged signature or an old timestamp runs nothing, and ssl_check is answered', async () => {
  await slack.as('U0ANA').types('#ops', '/endpoint text')
  const [delivery] = slack.link.sent
  if (!delivery) throw new Error('Nothing was sent.')
  ran.length = 0
  expect(await slack.http.forge(delivery, { signature: `v0=${'0'.repeat(64)}` })).toMatchObject({ status: 401 })
  expect(await slack.http.forge(delivery, { signature: '' })).toMatchObject({ status: 401 })
  expect(await slack.http.forge(delivery, { skewS: -301 })).toMatchObject({ status: 401 })
  expect(await slack.http.forge(delivery, { prefix: 'ssl_check=1&', signature: 'v0=0' })).toMatchObject({ status: 200 })
  expect(await slack.http.sslCheck()).toMatchObject({ status: 200 })
  expect(ran).toEqual([])
  expect(await slack.http.forge(delivery, { skewS: -290 })).toMatchObject({ status: 200 })
  expect(ran).toEqual(['text'])
})

test('a replayed request is the same, byte for byte', async () => {
  await slack.as('U0ANA').types('#ops', '/endpoint text')
  expect(await slack.http.sendAgain(0)).toMatchObject({ kind: 'acked' })
  expect(ran).toEqual(['text', 'text'])
})

test('nothing gets through while Slack is down, and everything does afterwards', async () => {
  const post = () => app.client.chat.postMessage({ channel: 'C0OPS', text: 'x' })
  await slack.as('U0ANA').types('#ops', '/endpoint text')
  slack.down()
  await expect(post()).rejects.toThrow()
  slack.up()
  await post()
  expect(
    slack
      .channel('#ops')
      .messages()
      .map((m) => m.text),
  ).toEqual(['plain words', 'x'])
})
