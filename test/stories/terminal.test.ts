import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { login, loginFile, logout, terminalSecret, writeLogin } from '../../src/cli/client/login.ts'
import { sendLine } from '../../src/cli/client/send-line.ts'
import type { ClientTerminal } from '../../src/cli/command-line.ts'
import { asks, presses } from '../support/ops.ts'
import { callApi, proposeTo, tokenOf } from '../support/programs.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
    tokens: [user:U0ANA, user:U0BEN]
`)

let town: Town
let folder: string
let terminal: ClientTerminal
const [out, err]: [string[], string[]] = [[], []]
beforeEach(async () => {
  for (const said of [out, err]) said.length = 0
  folder = await mkdtemp(join(tmpdir(), 'terminal-'))
  const LAMPLIGHTER_KEY = randomBytes(32).toString('base64')
  town = await startTown({ policy, roles: ['worker', 'bot', 'api'], env: { LAMPLIGHTER_KEY } })
  terminal = {
    env: { XDG_CONFIG_HOME: folder, APPDATA: folder },
    language: 'en',
    colors: false,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    now: () => town.clock.now(),
    // Polls more often than in production, to save time.
    wait: (ms) => pause(Math.min(ms, 100)),
    onInterrupt: () => undefined,
  }
})
afterEach(async () => {
  await town.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a login. Returns the line to type and a promise of the exit code. */
async function begin(name?: string) {
  const over = login({ url: town.api(), ...(name !== undefined && { name }) }, terminal)
  await expect.poll(() => out.length).toBe(1)
  return { over, line: out.splice(0).join('') }
}

test('A press in Slack logs a terminal in, and its proposals end as its person decides', async () => {
  const ana = town.slack.as('U0ANA')
  const { over, line } = await begin('my-laptop')
  expect(line).toMatch(/^\/endpoint token new "terminal of my-laptop" code=\S+$/)
  await ana.types('ops', line)
  await ana.sees('Confirm only if you ran “lamplighter login” yourself', { in: 'ops' })
  await ana.presses('Yes, it’s my terminal', { in: 'ops' })
  expect(await over).toBe(0)
  expect(out.at(-1)).toMatch(/^Logged in for ana \(U0ANA\) in default as operator, until /)
  await ana.types('ops', '/endpoint history')
  const past = JSON.stringify(await ana.sees('Details', { in: 'ops' }))
  expect(past).toContain('Logged in “terminal of my-laptop”')
  expect(past).not.toContain('Confirm only')
  const file = loginFile(terminal.env)
  const { token } = JSON.parse(await readFile(file, 'utf8')) as { token: string }
  expect([(await stat(file)).mode & 0o777, (await stat(dirname(file))).mode & 0o777]).toEqual([0o600, 0o700])
  expect([...out, ...err, line, town.log(), town.slack.transcript('ops')].join('\n')).not.toContain(token)

  expect(await sendLine(['list'], terminal)).toBe(0)
  expect(out.at(-1)).toMatch(/●\s+my-llm/)
  const started = sendLine(['start', 'my-tts', '--wait', '--reason', 'the nightly job'], terminal)
  await expect
    .poll(() => err.join('\n'))
    .toMatch(/Waiting for a person to answer in Slack\. Request \S+ expires at .* if nobody answers\. https?:/)
  await ana.presses('Start my-tts', { in: 'ops' })
  expect(await started).toBe(0)
  expect(out.at(-1)).toMatch(/my-tts/)
  expect(await sendLine(['stop', 'my-lm', '--wait', '--reason', 'it is idle'], terminal)).toBe(2)
  expect(err).toContainEqual(expect.stringMatching(/^ {2}.+ stop my-llm$/))
  const declined = sendLine(['stop', 'my-llm', '--wait', '--reason', 'it is idle'], terminal)
  await ana.presses('Leave it running', { in: 'ops' })
  expect(await declined).toBe(3)
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'ep-tts', kind: 'start' }])

  // A code works once, whatever the name beside it.
  await ana.types('ops', line.replace('my-laptop', 'another'))
  await ana.sees('This code was already used', { in: 'ops' })
  expect(await logout(terminal)).toBe(0)
  expect(out.at(-1)).toMatch(/^Logged out/)
  await ana.sees(/Revoked the token “terminal of my-laptop”.* requested by the program itself for @ana/s, { in: 'ops' })
  await asks(ana, 'history', /Revoked the token.*requested by the program itself for/s)
  expect(await callApi(town, token, '/v1/me')).toMatchObject({ status: 401 })
  // Even its own line can't restore a revoked token.
  await ana.types('ops', line)
  await expect.poll(() => town.slack.transcript('ops').split('This code was already used')).toHaveLength(3)
  expect(await sendLine(['list'], terminal)).toBe(2)
})

test('A second login of a machine keeps its first token', async () => {
  const ana = town.slack.as('U0ANA')
  for (const time of [1, 2]) {
    const { over, line } = await begin()
    await ana.types('ops', line)
    await ana.presses('Yes, it’s my terminal', { in: 'ops' })
    expect([time, await over]).toEqual([time, 0])
    out.length = 0
  }
})

test('A logout that can’t reach the API leaves the token to its person to revoke', async () => {
  await writeLogin({ url: town.api(), token: `lamp_${'x'.repeat(65)}`, name: 'gone' }, terminal.env)
  expect(await logout(terminal)).toBe(0)
  await writeLogin({ url: 'http://127.0.0.1:9', token: 'lamp_x', name: 'terminal of my-laptop' }, terminal.env)
  expect(await logout(terminal)).toBe(1)
  expect(err.at(-1)).toContain('Revoke it in Slack: /endpoint token revoke "terminal of my-laptop"')
  expect(await logout(terminal)).toBe(0)
})

test('A program can revoke its own token and no other, without a press', async () => {
  const [mine, other] = [
    await tokenOf(town, 'U0ANA', 'token new ci only=start,keep,protect,freeze'),
    await tokenOf(town, 'U0BEN', 'token new other'),
  ]
  expect(await proposeTo(town, mine, 'token revoke other')).toMatchObject({ status: 403 })
  // Even while it can propose no more.
  for (const name of ['my-llm', 'my-tts'])
    for (const line of [`keep ${name} for 1h`, `protect ${name}`]) await proposeTo(town, mine, line)
  await proposeTo(town, mine, 'start my-tts')
  expect(await proposeTo(town, mine, 'freeze')).toMatchObject({ status: 429 })
  const ended = callApi(town, mine, '/v1/lines', { line: 'token revoke ci', reason: 'it is over', wait: 15 })
  expect(await ended).toMatchObject({ status: 200, body: { status: 'succeeded' } })
  expect(await callApi(town, mine, '/v1/me')).toMatchObject({ status: 401 })
  expect(await callApi(town, other, '/v1/me')).toMatchObject({ status: 200 })
})

test('A job that is interrupted while it waits cancels its start, whatever its token allows', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new ci only=start')
  const env = { ...terminal.env, LAMPLIGHTER_API_URL: town.api(), LAMPLIGHTER_TOKEN: token }
  const ending: (() => Promise<number>)[] = []
  const job = { ...terminal, env, onInterrupt: (leave: () => Promise<number>) => void ending.push(leave) }
  const over = sendLine(['start', 'my-tts', '--wait', '--cancel-on-exit', '--reason', 'the nightly job'], job)
  await expect.poll(() => err.join('\n')).toContain('if nobody answers')
  expect(await ending[0]?.()).toBe(3)
  expect(await over).toBe(3)
  await town.slack.as('U0ANA').sees('ci withdrew its proposal: “the program that proposed it has ended”', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('A terminal whose login fails exits with the reason', async () => {
  const ana = town.slack.as('U0ANA')
  await tokenOf(town, 'U0ANA', 'token new "terminal of my-laptop"')
  const taken = await begin('my-laptop')
  await ana.types('ops', taken.line)
  expect(await taken.over).toBe(2)
  expect(err.at(-1)).toMatch(/^You already have a token called “terminal of my-laptop”\./)
  const declined = await begin('my-desk')
  await ana.types('ops', declined.line)
  await ana.presses('No, it’s not mine', { in: 'ops' })
  expect(await declined.over).toBe(3)
  expect(err.at(-1)).toMatch(/^Log in “terminal of my-desk” cancelled by @U0ANA\./)
  // Knowing the line without the secret gives no access.
  const [, id = ''] = /code=\w+\.(\S+)/.exec(taken.line) ?? []
  const { status, body } = await callApi(town, `lamp_${id}`, '/v1/me')
  expect([status, body['type']]).toEqual([401, 'urn:lamplighter:bad-token'])
})

test('A secret whose code the bot would take for a token is not used', async () => {
  const ids = ['sk-'.padEnd(22, 'A'), 'fine'.padEnd(22, 'A')]
  const secret = terminalSecret((size) =>
    size === 16 ? Buffer.from(ids.shift() ?? '', 'base64url') : Buffer.alloc(size),
  )
  expect(secret).toMatch(/^lamp_fine/)
})

test('A terminal with a wrong clock can still log in', async () => {
  const right = terminal.now
  terminal = { ...terminal, now: () => right() - 3 * 3_600_000 }
  const { over, line } = await begin('my-laptop')
  await town.slack.as('U0ANA').types('ops', line)
  await town.slack.as('U0ANA').presses('Yes, it’s my terminal', { in: 'ops' })
  expect(await over).toBe(0)
})

test('Only the person can confirm a login, and an expired code is refused', async () => {
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  const { over, line } = await begin('my-laptop')
  await ana.types('ops', line)
  await ana.sees('Yes, it’s my terminal', { in: 'ops' })
  await presses(ben, 'Yes, it’s my terminal', 'confirm that the terminal is theirs')
  await town.minutesPass(11)
  expect(await over).toBe(4)
  expect(err.at(-1)).toContain('within ten minutes')
  await ana.types('ops', line.replace('my-laptop', 'late'))
  await ana.sees('This code has expired', { in: 'ops' })
  expect(await sendLine(['list'], terminal)).toBe(2)
})
