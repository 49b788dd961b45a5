import { afterEach, beforeEach, expect, test } from 'vitest'
import { textAt } from '../../sandbox/slack/json.ts'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'

let now: number
let slack: SlackSandbox

beforeEach(async () => {
  now = 1_750_000_000_000
  slack = await startSlack({ clock: { now: () => now } })
})
afterEach(() => slack.stop())

/** The response URL of a command that ana typed. No app is connected, so the command itself fails. */
async function urlOfCommand(): Promise<string> {
  await slack.as('U0ANA').types('#ops', '/endpoint list')
  return textAt(slack.link.sent.at(-1)?.payload, 'response_url') ?? ''
}

async function say(url: string, body: unknown): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  const answer = (await response.json()) as { ok: boolean; error?: string }
  return answer.ok ? 'ok' : `${response.status} ${answer.error}`
}

function shown(): readonly string[] {
  return slack
    .transcript('#ops')
    .split('\n')
    .filter((line) => line.includes('App'))
}

test('an answer is private unless it says otherwise', async () => {
  const url = await urlOfCommand()
  expect(await say(url, { text: 'for you' })).toBe('ok')
  expect(await say(url, { text: 'for all', response_type: 'in_channel' })).toBe('ok')
  expect(shown()).toEqual(['App (only visible to @ana): for you', 'App: for all'])
})

test('a response URL works five times', async () => {
  const url = await urlOfCommand()
  for (let use = 1; use <= 5; use += 1) expect(await say(url, { text: `${use}` })).toBe('ok')
  expect(await say(url, { text: '6' })).toBe('404 used_url')
})

test('a response URL works for thirty minutes', async () => {
  const url = await urlOfCommand()
  now += 30 * 60_000
  expect(await say(url, { text: 'in time' })).toBe('ok')
  now += 1
  expect(await say(url, { text: 'late' })).toBe('404 expired_url')
})

test('a thread can only be answered in the channel, and a command has no message to delete', async () => {
  const url = await urlOfCommand()
  expect(await say(url, { text: 'x', thread_ts: '1.000001' })).toBe('400 invalid_thread_ts')
  expect(await say(url, { delete_original: true })).toBe('400 cant_delete_message')
  expect(await say(url, { blocks: [{ type: 'nothing' }] })).toBe('400 invalid_blocks')
  expect(await say(url, {})).toBe('400 no_text')
})

test('an ephemeral message is replaced and deleted through the response URL of its own press', async () => {
  const url = await urlOfCommand()
  const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }
  await say(url, { text: 'ask', blocks: [{ type: 'actions', elements: [button] }] })
  expect(await slack.as('U0ANA').presses('Go')).toMatchObject({ outcome: 'dispatch_failed' })
  const { payload } = slack.link.sent.at(-1) ?? {}
  expect(payload).toMatchObject({ container: { is_ephemeral: true }, actions: [{ action_id: 'go' }] })
  expect(payload).not.toHaveProperty('message')
  const pressed = textAt(payload, 'response_url') ?? ''
  expect(await say(pressed, { text: 'done', replace_original: true })).toBe('ok')
  expect(shown()).toEqual(['App (only visible to @ana): done'])
  expect(await say(pressed, { delete_original: true })).toBe('ok')
  expect(shown()).toEqual([])
})

test('nobody else sees or presses an ephemeral message', async () => {
  const url = await urlOfCommand()
  const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }
  await say(url, { text: 'ask', blocks: [{ type: 'actions', elements: [button] }] })
  await expect(slack.as('U0BEN').presses('Go', { timeoutMs: 50 })).rejects.toThrow('ben sees no button [Go]')
})
