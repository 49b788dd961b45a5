import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { OperationName } from '../../sandbox/platform/names.ts'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import { audit } from '../../src/cli/audit.ts'
import { rows } from '../../src/features/command-table.ts'
import { dumpOf, findings, shapesOf, wrappings } from '../support/canary.ts'
import { buildProduct, type Child, startChild } from '../support/child.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/*
 * Puts canaries of every shape into every secret, then runs every command and makes everything fail that can.
 * At the end none of them may appear in anything that people can read.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const people = ['ANA', 'BEN', 'CLEO', 'DANA'].map((name) => ({ id: `U0${name}`, name: name.toLowerCase() }))
const members = people.map(({ id }) => id)
const policy = policyOf(`
    signals: { key_env: METRICS_KEY, allow_private: true }
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, group:S0NONE]
      approver: [user:U0BEN]
      admin: [user:U0DANA]
`)

const values = shapesOf('e7Q2wZ')
const typed = shapesOf('t9K4pL').slice(0, 6)
const echoed = shapesOf('p3M8dR').slice(0, 6)
const held = {
  platform: shapesOf('a1B5xY')[7] ?? '',
  metrics: shapesOf('m6N2cV')[11] ?? '',
  redis: shapesOf('r4T7sJ')[3] ?? '',
  key: Buffer.from('canary key of thirty-two bytes!!').toString('base64'),
}

let redis: Awaited<ReturnType<typeof startRedis>>
let redisUrl: string
let town: Town
let folder: string
const children: Child[] = []

/** What each process logged before it crashed on purpose. */
const crashes: string[] = []

/** On a signal, throws an error that carries secrets in every place an error can. */
const breakable = `
const { SLACK_BOT_TOKEN: bot, REDIS_URL: url, LAMPLIGHTER_KEY: key } = process.env;
process.once('SIGUSR2', () => {
  const error = new Error('broke at ' + url + ' with Bearer ' + bot, { cause: new Error(key) });
  throw Object.assign(error, { command: { args: [key, bot] }, config: { headers: { authorization: 'Bearer ' + bot } } });
});
`

beforeAll(async () => {
  await buildProduct()
  folder = await mkdtemp(join(tmpdir(), 'canary-'))
  redis = await startRedis({ own: true, ...(inject('redisKind') === 'in-process' && { rung: 'in-process' }) })
  const open = new Redis(redis.url)
  // The in-process Redis has no passwords; the address contains one anyway.
  await open.config('SET', 'requirepass', held.redis).catch(() => undefined)
  open.disconnect()
  const address = new URL(redis.url)
  address.password = held.redis
  redisUrl = address.href
  town = await startTown({
    redisUrl,
    roles: [],
    policy,
    listed: true,
    watched: true,
    platform: { keys: [{ key: held.platform, id: 'key-1', user: 'ci' }] },
    endpoints: [
      { id: 'ep-llm', name: 'my-llm', active: true, replicas: 2, servingKey: held.metrics },
      { id: 'ep-tts', name: 'my-tts', active: false },
      { id: 'ep-new', name: 'my-new', active: false },
    ],
    slack: { people, channels: [{ id: 'C0OPS', name: 'ops', members }], usergroups: [] },
    env: {
      PLATFORM_TIMEOUT_MS: '1000',
      METRICS_KEY: held.metrics,
      LAMPLIGHTER_KEY: held.key,
      LAMPLIGHTER_AUDIT_DIR: folder,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breakable)}`,
    },
  })
  for (const role of ['worker', 'bot'] as const) children.push(await startChild(town, role))
})

afterAll(async () => {
  for (const child of children) await child.stop()
  await town?.stop()
  await redis?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The platform operations that are made to fail. */
const failing: readonly OperationName[] = [
  'getMe',
  'listEndpoints',
  'getEndpointStatus',
  'startEndpoint',
  'stopEndpoint',
  'scaleEndpoint',
  'patchEndpoint',
]

async function said(line: string, by = 'U0DANA'): Promise<void> {
  await town.slack
    .as(by)
    .types('ops', `/endpoint ${line}`)
    .catch(() => undefined)
}

/** Redis errors appear in the logs, but commands sent to Redis do not. */
async function logged(fault: string): Promise<void> {
  const log = () => children.map((child) => child.log()).join('')
  await expect.poll(() => log().includes(fault)).toBe(true)
}

async function calm(): Promise<void> {
  await timePassesUntil(town, town.calm())
}

describe('No secret leaks', () => {
  test('while every example of every command runs', async () => {
    for (const { examples } of rows) for (const example of examples) await said(example)
    await calm()
    for (const { examples } of rows) for (const example of examples) await said(`explain ${example}`, 'U0ANA')
    await calm()
  })

  test('when sealed values come back through a container’s log and the platform’s errors', async () => {
    const dana = town.slack.as('U0DANA')
    await dana.types('ops', '/endpoint patch my-new')
    await dana.opens('Patch an endpoint')
    await dana.chooses('Environment variables', values.map((value, at) => `NAME_${at}=${value}`).join('\n'))
    expect(await dana.submits()).toMatchObject({ outcome: 'cleared' })
    await timePassesUntil(town, dana.sees('[Patch my-new]', { in: 'ops' }))
    await dana.presses('Patch my-new', { in: 'ops' })
    await timePassesUntil(town, dana.sees('Patched my-new', { in: 'ops' }))
    for (const [at, value] of values.entries()) {
      const wrapped = wrappings[at]?.(value) ?? value
      for (const line of wrapped.split('\n')) town.platform.log('ep-llm', line)
      town.platform.log('ep-llm', `NAME_${at}=${value}`)
      // The platform repeats the value in an error.
      town.platform.faults.add('patchEndpoint', { kind: 'answer', status: 422, body: { detail: wrapped } }, 1)
      await said(`patch my-new port=${9_000 + at}`)
      await calm()
    }
    await said('logs my-llm lines=200')
    await said('logs my-llm lines=200 search=NAME')
    await calm()
    const read = town.slack.transcript('ops')
    for (const at of values.keys()) expect(read).toContain(`NAME_${at}=[masked]`)
    expect(read).toContain("“got '[masked]'.”")
  })

  test('when people type tokens in the wrong places', async () => {
    for (const token of typed) {
      await said(`patch my-tts command="serve --token ${token}"`)
      await said(`patch my-tts env=TOKEN=${token}`)
      await said(`stop my-llm because="${token}"`)
      await said(`explain stop my-llm because=${token}`)
      await said(token)
      await said(`status ${token}`)
      await said(`freeze because="${token}"`)
    }
    await calm()
    expect(town.slack.transcript('ops')).toContain('[masked]')
  })

  test('while the platform’s errors repeat its API key', async () => {
    for (const [at, wrap] of wrappings.entries()) {
      const status = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504, 418][at] ?? 500
      const text = [held.platform, ...echoed].map(wrap).join(' ')
      const body = at % 3 === 0 ? text : at % 3 === 1 ? { detail: text } : { detail: [{ msg: text, loc: ['body'] }] }
      for (const operation of failing) town.platform.faults.add(operation, { kind: 'answer', status, body }, 1)
      town.platform.faults.add('startEndpoint', { kind: 'message', text }, 1)
      for (const line of [
        'whoami',
        'list',
        'status my-llm',
        'start my-tts',
        'scale my-llm to 3',
        'patch my-tts port=80',
      ])
        await said(line)
      await calm()
      for (const line of ['start my-tts', 'stop my-tts', 'doctor']) await said(line)
      await calm()
      town.platform.faults.clear()
    }
    expect(town.slack.transcript('ops')).toContain('[API key]')
  })

  test('while Slack and Redis fail', async () => {
    const { slack, prefix } = town
    for (const method of ['chat.postMessage', 'chat.update', 'chat.postEphemeral', 'users.info', 'usergroups.list'])
      slack.fault(method, { kind: 'error', error: 'fatal_error' }, 2)
    await said('list')
    await said('start my-tts')
    await calm()
    const inside = new Redis(redisUrl)
    try {
      // Puts a value of the wrong type at the key of the wake-ups.
      const alarms = `{${prefix}:default}:wake`
      await inside.multi().rename(alarms, `${alarms}:aside`).set(alarms, 'of the wrong type').exec()
      await said('start my-new')
      await logged('WRONGTYPE')
      await inside.multi().del(alarms).rename(`${alarms}:aside`, alarms).exec()
      await inside.config('SET', 'maxmemory', '1').catch(() => undefined)
      await said('start my-new')
      await said('list')
      if (inject('redisKind') !== 'in-process') await logged('OOM')
      await inside.config('SET', 'maxmemory', '0').catch(() => undefined)
      await inside.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes').catch(() => undefined)
    } finally {
      inside.disconnect()
    }
    await said('doctor')
    await calm()
  })

  test('when a process crashes', async () => {
    for (const child of children) {
      child.signal('SIGUSR2')
      expect(await child.gone).toBe(1)
      crashes.push(child.log())
    }
    for (const crash of crashes) expect(crash).toMatch(/broke at .*\[masked\]/)
  })

  test('when a process refuses its configuration', async () => {
    const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN = '' } = town.env
    const config = join(folder, 'lamplighter.yaml')
    const address = `https://ci:${held.platform}@api.invalid`
    const one = {
      SLACK_BOT_TOKEN: SLACK_APP_TOKEN,
      SLACK_APP_TOKEN: SLACK_BOT_TOKEN,
      LAMPLIGHTER_KEY: held.key.slice(0, -6),
      REDIS_URL: `redis//:${held.redis}@localhost`,
      PLATFORM_BASE_URL: `${address}/v1`,
      METRICS_KEY: held.platform,
      PLATFORM_TIMEOUT_MS: '0',
    }
    const other = {
      SLACK_BOT_TOKEN: held.platform,
      SLACK_SIGNING_SECRET: held.metrics,
      LAMPLIGHTER_KEY: held.metrics,
      REDIS_URL: `http://:${held.redis}@localhost`,
      PLATFORM_BASE_URL: held.platform,
    }
    // Started first, because it waits for Redis until it is stopped.
    const waiting = refused({ REDIS_URL: `redis://:${held.redis}@127.0.0.1:1` }, 0)
    crashes.push(await refused(one, 7), await refused(other, 5))
    crashes.push(await refused({ PLATFORM_API_KEY: `${held.platform} ${held.platform}` }, 1))
    crashes.push(await waiting)
    const named = policy
      .replace('PLATFORM_API_KEY', held.platform)
      .replace('METRICS_KEY', held.metrics)
      .replace('PLATFORM_BASE_URL', `"${address}"`)
    await writeFile(config, named)
    crashes.push(await refused({ LAMPLIGHTER_CONFIG: config }, 3))
    await writeFile(config, policy.replace('api_key_env: PLATFORM_API_KEY', `api_key: ${held.platform}`))
    crashes.push(await refused({ LAMPLIGHTER_CONFIG: config }, 2))
    await rm(config)
  })

  test('into Slack, files, logs, Redis or the exported audit', async () => {
    const { slack } = town
    const entries = await exported()
    const papers: string[] = []
    const write = (line: string) => void papers.push(line)
    await audit(['prune'], {}, town.configFor('worker'), {
      out: write,
      err: write,
      now: town.clock.now() + 500 * 86_400_000,
    })
    const audits = join(folder, town.prefix)
    const files = await readdir(audits)
    const places = {
      'what Slack was sent': JSON.stringify(slack.calls()),
      'what stands in Slack': JSON.stringify([...slack.workspace.messages.values()]),
      files: [...slack.workspace.files.values()].map(({ content }) => content?.toString()).join('\n'),
      'logs and crashes': [...crashes, town.log()].join('\n'),
      Redis: await dumpOf(redisUrl, town.prefix),
      'the exported audit': entries,
      'pruned files': (await Promise.all(files.map((name) => readFile(join(audits, name), 'utf8')))).join('\n'),
      papers: papers.join('\n'),
    }
    const { botToken, appToken } = slack
    const secrets = [...Object.values(held), ...values, ...typed, ...echoed, botToken, appToken]
    expect(findings(places, secrets)).toEqual([])
    for (const [place, text] of Object.entries(places)) expect([place, text.length > 50]).toEqual([place, true])
  })
})

/** Returns what a process prints when it can't start, which names this many mistakes. */
async function refused(env: Record<string, string>, mistakes: number): Promise<string> {
  const child = spawn(process.execPath, ['dist/main.js', 'all'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...town.env, ...env },
  })
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => written.push(String(bytes)))
  // Some mistakes only show once the process tries to connect.
  const giveUp = setTimeout(() => child.kill('SIGUSR2'), 4_000)
  await once(child, 'close')
  clearTimeout(giveUp)
  const text = written.join('')
  expect(text.match(/^- /gm)?.length ?? 0).toBe(mistakes)
  return text
}

function exported(): Promise<string> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...town.env }
    const options = { cwd: root, env, maxBuffer: 1e9 }
    execFile(process.execPath, ['dist/main.js', 'audit', 'export'], options, (_, out, err) => resolve(`${out}\n${err}`))
  })
}
