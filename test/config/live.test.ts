import { mkdir, mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Config, readConfig } from '../../src/config/config.ts'
import { type LivePolicy, livePolicy } from '../../src/config/policy-file/live.ts'
import { readIfThere } from '../../src/config/policy-file/read.ts'
import { asText } from '../../src/core/words/render.ts'

const env = {
  SLACK_BOT_TOKEN: 'xoxb-bot',
  SLACK_APP_TOKEN: 'xapp-app',
  PLATFORM_BASE_URL: 'https://api.example.com/v1',
  PLATFORM_API_KEY: 'key',
  OTHER_KEY: 'other key',
  EVENTS_SECRET: 'only the receiver knows it',
  METRICS_KEY: 'metrics key',
  REDIS_URL: 'redis://127.0.0.1:6379',
}

const first = `operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      operator: [user:U0ANA]
    signals: { key_env: METRICS_KEY }
`
const second = `${first
  .replace('C0OPS', 'C0NEW')
  .replace('"*"', 'C0GPU')
  .replace(
    'user:U0ANA',
    'group:S0OPS',
  )}    matrix: { disruptive: { active: approval } }\n    endpoints: [{ match: [my-llm], protected: true }]\n    bounds: { replicas: 5 }\n`
const broken = first.replace('operator:', 'operatr:')

let folder: string
let path: string
let live: LivePolicy
let logged: { level: string; fields: object }[]
let taken: string[]
let refused: (readonly string[])[]
let mended: string[]

function begin(config: Config, everyMs = 3_600_000): LivePolicy {
  return livePolicy(config, {
    log: {
      info: (fields) => void logged.push({ level: 'info', fields }),
      warn: (fields) => void logged.push({ level: 'warn', fields }),
      error: (fields) => void logged.push({ level: 'error', fields }),
    },
    everyMs,
    onTaken: (version) => void taken.push(version),
    onMended: (version) => void mended.push(version),
    onRefused: (sentences) => void refused.push(sentences.map((one) => asText(one, 'en'))),
  })
}

function configured(): Config {
  return readConfig({ ...env, LAMPLIGHTER_CONFIG: path }, 'all', readIfThere)
}

async function changesTo(text: string): Promise<void> {
  await writeFile(path, text)
  await live.look()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'policy-'))
  path = join(folder, 'lamplighter.yaml')
  await writeFile(path, first)
  logged = []
  taken = []
  refused = []
  mended = []
  live = begin(configured())
})
afterEach(async () => {
  await live.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('A policy file that changes', () => {
  test('is in force from then on: roles, matrix, endpoints, bounds, channels and groups', async () => {
    const [policy, channels] = [live.of('default'), live.channelsOf('default')]
    const before = live.version()
    await changesTo(second)
    expect(policy()).toMatchObject({
      version: live.version(),
      roles: { operator: [{ kind: 'group', id: 'S0OPS' }] },
      matrix: { disruptive: { active: 'approval', protected: 'approval' } },
      overrides: [{ match: ['my-llm'], protected: true }],
      bounds: { replicas: 5 },
    })
    expect(channels()).toEqual(['C0GPU'])
    expect(live.operationsChannel()).toBe('C0NEW')
    expect(live.groups()).toEqual([{ kind: 'group', id: 'S0OPS', key: 'operator', at: `${path}:8` }])
    expect(live.version()).not.toBe(before)
    expect(taken).toEqual([live.version()])
    expect(logged).toEqual([{ level: 'info', fields: { policy: live.version() } }])
  })

  test('may drop the operations channel and name one for the audit', async () => {
    expect(live.auditChannel()).toBeUndefined()
    await changesTo(first.replace(/^operations_channel.*\n/, 'audit_channel: C0AUDIT\n'))
    expect(live.operationsChannel()).toBeUndefined()
    expect(live.auditChannel()).toBe('C0AUDIT')
    expect(refused).toEqual([])
  })

  test('is noticed when an editor replaces it, even with the same size and time', async () => {
    await live.look()
    const { atime, mtime } = await stat(path)
    const other = join(folder, 'other')
    await writeFile(other, first.replace('U0ANA', 'U0BEN'))
    await utimes(other, atime, mtime)
    await rename(other, path)
    await live.look()
    expect(live.of('default')().roles.operator).toEqual([{ kind: 'user', id: 'U0BEN' }])
  })

  test('is checked periodically', async () => {
    await live.stop()
    live = begin(configured(), 20)
    await writeFile(path, second)
    await expect.poll(() => taken).toHaveLength(1)
  })

  test('is not applied again while its text stays the same', async () => {
    await changesTo(first)
    await utimes(path, 1, 1)
    await live.look()
    expect([taken, refused, logged]).toEqual([[], [], []])
  })

  test('is not checked any more after the stop', async () => {
    await live.stop()
    await changesTo(second)
    expect(taken).toEqual([])
  })
})

describe('A policy file that can’t be applied', () => {
  const policyNow = () => live.of('default')()

  test('is reported once it is valid again, whether changed or restored', async () => {
    await changesTo(second)
    expect(mended).toEqual([])
    await changesTo(broken)
    await changesTo(second)
    expect(mended).toEqual([live.version()])
    await changesTo(broken)
    await changesTo(first)
    expect(mended).toHaveLength(2)
    expect(mended[1]).toBe(live.version())
    expect(logged.filter(({ fields }) => 'policy' in fields).at(-1)).toMatchObject({ level: 'warn' })
    await changesTo(second)
    expect(mended).toHaveLength(2)
  })

  test('is reported once for each text with line and reason, and the old policy stays in force', async () => {
    const before = policyNow()
    await changesTo(broken)
    await utimes(path, 1, 1)
    await live.look()
    const sentences = [
      `${path}:8 projects[0].roles.operatr isn’t a role. Known here: viewer, operator, approver, admin. Did you mean operator?`,
    ]
    expect(refused).toEqual([sentences])
    expect(logged).toEqual([{ level: 'error', fields: { mistakes: sentences, policy: before.version } }])
    expect(policyNow()).toBe(before)
  })

  test('is reported again if it was valid in between, and applied once it is valid', async () => {
    await changesTo(broken)
    await changesTo(first)
    await changesTo(broken)
    expect(refused).toHaveLength(2)
    expect(live.refusal().map((one) => asText(one, 'en'))).toEqual(refused[1])
    await changesTo(second)
    expect(policyNow().bounds.replicas).toBe(5)
    expect(live.refusal()).toEqual([])
  })

  test('may be missing or a directory', async () => {
    await rm(path)
    await live.look()
    await live.look()
    await mkdir(path)
    await live.look()
    expect(refused).toEqual([
      [`${path} is gone. Put it back, or stop Lamplighter if nobody should use it.`],
      [`${path} can’t be read. Check that it’s a file and that this process may read it.`],
    ])
    expect(policyNow().roles.operator).toHaveLength(1)
    await rm(path, { recursive: true })
    await changesTo(second)
    expect(taken).toHaveLength(1)
  })

  test('adds or removes a project, which needs a restart', async () => {
    await changesTo(first.replace('name: default', 'name: research'))
    const remedy = 'Restart Lamplighter to apply this, or restore what was there.'
    expect(refused).toEqual([
      [`${path}:2 no longer has project "default". ${remedy}`, `${path}:3 is a new project: "research". ${remedy}`],
    ])
  })

  test('uses another secret for a webhook, while a webhook with its own secret is applied', async () => {
    const withHook = (variable: string) =>
      `${first}    events: [{ name: bus, url: https://hooks.example.com, secret_env: ${variable} }]\n`
    await changesTo(withHook('EVENTS_SECRET'))
    expect(taken).toHaveLength(1)
    expect(live.secretOf('default')('bus')).toBe(env.EVENTS_SECRET)
    await changesTo(withHook('PLATFORM_API_KEY'))
    expect(refused).toHaveLength(1)
    expect(live.secretOf('default')('bus')).toBe(env.EVENTS_SECRET)
    await changesTo(withHook('NOT_SET'))
    expect(taken).toHaveLength(2)
    expect(live.secretOf('default')('bus')).toBeUndefined()
  })

  test('does not depend on webhook secrets in a bot, which needs none', async () => {
    const bot = begin(readConfig({ ...env, LAMPLIGHTER_CONFIG: path }, 'bot', readIfThere))
    await writeFile(path, `${first}    events: [{ name: bus, url: https://hooks.example.com, secret_env: NOT_SET }]\n`)
    await bot.look()
    await bot.stop()
    expect(refused).toEqual([])
    expect(bot.of('default')().webhooks).toHaveLength(1)
  })

  test.each([
    ['base_url_env', 'PLATFORM_BASE_URL', 4],
    ['api_key_env', 'PLATFORM_API_KEY', 5],
    ['key_env', 'METRICS_KEY', 9],
  ])('names another variable in %s, which needs a restart', async (_, variable, line) => {
    await changesTo(first.replace(variable, 'OTHER_KEY'))
    expect(refused).toEqual([
      [
        `${path}:${line} names a different variable than at startup. Restart Lamplighter to apply this, or restore what was there.`,
      ],
    ])
  })
})

describe('Without a policy file', () => {
  test('no file is checked, and nobody may change anything', async () => {
    const alone = begin(readConfig(env, 'all', () => null))
    await alone.look()
    await alone.stop()
    expect(alone.version()).toBe('none')
    expect(alone.of('default')().roles).toMatchObject({ viewer: [{ kind: 'everyone' }], operator: [] })
    expect(logged).toEqual([])
  })
})

test('A project that is not configured is an error, not an empty policy', () => {
  expect(() => live.of('research')()).toThrow('Project research is not configured.')
})
