import { createServer } from 'node:http'
import { WebClient } from '@slack/web-api'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { close, listen } from '../../../../sandbox/platform/replica.ts'
import type { Fault } from '../../../../sandbox/slack/faults.ts'
import { type SlackSandbox, startSlack } from '../../../../sandbox/slack/start.ts'
import { tokenProbe } from '../../../../src/adapters/slack/web/checks.ts'
import { clientOptions, identify } from '../../../../src/adapters/slack/web/client.ts'
import { type Failure, failureOf } from '../../../../src/adapters/slack/web/failures.ts'
import { heard } from '../receivers/support.ts'
import { clientOf } from '../sandboxed.ts'

let slack: SlackSandbox
let client: WebClient
beforeAll(async () => {
  slack = await startSlack()
  client = clientOf(slack)
})
afterEach(() => slack.clearFaults())
afterAll(() => slack.stop())

async function failureAfter(fault: Fault, calling = client): Promise<Failure> {
  const struck = slack.fault('chat.postMessage', fault)
  const error: unknown = await calling.chat.postMessage({ channel: 'C0OPS', text: 'x' }).then(
    () => new Error('It went well.'),
    (reason: unknown) => reason,
  )
  // The client itself never retries, because that could post twice.
  expect(struck.hits()).toBe(1)
  return failureOf(error)
}

test('A token that another server got says why in our words, not in those of a library or a page', async () => {
  const page = createServer(({ url }, answer) => void (url?.startsWith('/api/') && answer.end('<html>Sign in</html>')))
  const { port } = new URL(await listen(page))
  onTestFinished(() => close(page))
  const why = async (apiUrl: string) => {
    const { logger } = heard()
    const other = new WebClient(
      'xoxb-1',
      clientOptions({ apiUrl, logger, timeoutMs: apiUrl.endsWith('/hang/') ? 50 : 5_000 }),
    )
    return identify(other).then(
      () => 'It went well.',
      (error: Error) => error.message,
    )
  }
  for (const [apiUrl, reason] of [
    [`http://127.0.0.1:${port}/api/`, 'the answer is not from Slack’s API'],
    [`https://127.0.0.1:${port}/api/`, 'ERR_SSL_WRONG_VERSION_NUMBER'],
    [`http://127.0.0.1:${port}/hang/`, 'no answer'],
    ['http://127.0.0.1:1/api/', 'connect ECONNREFUSED 127.0.0.1:1'],
  ] as const)
    expect(await why(apiUrl)).toBe(
      `Slack could not be reached (${reason}). Check the network and, if set, the proxy and SLACK_API_URL: it ends with /api/.`,
    )
})

test('The end of an outage of Slack or of a refused token is logged once', async () => {
  const { logger, said } = heard()
  const other = new WebClient(slack.botToken, clientOptions({ apiUrl: slack.url, logger, timeoutMs: 5_000 }))
  const again = () => said().split('Slack answers again').length - 1
  await other.auth.test()
  for (const [fault, count] of [
    [{ kind: 'error', error: 'channel_not_found' }, 0],
    [{ kind: 'error', error: 'internal_error' }, 0],
    [{ kind: 'error', error: 'token_revoked' }, 1],
  ] as const) {
    slack.fault('auth.test', fault)
    await expect(other.auth.test()).rejects.toThrow()
    expect(again()).toBe(0)
    slack.clearFaults()
    await other.auth.test()
    await other.auth.test()
    expect(again()).toBe(count)
  }
})

test('An answer through a URL without the token does not end the trouble of a refused token', async () => {
  const { logger, said } = heard()
  const options = clientOptions({ apiUrl: slack.url, logger, timeoutMs: 5_000 })
  const other = new WebClient(slack.botToken, options)
  const server = createServer((_, response) => response.end('ok'))
  const origin = await listen(server)
  onTestFinished(() => close(server))
  const refused = slack.fault('views.open', { kind: 'error', error: 'token_revoked' })
  await expect(other.views.open({ trigger_id: '1', view: { type: 'home', blocks: [] } })).rejects.toThrow()
  expect(refused.hits()).toBe(1)
  expect((await options.fetch?.(`${origin}/commands/T0/1/secret`, { method: 'POST', body: '{}' }))?.ok).toBe(true)
  expect(said()).not.toContain('Slack answers again')
  await other.auth.test()
  expect(said()).toContain('Slack answers again')
})

test('A token that is withdrawn fails its probe until Slack accepts it again, and silence changes nothing', async () => {
  let now = 0
  const probe = tokenProbe(client, { monotonic: () => now })
  expect(probe()).toBe(null)
  const refused = slack.fault('auth.test', { kind: 'error', error: 'token_revoked' })
  now += 30_000
  await expect.poll(probe).toBe('Slack does not accept the bot token (token_revoked). Check SLACK_BOT_TOKEN.')
  refused.clear()
  const silent = slack.fault('auth.test', { kind: 'status', status: 503 })
  now += 30_000
  probe()
  await expect.poll(() => silent.hits()).toBe(1)
  silent.clear()
  await client.auth.test()
  expect(probe()).toContain('token_revoked')
  now += 30_000
  await expect.poll(probe).toBe(null)
})

describe('A Slack error', () => {
  const meanings: Readonly<Record<string, readonly string[]>> = {
    closed: [
      'channel_not_found',
      'not_in_channel',
      'is_archived',
      'restricted_action',
      'restricted_action_thread_only_channel',
      'user_not_found',
      'user_disabled',
      'cannot_dm_bot',
      'messages_tab_disabled',
      'team_access_not_granted',
      'user_not_in_channel',
    ],
    gone: ['message_not_found', 'thread_not_found', 'cant_update_message', 'edit_window_closed', 'is_inactive'],
    unfit: ['invalid_blocks', 'invalid_blocks_format', 'msg_too_long', 'msg_blocks_too_long', 'no_text'],
    wait: ['ratelimited'],
    refused: ['invalid_auth', 'account_inactive', 'missing_scope', 'something_new', 'not_in_channel_at_all'],
    unknown: ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'],
  }
  const cases = Object.entries(meanings).flatMap(([kind, errors]) => errors.map((error) => [error, kind] as const))

  test.each(cases)('%s means %s', async (error, kind) => {
    expect(await failureAfter({ kind: 'error', error })).toMatchObject({ kind })
  })
})

describe('The outcome of a call is unknown after', () => {
  test.each<[string, Fault]>([
    ['a 500', { kind: 'status', status: 500 }],
    ['a 503 after it was done', { kind: 'status-after', status: 503 }],
    ['a connection that ends before', { kind: 'drop-before' }],
    ['a connection that ends after', { kind: 'drop-after' }],
    ['a 429 that does not say how long', { kind: 'rate-limited', retryAfterS: 'soon' }],
  ])('%s', async (_, fault) => {
    expect(await failureAfter(fault)).toMatchObject({ kind: 'unknown' })
  })

  test.each(['hang', 'hang-after'] as const)('a time without an answer: %s', async (kind) => {
    expect(await failureAfter({ kind }, clientOf(slack, 2_000))).toMatchObject({ kind: 'unknown' })
  })

  test('an error that did not come from Slack', () => {
    expect(failureOf(new TypeError('x'))).toEqual({ kind: 'unknown', why: 'TypeError' })
    expect(failureOf('x')).toEqual({ kind: 'unknown', why: 'unknown' })
  })
})

test.each([
  [7, 7_000],
  [1, 1_000],
  [0, 1_000],
])('a 429 with Retry-After %d makes us wait, but never for no time: %d ms', async (retryAfterS, ms) => {
  expect(await failureAfter({ kind: 'rate-limited', retryAfterS })).toEqual({ kind: 'wait', ms })
})
