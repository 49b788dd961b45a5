import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { login, loginFile, logout } from '../../src/cli/client/login.ts'
import type { ClientTerminal } from '../../src/cli/command-line.ts'
import { callApi, proposeTo, tokenOf } from '../support/programs.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'
import { projects, startTwins, type Twins, twinPolicy } from '../support/twins.ts'

/* What other calls, another project or Slack do while a program waits. */

const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA, user:U0BEN], approver: [user:U0BEN], admin: [user:U0BEN] }
    tokens: [user:U0ANA, user:U0CLEO]
`)
let town: Pick<Town, 'stop'> | undefined
afterEach(() => town?.stop())
async function begin(): Promise<Town> {
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const begun = await startTown({ policy, roles: ['worker', 'bot', 'api'], env })
  town = begun
  return begun
}

/** Opens the stream of a request; `over` resolves to the names of its events. */
async function listen({ api }: Town, token: string, id: unknown) {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const answer = await fetch(`${api()}/v1/requests/${String(id)}`, { headers })
  return { over: answer.text().then((text) => text.match(/(?<=^event: )\w+/gm)) }
}

async function confirm({ slack }: Town): Promise<void> {
  const ben = slack.as('U0BEN')
  await ben.presses('Stop my-llm', { in: 'ops' })
  await ben.sees('Stopped my-llm', { in: 'ops' })
}

async function callTooOften(begun: Town, token: string): Promise<void> {
  let status = 200
  for (let n = 0; n < 320 && status === 200; n += 1) ({ status } = await callApi(begun, token, '/v1/me'))
  expect(status).toBe(429)
}

test('A stream and a call that waits outlive other calls of their token', async () => {
  const begun = await begin()
  const token = await tokenOf(begun, 'U0ANA', 'token new ci')
  const proposal = { line: 'stop my-llm', reason: 'x' }
  const { body } = await callApi(begun, token, '/v1/lines', proposal, 'one')
  const waiting = callApi(begun, token, '/v1/lines', { ...proposal, wait: 60 }, 'one')
  const { over } = await listen(begun, token, body['id'])
  await begun.slack.as('U0BEN').sees('[Stop my-llm]', { in: 'ops' })
  await callTooOften(begun, token)
  await confirm(begun)
  expect((await over)?.at(-1)).toBe('end')
  expect(await waiting).toMatchObject({ status: 200, body: { status: 'succeeded' } })
})

test('A stream outlives a moment in which Slack doesn’t answer', async () => {
  const begun = await begin()
  const token = await tokenOf(begun, 'U0ANA', 'token new ci')
  const { body } = await proposeTo(begun, token, 'stop my-llm')
  const { over } = await listen(begun, await tokenOf(begun, 'U0CLEO', 'token new eye'), body['id'])
  const fault = begun.slack.fault('users.info', { kind: 'status', status: 503 })
  await pause(2_000)
  fault.clear()
  await confirm(begun)
  expect((await over)?.at(-1)).toBe('end')
})

/** Starts two projects in which ana may make tokens. */
async function beginTwins(): Promise<Twins> {
  const twins = await startTwins({
    policy: twinPolicy.replaceAll(/^ {4}roles:/gm, '    tokens: [user:U0ANA]\n    roles:'),
    roles: ['worker', 'bot', 'api'],
  })
  town = twins
  return twins
}

test('A logout revokes the token in every project that accepted its code', async () => {
  const twins = await beginTwins()
  const folder = await mkdtemp(join(tmpdir(), 'terminal-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const out: string[] = []
  const terminal: ClientTerminal = {
    env: { XDG_CONFIG_HOME: folder, APPDATA: folder },
    language: 'en',
    colors: false,
    out: (line) => void out.push(line),
    err: () => undefined,
    now: () => twins.town.clock.now(),
    wait: (ms) => pause(Math.min(ms, 100)),
    onInterrupt: () => undefined,
  }
  const over = login({ url: twins.town.api(), name: 'desk' }, terminal)
  await expect.poll(() => out).toHaveLength(1)
  const ana = twins.town.slack.as('U0ANA')
  for (const where of projects) await ana.types(where, out[0] ?? '')
  for (const where of projects) await ana.presses('Yes, it’s my terminal', { in: where })
  for (const where of projects) await ana.sees(/Logged in “terminal of desk”/, { in: where })
  expect(await over).toBe(0)
  const { token } = JSON.parse(await readFile(loginFile(terminal.env), 'utf8')) as { token: string }
  expect(await callApi(twins.town, token, '/v1/me')).toMatchObject({ status: 200 })
  expect(await logout(terminal)).toBe(0)
  expect(await callApi(twins.town, token, '/v1/me')).toMatchObject({ status: 401 })
})

test.each(['root', 'records'])(
  'Programs of a project don’t notice that another’s %s were tampered with',
  async (what) => {
    const twins = await beginTwins()
    const ana = twins.town.slack.as('U0ANA')
    await ana.types('speech', '/endpoint token new ci')
    const [token = ''] = /lamp_[\w-]{65}/.exec(JSON.stringify(await ana.sees('lamp_', { in: '@app' }))) ?? []
    await ana.types('search', '/endpoint protect search-tts because="customers"')
    await ana.sees('Protected search-tts', { in: 'search' })
    const key = `{${twins.town.prefix}:search}:${what}`
    if (what === 'root') await twins.redis.set(key, 'x'.repeat(60))
    else await twins.redis.hset(key, (await twins.redis.hkeys(key))[0] ?? '', `${'x'.repeat(43)}{}`)
    expect(await callApi(twins.town, token, '/v1/me')).toMatchObject({ status: 200, body: { project: 'speech' } })
  },
)
