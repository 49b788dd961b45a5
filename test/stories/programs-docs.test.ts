import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildProduct } from '../support/child.ts'
import { fence, projectRoot, readPages } from '../support/pages.ts'
import { tokenOf } from '../support/programs.ts'
import { sampleOf } from '../support/search.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/* Plays the examples of docs/programs.md as written; the test presses the buttons. */

const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA, user:U0BEN] }
    tokens: [user:U0ANA]
`)

let town: Town
let folder: string
beforeEach(async () => {
  await buildProduct()
  folder = await mkdtemp(join(tmpdir(), 'pipeline-'))
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  town = await startTown({ policy, roles: ['worker', 'bot', 'api'], env })
})
afterEach(async () => {
  await town.stop()
  await rm(folder, { recursive: true, force: true })
})

async function blockWith(text: string): Promise<string> {
  const page = (await readPages()).find(({ path }) => path === 'docs/programs.md')
  const found = [...(page?.text ?? '').matchAll(fence)].map(([, , , code = '']) => code)
  return found.find((code) => code.includes(text)) ?? ''
}

/** Runs the page's pipeline script with `lamplighter` on PATH and a job that runs `what` and exits with `code`. */
async function pipeline(token: string, code: number, what = 'echo the batch runs') {
  const script = await blockWith('./run-the-batch')
  const command = `#!/bin/sh\nexec '${process.execPath}' --disable-proto=delete '${projectRoot}/dist/main.js' "$@"\n`
  await writeFile(join(folder, 'lamplighter'), command, { mode: 0o755 })
  await writeFile(join(folder, 'run-the-batch'), `#!/bin/sh\n${what}\nexit ${code}\n`, { mode: 0o755 })
  await writeFile(join(folder, 'pipeline.sh'), script)
  const child = spawn('sh', ['pipeline.sh'], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      HOME: folder,
      LAMPLIGHTER_API_URL: town.api(),
      LAMPLIGHTER_TOKEN: token,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, so that a signal can reach the commands too.
    detached: true,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += String(bytes)))
  return {
    code: once(child, 'close').then(([ended]) => ended as number | null),
    said: () => said,
    signal: (name: NodeJS.Signals, alone: boolean) => process.kill(alone ? child.pid! : -child.pid!, name),
  }
}

const ops = { in: 'ops', timeoutMs: 60_000 } as const

const scripts = [
  ['0 done', 'new ci', 0, ['Start my-tts', 'Stop my-tts'], ['start', 'stop'], 0],
  ['1 failed', 'new ci', 0, ['Start my-tts'], [], 1],
  ['2 refused', 'new ci only=stop', 0, [], [], 2],
  ['3 declined', 'new ci', 0, ['Leave it stopped'], [], 3],
  ['4 expired', 'new ci', 0, [], [], 4],
  [
    'the code of a job that failed, once it was stopped',
    'new ci',
    7,
    ['Start my-tts', 'Stop my-tts'],
    ['start', 'stop'],
    7,
  ],
  ['0 done, whose stop is declined', 'new ci', 0, ['Start my-tts', 'Leave it running'], ['start'], 0],
  [
    'the code of a job that failed, whose stop is declined',
    'new ci',
    7,
    ['Start my-tts', 'Leave it running'],
    ['start'],
    7,
  ],
] as const
// The terminal’s own tests cover each exit code, so the other rows stand for these.
const others = [
  '2 refused',
  '3 declined',
  '4 expired',
  'the code of a job that failed, once it was stopped',
  '0 done, whose stop is declined',
]
test.each(sampleOf(scripts, ([what]) => !others.includes(what)))(
  'The pipeline script exits with %s',
  async (what, line, job, presses, changes, code) => {
    const token = await tokenOf(town, 'U0ANA', `token ${line}`)
    if (what.startsWith('1'))
      town.platform.faults.add('startEndpoint', {
        kind: 'answer',
        status: 500,
        body: { detail: 'Not enough balance to start the endpoint' },
      })
    const run = await pipeline(token, job)
    const ana = town.slack.as('U0ANA')
    for (const button of presses) await ana.presses(button, ops)
    if (what.startsWith('4')) {
      await ana.sees('[Start my-tts]', ops)
      await town.minutesPass(31)
    }
    expect(await run.code, run.said()).toBe(code)
    expect(run.said().includes('the batch runs')).toBe(changes.length > 0)
    expect(
      town.platform
        .changes()
        .filter(({ effective }) => effective)
        .map(({ kind }) => kind),
    ).toEqual(changes)
    expect(town.slack.transcript('ops').includes('the batch is over')).toBe(changes.length > 0)
  },
  120_000,
)

test('The pipeline script stops an endpoint whose start was cancelled while under way', async () => {
  await town.stop()
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  town = await startTown({ policy, roles: ['worker', 'bot', 'api'], env, platform: { startDelayMs: 600_000 } })
  const token = await tokenOf(town, 'U0ANA', 'token new ci')
  const run = await pipeline(token, 0)
  const ana = town.slack.as('U0ANA')
  await ana.presses('Start my-tts', ops)
  await ana.sees('waiting until it serves', ops)
  await ana.types('ops', '/endpoint cancel my-tts')
  await ana.presses('Stop my-tts', ops)
  expect(await run.code, run.said()).toBe(3)
  expect(run.said()).not.toContain('the batch runs')
  expect(run.said()).toContain('Start my-tts cancelled. It’s starting. Cancelling doesn’t stop my-tts;')
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['start', 'stop'])
})

test('The pipeline script runs the job on a running endpoint and leaves it running', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new ci')
  town.platform.console.start('ep-tts')
  const run = await pipeline(token, 0)
  expect(await run.code, run.said()).toBe(0)
  expect(run.said()).toContain('the batch runs')
  expect(town.platform.changes().filter(({ kind }) => kind === 'stop')).toEqual([])
})

const whole = 'the shell and its commands'

describe.each(['the shell alone', whole])('A signal to %s', (whom) => {
  const ways = [
    ['cancels a start that waits for people', [], []],
    ['ends the job and stops what was started', ['Start my-tts', 'Stop my-tts'], ['start', 'stop']],
  ] as const
  test.each(sampleOf(ways, (way) => whom !== whole || way[2].length > 0))(
    '%s',
    async (_, presses, changes) => {
      const token = await tokenOf(town, 'U0ANA', 'token new ci')
      const run = await pipeline(token, 0, 'echo the batch runs; exec sleep 600')
      const ana = town.slack.as('U0ANA')
      await ana.sees('[Start my-tts]', ops)
      const [first, second] = presses
      if (first !== undefined) await ana.presses(first, ops)
      await expect.poll(run.said).toContain(first === undefined ? 'if nobody answers' : 'the batch runs')
      run.signal('SIGTERM', whom === 'the shell alone')
      if (second !== undefined) await ana.presses(second, ops)
      expect(await run.code, run.said()).toBe(130)
      expect(town.platform.changes().map(({ kind }) => kind)).toEqual(changes)
      await expect.poll(() => town.slack.transcript('ops')).not.toContain('[Start my-tts]')
    },
    120_000,
  )
})

test('An agent’s session runs as the page shows it', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new my-agent')
  const client = new Client({ name: 'an-agent', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', town.api()), { requestInit }))
  const shown = await blockWith('> look')
  const played: string[] = []
  let id = ''
  for (const line of shown.split('\n')) {
    const [, name = '', given = ''] = /^> (\w+) (.*)$/.exec(line) ?? []
    const [, user, button = ''] = /^@(\w+) presses (.*)$/.exec(line) ?? []
    if (name === '' && user === undefined) continue
    played.push(line)
    if (user !== undefined) {
      await town.slack.as(`U0${user.toUpperCase()}`).presses(button, ops)
      await town.calm()
      continue
    }
    const { content, structuredContent } = await client.callTool({
      name,
      arguments: JSON.parse(given.replace('…', id)) as Record<string, unknown>,
    })
    const [first] = content
    if (name === 'propose') id = String((structuredContent as { id?: string }).id)
    const text = first?.type === 'text' ? first.text : ''
    played.push(text.replace(id === '' ? /$^/ : id, '…').replace(/https?:\S+/, 'https://…'))
  }
  await client.close()
  expect(`${played.join('\n')}\n`).toBe(shown)
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'ep-llm', kind: 'stop' }])
})
