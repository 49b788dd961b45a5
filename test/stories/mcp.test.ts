import { createHmac, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildProduct } from '../support/child.ts'
import { asks, presses } from '../support/ops.ts'
import { tokenOf } from '../support/programs.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/** ana is an operator and may create tokens. */
const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0BEN]
    tokens: [user:U0ANA]
`)
const people = [
  { id: 'U0ANA', name: 'ana' },
  { id: 'U0BEN', name: 'ben' },
  { id: 'U0CLEO', name: 'cleo' },
  { id: 'U0JIN', name: 'jin', locale: 'ko-KR' },
  { id: 'U0GUS', name: 'gus', guest: 'single' },
] as const
const SLACK_SIGNING_SECRET = 'a-signing-secret-of-a-story'

let town: Town
let token: string
const clients: Client[] = []
beforeEach(async () => {
  const LAMPLIGHTER_KEY = randomBytes(32).toString('base64')
  const env = { LAMPLIGHTER_KEY, SLACK_SIGNING_SECRET }
  town = await startTown({ policy, roles: ['worker', 'bot', 'api'], env, slack: { people } })
  token = await tokenOf(town, 'U0ANA', 'token new agent')
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await town.stop()
})

/** Connects a client as an agent would; `modern` uses the 2026 specification. */
async function agent(era: 'legacy' | 'modern' = 'modern'): Promise<Client> {
  const client = new Client(
    { name: 'an-agent', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', town.api()), { requestInit }))
  clients.push(client)
  return client
}

interface Answered {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
  readonly isError: boolean
}

async function use(client: Client, name: string, given: Record<string, unknown>): Promise<Answered> {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given })
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  return { text, data: (structuredContent ?? {}) as Answered['data'], isError }
}

const because = 'nobody has used it since 09:00'

test('An agent on the legacy or modern protocol gets four tools, one per call, and the manual', async () => {
  for (const era of ['legacy', 'modern'] as const) await getsAll(await agent(era))
  await expect(use(await agent(), 'approve', { id: 'x' })).rejects.toThrow('Tool approve not found')
  const headers = { authorization: `Bearer ${token}` }
  const got = await fetch(`${town.api()}/mcp`, { headers })
  expect([got.status, await got.json()]).toMatchObject([405, { type: 'urn:lamplighter:bad-method' }])
  // One HTTP call makes one call of a tool.
  const params = { name: 'look', arguments: { line: 'list' } }
  const body = JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })))
  const accept = 'application/json, text/event-stream'
  for (const before of ['', ' \ufeff\n']) {
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json', accept } }
    const answer = await fetch(`${town.api()}/mcp`, { ...sent, body: `${before}${body}` })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  }
})

async function getsAll(client: Client): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['look', 'explain', 'propose', 'request'])
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)).toEqual([
    'propose',
  ])
  expect(tools.map(({ outputSchema }) => Object.keys(outputSchema?.['properties'] ?? {})[0])).toEqual(
    Array(4).fill('id'),
  )
  expect(client.getInstructions()).toMatch(/people decide/)
  const { contents } = await client.readResource({ uri: 'lamplighter://manual' })
  expect(JSON.stringify(contents)).toContain('| `stop <endpoint>')
  expect(JSON.stringify(contents)).not.toMatch(/endpoint approve|`(approve|undo|away|back|break-glass|thaw|token) /)
}

test('An agent looks, proposes once however often it asks, and learns the decision', async () => {
  const client = await agent()
  const looked = await use(client, 'look', { line: 'list' })
  expect(looked.text).toMatch(/^- my-llm.*\(running\)$/m)
  expect(looked.data).toMatchObject({ answer: { items: [{ text: 'my-llm' }, { text: 'my-tts' }] } })
  for (const line of ['stop my-llm', 'explain stop my-llm'])
    expect((await use(client, 'explain', { line })).text).toMatch(/^stop my-llm\n.*confirm/s)
  expect((await use(client, 'explain', { line: 'freeze' })).text).toMatch(/^freeze reason="…"\n.*needs/is)

  const proposed = await use(client, 'propose', { line: 'stop my-llm', reason: because })
  const again = await use(client, 'propose', { line: 'stop my-llm', reason: because })
  const { id, link } = proposed.data as { readonly id: string; readonly link: string }
  expect(proposed).toMatchObject({ isError: false, data: { status: 'awaiting', needs: 'confirmation' } })
  expect(proposed.text).toContain(`request ${id}: awaiting`)
  expect(again.data).toMatchObject({ id, status: 'awaiting', again: true })
  expect(town.slack.transcript('ops').match(/^App: Stop my-llm\?/gm)).toHaveLength(1)
  expect(town.slack.transcript('ops')).toContain('🤖 proposed by agent for @ana')
  // What the open request prevents names it and links to it.
  const refused = await use(client, 'propose', { line: 'restart my-llm', reason: because })
  expect(refused.data).toMatchObject({ status: 'refused', about: { id, status: 'awaiting', link } })
  expect(refused.text).toContain(`request ${id}: awaiting\n${link}`)
  expect(town.platform.changes()).toEqual([])

  const ana = town.slack.as('U0ANA')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  const ended = await use(client, 'request', { id })
  expect(ended.data).toMatchObject({ status: 'succeeded', open: false, program: 'agent' })
  expect(ended.text).toMatch(/^Stopped my-llm\. Confirmed by @U0ANA\.$/m)
  const late = await use(client, 'propose', { line: 'stop my-llm', reason: because })
  expect(late).toMatchObject({ isError: false, data: { id, status: 'succeeded' } })
  expect(late.text).toMatch(/nothing new was proposed/)
  const next = await use(client, 'propose', { line: 'stop my-llm', reason: because, key: '2026-11-26' })
  expect(next.data['id']).not.toBe(id)
  // Some clients fill what may be left out.
  const empty = await use(client, 'propose', { line: 'stop my-llm', reason: because, key: '' })
  expect(empty.data['id']).toBe(id)
})

test('A declined proposal stays declined and says so', async () => {
  const client = await agent('legacy')
  const { data } = await use(client, 'propose', { line: 'start my-tts', reason: because })
  const other = await use(client, 'propose', { line: 'keep my-llm for 2h', reason: because })
  await town.slack.as('U0BEN').presses('Leave it stopped', { in: 'ops' })
  await town.slack.as('U0ANA').presses('Leave it as it is', { in: 'ops' })
  await town.calm()
  const told = await use(client, 'request', { id: data['id'] })
  expect(told).toMatchObject({ isError: false, data: { open: false, status: 'declined', decided: { by: 'U0BEN' } } })
  expect(told.text).toMatch(/^Start my-tts declined by @U0BEN\.\n/)
  expect(told.text).toMatch(/Don’t propose it again/)
  // The card and history use the same word.
  const own = await use(client, 'request', { id: other.data['id'] })
  expect(own.data).toMatchObject({ status: 'declined', decided: { yes: false, by: 'U0ANA' } })
  expect(own.text).toMatch(/ declined by @U0ANA\./)
  const { text } = await use(client, 'look', { line: 'history' })
  expect(text).toMatch(/proposed by agent for user:U0ANA .*· declined by user:U0ANA/)
  expect(text).toMatch(/Start my-tts · proposed by agent for user:U0ANA .*· declined by user:U0BEN$/m)
  expect(await use(client, 'propose', { line: 'start my-tts', reason: because })).toMatchObject({ isError: true })
  expect(town.platform.changes()).toEqual([])
})

test('Every refusal is answered with the mistake, in the same shape', async () => {
  const refusals: readonly (readonly [string, Record<string, unknown>, RegExp, object?])[] = [
    ['propose', { line: 'approve my-llm', reason: because }, /Only people can use approve/, { why: 'not-allowed' }],
    ['propose', { line: 'thaw', reason: because }, /Only people can use thaw/],
    ['propose', { line: 'token new other', reason: because }, /Only people can use token/],
    ['propose', { line: 'list', reason: because }, /only looks something up/],
    ['propose', { line: 'stop my-llm', reason: ' ' }, /Give a reason/],
    ['propose', { line: 'stop my-llm', reason: 'x'.repeat(301) }, /300/],
    ['look', { line: 'stop my-llm' }, /changes something/, { why: 'other-kind' }],
    ['look', { line: 'statsu my-llm' }, /status/, { why: 'line', perhaps: ['status my-llm'] }],
    ['look', { line: 'status no-such' }, /no-such/],
    ['request', { id: 'AAAAAAAAAAAAAAAAAAAAAA' }, /no request A+ that you can see/, { why: 'no-request' }],
    ['propose', { line: 'stop my-llm' }, /Give a reason: people read it before they decide\./],
    ['look', { line: 'list', as: 'U0BEN' }, /as/],
  ]
  const client = await agent()
  for (const [name, given, says, more] of refusals) {
    const refused = await use(client, name, given)
    expect([given, refused]).toMatchObject([given, { isError: true, text: expect.stringMatching(says) }])
    const shape = { status: 'refused', open: false, says: expect.any(String), ...more }
    if (more !== undefined) expect([given, refused.data]).toMatchObject([given, shape])
  }
  expect(town.platform.changes()).toEqual([])
  expect(town.slack.transcript('ops')).not.toContain('🤖')
  // A mistyped name is refused with the lines it may mean.
  for (const [line, perhaps, says] of [
    ['stop my-lml', ['stop my-llm'], /^No endpoint is named “my-lml”\. Did you mean my-llm\?$/],
    ['stop no-such', [], /^No endpoint is named “no-such”\. .*\.$/],
  ] as const) {
    const { text, data, isError } = await use(client, 'propose', { line, reason: because })
    expect([isError, data]).toMatchObject([
      true,
      { status: 'refused', open: false, perhaps, says: expect.stringMatching(says) },
    ])
    expect(text).toMatch(/Correct the line and send it again/)
    expect(text).not.toMatch(/Don’t propose it again/)
  }
})

test('A call without a token, or with a revoked one, is refused', async () => {
  const client = await agent()
  const bare = await fetch(`${town.api()}/mcp`, { method: 'POST', body: '{}' })
  expect([bare.status, bare.headers.get('content-type')]).toEqual([401, 'application/problem+json'])
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'token revoke agent', 'Revoked the token')
  await expect(use(client, 'look', { line: 'list' })).rejects.toThrow(/401|Unauthorized|isn’t valid/i)
})

test('No secret appears in an answer or in the log', async () => {
  const client = await agent()
  const said = await Promise.all([
    use(client, 'look', { line: 'doctor' }),
    use(client, 'look', { line: 'tokens' }),
    use(client, 'look', { line: 'whoami' }),
    use(client, 'propose', { line: `start ${token}`, reason: because }),
    use(client, 'propose', { line: 'start my-tts', reason: `with ${token}` }),
  ])
  for (const secret of [token, town.platform.apiKey, town.slack.botToken, SLACK_SIGNING_SECRET]) {
    expect(JSON.stringify(said)).not.toContain(secret)
    expect(town.log()).not.toContain(secret)
  }
})

/** Calls as Slack's own client does: signed, with the person in `_meta`. */
async function slackbot(method: string, params: object, secret = SLACK_SIGNING_SECRET) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const stamp = String(Math.floor(town.clock.now() / 1_000))
  const mac = createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex')
  const response = await fetch(`${town.api()}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-slack-request-timestamp': stamp,
      'x-slack-signature': `v0=${mac}`,
    },
    body,
  })
  return { status: response.status, text: await response.text() }
}

test('Slackbot proposes for the person in Slack’s signed call', async () => {
  const of = (user: string) => ({ slack: { team_id: 'T0SANDBOX', user_id: user } })
  const stop = { name: 'propose', arguments: { line: 'stop my-llm', reason: because } }
  expect((await slackbot('tools/list', {})).text).toContain('"propose"')
  expect((await slackbot('tools/call', { ...stop, _meta: of('U0ANA') })).text).toMatch(/"awaiting"/)
  expect(town.slack.transcript('ops')).toContain('🤖 proposed by Slackbot for @ana')

  expect((await slackbot('tools/call', { ...stop, _meta: of('U0CLEO') })).text).toMatch(/"refused"/)
  const cancel = { name: 'propose', arguments: { line: 'cancel my-llm', reason: because } }
  expect((await slackbot('tools/call', { ...cancel, _meta: of('U0BEN') })).text).toMatch(
    /can only cancel its own proposals/,
  )
  expect((await slackbot('tools/call', stop)).text).toMatch(/didn’t say who/)
  expect(
    (await slackbot('tools/call', { ...stop, _meta: { slack: { team_id: null, user_id: 'U0ANA' } } })).text,
  ).toMatch(/didn’t say who/)
  expect(await slackbot('tools/call', { ...stop, _meta: of('U0ANA') }, 'a-guess')).toMatchObject({ status: 401 })
  expect(town.slack.transcript('ops').match(/^App: Stop my-llm\?/gm)).toHaveLength(1)
})

test('Slackbot answers in the person’s language and never mentions tokens', async () => {
  const said = async (user: string, name: string, given: object) => {
    const _meta = { slack: { team_id: 'T0SANDBOX', user_id: user } }
    return (await slackbot('tools/call', { name, arguments: given, _meta })).text
  }
  expect(await said('U0JIN', 'look', { line: 'list' })).toContain('엔드포인트 2개')
  expect(await said('U0ANA', 'look', { line: 'list' })).toContain('2 endpoints')
  const refused = [
    await said('U0ANA', 'propose', { line: 'thaw', reason: because }),
    await said('U0CLEO', 'propose', { line: 'stop my-llm', reason: because }),
    await said('U0GUS', 'look', { line: 'list' }),
    await said('U0ANA', 'request', { id: 'no-such' }),
  ]
  expect(refused.join()).toMatch(
    /Only people can use thaw, in Slack.*role.*don’t have a role here.*no request no-such/s,
  )
  expect(refused.join()).not.toMatch(/token/i)
})

test('The same tools are available on standard input and output', async () => {
  await buildProduct()
  const client = new Client({ name: 'an-agent', version: '1.0.0' })
  const started = new StdioClientTransport({
    command: process.execPath,
    args: ['dist/main.js', 'mcp'],
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env['PATH'] ?? '', LAMPLIGHTER_API_URL: town.api(), LAMPLIGHTER_TOKEN: token },
  })
  await client.connect(started)
  clients.push(client)
  expect((await client.listTools()).tools).toHaveLength(4)
  expect((await use(client, 'look', { line: 'list' })).text).toMatch(/my-llm/)
  const proposed = await use(client, 'propose', { line: 'start my-tts', reason: because })
  expect(proposed.data).toMatchObject({ status: 'awaiting', person: 'U0ANA', program: 'agent' })
  expect((await use(client, 'propose', { line: 'thaw', reason: because })).text).toMatch(/Only people can use thaw/)
  const { id } = proposed.data
  await presses(town.slack.as('U0ANA'), 'Start my-tts', 'Started my-tts')
  expect((await use(client, 'request', { id })).data).toMatchObject({ status: 'succeeded' })
})
