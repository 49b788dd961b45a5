import { WebClient } from '@slack/web-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'
import { errorOf, quiet } from './slack-app.ts'

let slack: SlackSandbox
let client: WebClient

beforeEach(async () => {
  slack = await startSlack({
    people: [
      { id: 'U0ANA', name: 'ana', realName: 'Ana Ace', email: 'ana@example.com', tz: 'Asia/Seoul' },
      { id: 'U0BEN', name: 'ben', guest: 'multi' },
      { id: 'U0GONE', name: 'gone', deleted: true },
      { id: 'U0FAR', name: 'far', stranger: true, teamId: 'T0FAR' },
    ],
    channels: [
      { id: 'C0OPS', name: 'ops' },
      { id: 'C0OUT', name: 'out', botIsMember: false },
      { id: 'C0OLD', name: 'old', archived: true },
      { id: 'G0SECRET', name: 'secret', private: true, botIsMember: false },
      { id: 'G0IN', name: 'in', private: true, members: ['U0ANA'] },
    ],
    usergroups: [
      { id: 'S0OPS', handle: 'ops-team', users: ['U0ANA'] },
      { id: 'S0OLD', handle: 'old-team', users: [], disabled: true },
    ],
    scopes: [
      'chat:write',
      'users:read',
      'channels:read',
      'groups:read',
      'channels:history',
      'usergroups:read',
      'im:write',
    ],
  })
  client = clientWith(slack.botToken)
})
afterEach(() => slack.stop())

function clientWith(token: string): WebClient {
  return new WebClient(token, { slackApiUrl: slack.url, rejectRateLimitedCalls: true, ...quiet })
}

describe('tokens and scopes', () => {
  test('a missing token, a wrong one and one of the wrong kind have different errors', async () => {
    const bare = await fetch(`${slack.url}auth.test`, { method: 'POST' })
    expect(await bare.json()).toMatchObject({ ok: false, error: 'not_authed' })
    expect(await errorOf(clientWith('xoxb-other').auth.test())).toBe('invalid_auth')
    expect(await errorOf(clientWith(slack.appToken).auth.test())).toBe('not_allowed_token_type')
    expect(await errorOf(client.apps.connections.open({}))).toBe('not_allowed_token_type')
  })

  test('a missing scope is named together with those that were granted', async () => {
    const call = client.files.getUploadURLExternal({ filename: 'a.txt', length: 1 })
    await expect(call).rejects.toMatchObject({
      data: {
        error: 'missing_scope',
        needed: 'files:write',
        provided: expect.stringContaining('chat:write,users:read'),
      },
    })
    const dm = await client.conversations.open({ users: 'U0ANA' })
    expect(await errorOf(client.conversations.history({ channel: dm.channel?.id ?? '' }))).toBe('missing_scope')
  })

  test('the app learns who it is', async () => {
    expect(await client.auth.test()).toMatchObject({ team_id: 'T0SANDBOX', user_id: 'U0APP', bot_id: 'B0APP' })
  })

  test('a method Slack does not have is unknown', async () => {
    expect(await errorOf(client.apiCall('chat.whisper'))).toBe('unknown_method')
  })
})

describe('places', () => {
  test.each([
    ['C0NONE', 'channel_not_found'],
    ['C0OUT', 'not_in_channel'],
    ['C0OLD', 'is_archived'],
    ['G0SECRET', 'channel_not_found'],
    ['U0GONE', 'channel_not_found'],
    ['U0APP', 'cannot_dm_bot'],
  ])('posting to %s is refused with %s', async (channel, error) => {
    expect(await errorOf(client.chat.postMessage({ channel, text: 'x' }))).toBe(error)
  })

  test('a person gets a direct message, and the answer has the id of the conversation', async () => {
    const { channel } = await client.chat.postMessage({ channel: 'U0ANA', text: 'psst' })
    expect(channel).toBe('D0ANA')
    await slack.as('U0ANA').sees('psst')
    expect(slack.transcript('U0ANA')).toBe('App: psst')
  })

  test('lists come in pages', async () => {
    const first = await client.conversations.list({ limit: 2, types: 'public_channel,private_channel' })
    const second = await client.conversations.list({
      limit: 2,
      types: 'public_channel,private_channel',
      cursor: first.response_metadata?.next_cursor ?? '',
    })
    const names = [...(first.channels ?? []), ...(second.channels ?? [])].map((c) => c.name)
    expect(names).toEqual(['ops', 'out', 'old', 'in'])
    expect(second.response_metadata?.next_cursor).toBe('')
    expect(await errorOf(client.conversations.list({ cursor: 'made-up' }))).toBe('invalid_cursor')
  })

  test('a channel and its members can be read', async () => {
    expect((await client.conversations.info({ channel: 'G0IN' })).channel).toMatchObject({
      is_private: true,
      is_member: true,
    })
    expect((await client.conversations.members({ channel: 'C0OPS' })).members).toEqual(['U0ANA', 'U0APP'])
    expect(await errorOf(client.conversations.info({ channel: 'G0SECRET' }))).toBe('channel_not_found')
  })
})

describe('people', () => {
  test('guests, strangers and deactivated people are marked, and emails need a scope', async () => {
    expect((await client.users.info({ user: 'U0BEN' })).user).toMatchObject({
      is_restricted: true,
      is_ultra_restricted: false,
    })
    expect((await client.users.info({ user: 'U0FAR' })).user).toMatchObject({ is_stranger: true, team_id: 'T0FAR' })
    expect((await client.users.info({ user: 'U0GONE' })).user).toMatchObject({ deleted: true })
    const { user } = await client.users.info({ user: 'U0ANA' })
    expect(user).toMatchObject({ real_name: 'Ana Ace', tz: 'Asia/Seoul' })
    expect(user?.profile).not.toHaveProperty('email')
    expect(await errorOf(client.users.info({ user: 'U0NOBODY' }))).toBe('user_not_found')
  })

  test('groups are listed with and without their users', async () => {
    expect((await client.usergroups.list()).usergroups?.[0]).not.toHaveProperty('users')
    const groups = await client.usergroups.list({ include_users: true })
    expect(groups.usergroups?.map((group) => [group.handle, group.users])).toEqual([['ops-team', ['U0ANA']]])
    const every = await client.usergroups.list({ include_disabled: true })
    expect(every.usergroups?.map(({ id, date_delete }) => [id, (date_delete ?? 0) > 0])).toEqual([
      ['S0OPS', false],
      ['S0OLD', true],
    ])
    expect((await client.usergroups.users.list({ usergroup: 'S0OPS' })).users).toEqual(['U0ANA'])
    expect(await errorOf(client.usergroups.users.list({ usergroup: 'S0NONE' }))).toBe('no_such_subteam')
  })
})

test('groups can’t be read without the scope, which the error names', async () => {
  const bare = await startSlack({ scopes: ['chat:write'] })
  try {
    const other = new WebClient(bare.botToken, { slackApiUrl: bare.url, ...quiet })
    for (const call of [other.usergroups.list(), other.usergroups.users.list({ usergroup: 'S0OPS' })])
      await expect(call).rejects.toMatchObject({
        data: { error: 'missing_scope', needed: 'usergroups:read', provided: 'chat:write' },
      })
  } finally {
    await bare.stop()
  }
})

describe('messages', () => {
  const ops = 'C0OPS'
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'in a block' } }] as const

  async function posted(extra: object = {}): Promise<string> {
    return (await client.chat.postMessage({ channel: ops, text: 'first', ...extra })).ts ?? ''
  }

  test('a post needs text, and no more than fits', async () => {
    expect(await errorOf(client.apiCall('chat.postMessage', { channel: ops }))).toBe('no_text')
    expect(await errorOf(client.chat.postMessage({ channel: ops, text: 'x'.repeat(40_001) }))).toBe('msg_too_long')
    expect(await errorOf(client.apiCall('chat.postMessage', { text: 'x' }))).toBe('invalid_arguments')
  })

  test.each([
    [{ attachments: [{ text: '<!channel>' }] }, 'invalid_attachments'],
    [{ markdown_text: '**x**' }, 'invalid_arguments'],
  ])('a post with %o is refused, because nothing here draws it', async (content, error) => {
    expect(await errorOf(client.apiCall('chat.postMessage', { channel: ops, text: 'x', ...content }))).toBe(error)
  })

  test('an update with text only removes the blocks and marks the message as edited', async () => {
    const ts = await posted({ blocks })
    await client.chat.update({ channel: ops, ts, text: 'second' })
    expect(slack.channel(ops).messages()[0]).toMatchObject({ blocks: [], edited: true, versions: [{ text: 'first' }] })
    expect(slack.transcript(ops)).toBe('App (edited): second')
  })

  test('an update with blocks leaves no edit mark', async () => {
    const ts = await posted()
    await client.chat.update({ channel: ops, ts, text: 'second', blocks: [...blocks] })
    expect(slack.transcript(ops)).toBe('App: in a block')
  })

  test('metadata survives an update without it, and is returned on request', async () => {
    const metadata = { event_type: 'request', event_payload: { id: 'r1' } }
    const ts = await posted({ metadata })
    await client.chat.update({ channel: ops, ts, text: 'second' })
    const plain = await client.conversations.history({ channel: ops })
    expect(plain.messages?.[0]).not.toHaveProperty('metadata')
    const full = await client.conversations.history({ channel: ops, include_all_metadata: true })
    expect(full.messages?.[0]?.metadata).toEqual(metadata)
    expect(await errorOf(client.apiCall('chat.postMessage', { channel: ops, text: 'x', metadata: '[]' }))).toBe(
      'invalid_metadata_format',
    )
  })

  test('only existing messages of the app can be changed or deleted', async () => {
    await slack.as('U0ANA').types(ops, 'hello')
    const theirs = slack.channel(ops).messages()[0]?.ts ?? ''
    expect(await errorOf(client.chat.update({ channel: ops, ts: theirs, text: 'x' }))).toBe('cant_update_message')
    expect(await errorOf(client.chat.delete({ channel: ops, ts: theirs }))).toBe('cant_delete_message')
    const ts = await posted()
    await client.chat.delete({ channel: ops, ts })
    expect(await errorOf(client.chat.update({ channel: ops, ts, text: 'x' }))).toBe('message_not_found')
    expect(await errorOf(client.chat.update({ channel: ops, ts: '1.000001', text: 'x' }))).toBe('message_not_found')
    expect(await errorOf(client.chat.update({ channel: ops, ts: await posted(), text: 'x'.repeat(4001) }))).toBe(
      'msg_too_long',
    )
  })

  test('a thread takes replies to its parent only, and keeps them when the parent is deleted', async () => {
    const ts = await posted()
    const reply = await client.chat.postMessage({ channel: ops, thread_ts: ts, text: 'reply', reply_broadcast: true })
    expect(await errorOf(client.chat.postMessage({ channel: ops, thread_ts: reply.ts ?? '', text: 'x' }))).toBe(
      'cannot_reply_to_message',
    )
    expect(await errorOf(client.chat.postMessage({ channel: ops, thread_ts: '1.000001', text: 'x' }))).toBe(
      'thread_not_found',
    )
    await client.chat.delete({ channel: ops, ts })
    await client.chat.postMessage({ channel: ops, thread_ts: ts, text: 'another' })
    expect(slack.transcript(ops)).toBe('(This message was deleted.)\n  App (broadcast): reply\n  App: another')
    const { messages } = await client.conversations.replies({ channel: ops, ts })
    expect(messages?.map((m) => m.text)).toEqual(['reply', 'another'])
  })

  test('history has what the channel shows: broadcast replies, but no others and nothing private', async () => {
    const ts = await posted()
    await client.chat.postMessage({ channel: ops, thread_ts: ts, text: 'in the thread' })
    await client.chat.postMessage({ channel: ops, thread_ts: ts, text: 'for all', reply_broadcast: true })
    await client.chat.postEphemeral({ channel: ops, user: 'U0ANA', text: 'for ana' })
    const { messages } = await client.conversations.history({ channel: ops })
    expect(messages?.map((m) => m.text)).toEqual(['for all', 'first'])
    expect(messages?.[1]).toMatchObject({ reply_count: 2 })
  })

  test('an ephemeral message needs a person in the channel and can’t be updated', async () => {
    const { message_ts } = await client.chat.postEphemeral({ channel: ops, user: 'U0ANA', text: 'for ana' })
    expect(await errorOf(client.chat.update({ channel: ops, ts: message_ts ?? '', text: 'x' }))).toBe(
      'message_not_found',
    )
    expect(await errorOf(client.chat.postEphemeral({ channel: ops, user: 'U0BEN', text: 'x' }))).toBe(
      'user_not_in_channel',
    )
    expect(slack.transcript(ops)).toBe('App (only visible to @ana): for ana')
  })

  test('a link to a reply names its thread', async () => {
    const ts = await posted()
    const reply = await client.chat.postMessage({ channel: ops, thread_ts: ts, text: 'reply' })
    const { permalink } = await client.chat.getPermalink({ channel: ops, message_ts: reply.ts ?? '' })
    expect(permalink).toContain(`/archives/C0OPS/p${reply.ts?.replace('.', '')}?thread_ts=${ts}`)
  })
})

describe('faults', () => {
  test('each kind has its effect as often as planned', async () => {
    const post = () => client.chat.postMessage({ channel: 'C0OPS', text: 'x' })
    const fault = slack.fault('chat.postMessage', { kind: 'error', error: 'internal_error' }, 1)
    expect(await errorOf(post())).toBe('internal_error')
    slack.fault('chat.postMessage', { kind: 'status', status: 503 }, 1)
    await expect(post()).rejects.toMatchObject({ statusCode: 503 })
    slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfterS: 7 }, 1)
    await expect(post()).rejects.toMatchObject({ retryAfter: 7 })
    slack.fault('chat.postMessage', { kind: 'drop-before' }, 1)
    await expect(post()).rejects.toThrow()
    expect(slack.channel('#ops').messages()).toEqual([])
    slack.fault('chat.postMessage', { kind: 'drop-after' }, 1)
    await expect(post()).rejects.toThrow()
    expect(slack.channel('#ops').messages()).toHaveLength(1)
    await post()
    expect(fault.hits()).toBe(1)
    expect(slack.calls('chat.postMessage').map((call) => call.applied)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ])
  })

  test('a listener runs before a call takes effect, and between effect and answer', async () => {
    const seen: string[] = []
    slack.onCall((call, moment) => {
      seen.push(`${moment} ${call.method}: ${slack.channel('#ops').messages().length}`)
    })
    await client.chat.postMessage({ channel: 'C0OPS', text: 'x' })
    expect(seen).toEqual(['before chat.postMessage: 0', 'after chat.postMessage: 1'])
  })

  test('the log of calls contains no token', async () => {
    await client.apiCall('auth.test', { token: slack.botToken })
    expect(JSON.stringify(slack.calls())).not.toContain(slack.botToken)
  })
})

test('posting too fast is a 429 for that channel until the clock has moved', async () => {
  await slack.stop()
  let now = 1_750_000_000_000
  slack = await startSlack({ paceRealistically: true, clock: { now: () => now } })
  client = clientWith(slack.botToken)
  const post = (channel: string) => client.chat.postMessage({ channel, text: 'x' })
  const burst = await Promise.allSettled(Array.from({ length: 12 }, () => post('C0OPS')))
  expect(burst.filter((one) => one.status === 'rejected').length).toBeGreaterThan(0)
  await expect(post('C0OPS')).rejects.toMatchObject({ retryAfter: 1 })
  await post('C0GENERAL')
  now += 1000
  await post('C0OPS')
})

test('requests from another page are refused', async () => {
  const foreign = await fetch(`${slack.url}api.test`, { method: 'POST', headers: { origin: 'https://evil.example' } })
  expect(foreign.status).toBe(403)
})

describe('workflow steps', () => {
  const functions = {
    look_up: {
      title: 'Look up',
      description: 'Looks somebody up.',
      input_parameters: { properties: { who: { type: 'slack#/types/user_id', title: 'Who' } }, required: ['who'] },
      output_parameters: {
        properties: { who: { type: 'slack#/types/user_id', title: 'Who' }, says: { type: 'string', title: 'Says' } },
        required: ['says'],
      },
    },
  } as const

  beforeEach(async () => {
    await slack.stop()
    slack = await startSlack({ people: [{ id: 'U0ANA', name: 'ana' }], functions })
    client = clientWith(slack.botToken)
  })

  test.each([
    [{}, 'says is missing'],
    [{ says: 'hello', more: 'x' }, 'more is not declared'],
    [{ says: 'hello', who: 'U0NOBODY' }, 'who is nobody'],
    [{ says: 3 }, 'says is no text'],
  ])('refuse the outputs %o', async (outputs, why) => {
    const { id } = await slack.workflows.run('look_up', { who: 'U0ANA' })
    const call = client.functions.completeSuccess({ function_execution_id: id, outputs })
    await expect(call).rejects.toMatchObject({ data: { error: 'parameter_validation_failed', errors: [why] } })
    expect(slack.workflows.execution(id)).toMatchObject({ state: 'running' })
  })

  test('end once, with the declared outputs or with an error', async () => {
    const [one, other] = [
      await slack.workflows.run('look_up', { who: 'U0ANA' }),
      await slack.workflows.run('look_up', { who: 'U0ANA' }),
    ]
    const succeed = (run: string) =>
      client.functions.completeSuccess({ function_execution_id: run, outputs: { says: 'hello', who: 'U0ANA' } })
    await succeed(one.id)
    await client.functions.completeError({ function_execution_id: other.id, error: 'Nobody is there.' })
    expect(await slack.workflows.ended(one.id)).toMatchObject({ state: 'completed', outputs: { says: 'hello' } })
    expect(await slack.workflows.ended(other.id)).toMatchObject({ state: 'failed', error: 'Nobody is there.' })
    expect(await errorOf(succeed(one.id))).toBe('execution_not_in_running_state')
    expect(await errorOf(succeed('Fx0'))).toBe('function_execution_not_found')
  })

  test('do not run with inputs that Workflow Builder would not save', async () => {
    await expect(slack.workflows.run('look_up', {})).rejects.toThrow('who is missing')
    await expect(slack.workflows.run('look_up', { who: 'ana' })).rejects.toThrow('who is nobody')
    await expect(slack.workflows.run('other', {})).rejects.toThrow('no step other')
  })
})
