import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ClientTerminal } from '../../src/cli/client/given.ts'
import { login, logout } from '../../src/cli/client/login.ts'
import { loginFile } from '../../src/cli/client/login-file.ts'
import { sendLine } from '../../src/cli/client/send.ts'
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
    colours: false,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    now: () => town.clock.now(),
    // Faster than a person.
    wait: (ms) => pause(Math.min(ms, 100)),
    onInterrupt: () => undefined,
  }
})
afterEach(async () => {
  await town.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Begins a login; resolves with the line to hand in, and with its exit code once it is over. */
async function begin(name: string) {
  const over = login({ url: town.api(), name }, terminal)
  await expect.poll(() => out.length).toBe(1)
  return { over, line: out.splice(0).join('') }
}

test('a press in Slack logs a terminal in, and what it proposes ends as its person decides', async () => {
  const ana = town.slack.as('U0ANA')
  const { over, line } = await begin('my-laptop')
  expect(line).toMatch(/^\/endpoint token new "terminal of my-laptop" code=\S+$/)
  await ana.types('ops', line)
  await ana.presses('Yes, it’s my terminal', { in: 'ops' })
  expect(await over).toBe(0)
  const file = loginFile(terminal.env)
  const { token } = JSON.parse(await readFile(file, 'utf8')) as { token: string }
  expect([(await stat(file)).mode & 0o777, (await stat(dirname(file))).mode & 0o777]).toEqual([0o600, 0o700])
  expect([...out, ...err, line, town.log(), town.slack.transcript('ops')].join('\n')).not.toContain(token)

  expect(await sendLine(['list'], terminal)).toBe(0)
  expect(out.at(-1)).toMatch(/●\s+my-llm/)
  const started = sendLine(['start', 'my-tts', '--wait', '--reason', 'the nightly job'], terminal)
  await expect.poll(() => err.join('\n')).toMatch(/Waiting for a person to answer in Slack\. https?:/)
  await ana.presses('Start my-tts', { in: 'ops' })
  expect(await started).toBe(0)
  expect(out.at(-1)).toMatch(/my-tts/)
  const declined = sendLine(['stop', 'my-llm', '--wait', '--reason', 'it is idle'], terminal)
  await ana.presses('Leave it running', { in: 'ops' })
  expect(await declined).toBe(3)
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'ep-tts', kind: 'start' }])

  // The code counts once, whatever it is called then.
  await ana.types('ops', line.replace('my-laptop', 'another'))
  await ana.sees('This code was already used', { in: 'ops' })
  expect(await logout(terminal)).toBe(0)
  expect(out.at(-1)).toContain('/endpoint token revoke "terminal of my-laptop"')
  expect(await sendLine(['list'], terminal)).toBe(2)
})

test('a terminal whose clock is wrong logs in all the same', async () => {
  const right = terminal.now
  terminal = { ...terminal, now: () => right() - 3 * 3_600_000 }
  const { over, line } = await begin('my-laptop')
  await town.slack.as('U0ANA').types('ops', line)
  await town.slack.as('U0ANA').presses('Yes, it’s my terminal', { in: 'ops' })
  expect(await over).toBe(0)
})

test('nobody else lets a terminal in, and an old code does not count', async () => {
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  const { over, line } = await begin('my-laptop')
  await ana.types('ops', line)
  await ana.sees('Yes, it’s my terminal', { in: 'ops' })
  await ben.presses('Yes, it’s my terminal', { in: 'ops' })
  await ben.sees('confirm that the terminal is theirs', { in: 'ops' })
  await town.minutesPass(11)
  expect(await over).toBe(4)
  expect(err.at(-1)).toContain('within ten minutes')
  await ana.types('ops', line.replace('my-laptop', 'late'))
  await ana.sees('This code has expired', { in: 'ops' })
  expect(await sendLine(['list'], terminal)).toBe(2)
})
