import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { Redis } from 'ioredis'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { SlackOptions } from '../../sandbox/slack/options.ts'
import { startSlack } from '../../sandbox/slack/start.ts'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { checkSigned } from '../../src/adapters/redis/integrity/records.ts'
import { signerFor } from '../../src/adapters/redis/integrity/sign.ts'
import { init, type Terminal } from '../../src/cli/init/init.ts'
import { sealingKey } from '../../src/config/env/environment.ts'
import { redisAddress } from '../../src/core/text/redis-address.ts'
import { buildProduct } from '../support/child.ts'
import { startNode } from '../support/replicas.ts'
import { keys, openScreen } from './screen.ts'

const exampleFile = new URL('../../.env.example', import.meta.url)

async function outside(options: SlackOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'init-'))
  const slack = await startSlack({
    people: [
      { id: 'U0ANA', name: 'ana', realName: 'Ana Kim' },
      { id: 'U0BEN', name: 'ben' },
      { id: 'U0GUS', name: 'gus', guest: 'single' },
    ],
    channels: [
      { id: 'C0GENERAL', name: 'general' },
      // Nobody has invited a new app yet.
      { id: 'C0OPS', name: 'ops', botIsMember: false },
    ],
    usergroups: [{ id: 'S0OPS', handle: 'gpu-ops', name: 'GPU operators', users: ['U0BEN'] }],
    ...options,
  })
  const platform = await startPlatform({ endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true, replicas: 1 }] })
  onTestFinished(async () => {
    await Promise.all([slack.stop(), platform.stop()])
    await rm(folder, { recursive: true })
  })
  const common = {
    SLACK_API_URL: slack.url,
    LAMPLIGHTER_PREFIX: `i${folder.slice(-6).toLowerCase()}`,
    LAMPLIGHTER_REDIS_MAY_FORGET: 'yes',
  }
  const settings = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    PLATFORM_BASE_URL: platform.url,
    PLATFORM_API_KEY: platform.apiKey,
    REDIS_URL: inject('redisUrl'),
  }
  return { folder, slack, platform, common, settings, read: (name: string) => readFile(join(folder, name), 'utf8') }
}

/** Runs `init` without a terminal. */
async function unasked(wishes: Parameters<typeof init>[0], terminal: Pick<Terminal, 'env' | 'folder'>) {
  let said = ''
  const output = new Writable({
    write(bytes, _, done) {
      said += String(bytes)
      done()
    },
  })
  const code = await init(wishes, { ...terminal, input: process.stdin, output, asks: false })
  return { code, said }
}

const wishes = { 'operations-channel': '#ops', operator: ['gpu-ops', 'ben'], approver: ['@ben'], admin: ['Ana Kim'] }

test('without a terminal it takes flags and the environment, and writes ids with names beside them', async () => {
  const { folder, common, settings, read } = await outside()
  const { code, said } = await unasked(wishes, { env: { ...common, ...settings }, folder })
  expect(code, said).toBe(0)
  expect(said).toContain('✓ Slack: the app token works.')
  expect(said).toContain('lamplighter.yaml is valid: 1 project')
  expect(said).toContain('✓ Approvers: All named approvers are full members.')
  expect(said).toContain('Then type /invite @Lamplighter in a channel')
  expect(await read('lamplighter.yaml')).toContain(`
operations_channel: C0OPS # #ops
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      operator:
        - group:S0OPS # @gpu-ops
        - user:U0BEN # @ben
      approver:
        - user:U0BEN # @ben
      admin:
        - user:U0ANA # @ana
`)
  const written = parseEnv(await read('.env'))
  expect(written).toEqual({ ...common, ...settings, LAMPLIGHTER_KEY: expect.stringMatching(/^[\w+/]{43}=$/) })
  expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600)
  for (const name of ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'PLATFORM_API_KEY', 'LAMPLIGHTER_KEY'])
    expect(said).not.toContain(written[name])
})

test('everything missing or wrong is reported at once, and nothing is written', async () => {
  const { folder, common, settings, slack } = await outside()
  const env = { ...common, SLACK_BOT_TOKEN: slack.appToken, PLATFORM_BASE_URL: settings.PLATFORM_BASE_URL }
  const { code, said } = await unasked({}, { env: { ...env, PLATFORM_API_KEY: 'sk-guessed-wrong' }, folder })
  expect(code).toBe(1)
  expect(said.split('\n').filter((line) => line.startsWith('✗'))).toEqual([
    expect.stringMatching(/^✗ SLACK_BOT_TOKEN is another kind of token\./),
    expect.stringMatching(/^✗ SLACK_APP_TOKEN is missing\./),
    expect.stringMatching(/^✗ The platform didn’t accept this key\. “Invalid API key” The API key is wrong/),
    expect.stringMatching(/^✗ There is no admin.* Add --admin/),
    expect.stringMatching(/^✗ REDIS_URL is missing\./),
  ])
  expect(said).not.toContain('guessed')
  expect(await readdir(folder)).toEqual([])
})

test('with nothing but an existing .env, each missing value is named in one run', async () => {
  const { folder, read } = await outside()
  await writeFile(join(folder, '.env'), '')
  const { code, said } = await unasked({}, { env: {}, folder })
  expect(code).toBe(1)
  expect(said.match(/--force|[A-Z_]+ is missing|--admin/g)).toEqual([
    '--force',
    'SLACK_BOT_TOKEN is missing',
    'SLACK_APP_TOKEN is missing',
    'PLATFORM_BASE_URL is missing',
    'PLATFORM_API_KEY is missing',
    '--admin',
    'REDIS_URL is missing',
  ])
  expect(await read('.env')).toBe('')
})

test('placeholders are named, and none is sent anywhere', async () => {
  const { folder, common, slack } = await outside()
  const base = 'https://platform.example.com/external/api/v1'
  const tokens = { SLACK_BOT_TOKEN: 'xoxb-…', SLACK_APP_TOKEN: 'xapp-…' }
  const env = {
    ...common,
    ...tokens,
    PLATFORM_BASE_URL: base,
    PLATFORM_API_KEY: '…',
    REDIS_URL: 'redis://:…@redis:6379',
  }
  const { code, said } = await unasked(wishes, { env, folder })
  expect(code).toBe(1)
  const names = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'PLATFORM_BASE_URL', 'PLATFORM_API_KEY', 'REDIS_URL']
  expect(said.match(/✗.*/g)).toEqual(names.map((name) => `✗ ${name} still has its placeholder. Write your own value.`))
  expect(slack.calls()).toEqual([])
})

test('without an admin nothing is written, and the missing flag is named', async () => {
  const { folder, common, settings } = await outside()
  const { code, said } = await unasked({ operator: ['ben'] }, { env: { ...common, ...settings }, folder })
  expect([code, said]).toEqual([1, expect.stringContaining('Add --admin and the name of a person.')])
  expect(await readdir(folder)).toEqual([])
})

test('a Redis with data signed by another key is refused before anything is written', async () => {
  const { folder, common, settings } = await outside()
  const env = { ...common, ...settings }
  const keys = keysOf(tagOf(common.LAMPLIGHTER_PREFIX, 'default'))
  const redis = new Redis(inject('redisUrl'))
  onTestFinished(() => redis.disconnect())
  const other = { key: sealingKey.parse(Buffer.alloc(32, 7).toString('base64')) }
  expect(await checkSigned(redis, keys, signerFor(other, tagOf(common.LAMPLIGHTER_PREFIX, 'default')))).toBe(true)
  const before = await redis.get(keys.root)
  const { code, said } = await unasked(wishes, { env, folder })
  expect([code, said]).toEqual([1, expect.stringContaining('was signed with another LAMPLIGHTER_KEY')])
  expect([await readdir(folder), await redis.get(keys.root)]).toEqual([[], before])
})

test('an unknown name is reported with near misses, and nothing is written', async () => {
  const { folder, common, settings } = await outside()
  const named = { ...wishes, operator: ['bem, gus', 'S0GONE'], 'operations-channel': 'opps' }
  const { code, said } = await unasked(named, { env: { ...common, ...settings }, folder })
  expect(code).toBe(1)
  expect(said).toContain(
    '✗ “opps” was not found in Slack. Did you mean #ops (C0OPS)? If the channel is private, type /invite @Lamplighter in it first.',
  )
  expect(said).toContain('✗ “S0GONE” was not found in Slack. Disabled user groups are left out.')
  expect(said).toMatch(/✗ “bem” was not found in Slack\. Did you mean @ben \(U0BEN\)/)
  // A guest can have no role that changes anything.
  expect(said).toContain('✗ “ gus” was not found in Slack. Guests are left out, because they can only view.')
  expect(await readdir(folder)).toEqual([])
})

test('an existing .env is kept without --force, and --force keeps what init does not know', async () => {
  const { folder, common, settings, read } = await outside()
  const path = join(folder, '.env')
  await writeFile(path, '# mine\nMETRICS_KEY=abc\nPLATFORM_API_KEY=old\n', { mode: 0o644 })
  await writeFile(join(folder, 'lamplighter.yaml'), 'projects: 5\n')
  const env = { ...common, ...settings }
  const refused = await unasked(wishes, { env, folder })
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('was not changed')])
  expect(await read('.env')).toBe('# mine\nMETRICS_KEY=abc\nPLATFORM_API_KEY=old\n')
  expect(await read('lamplighter.yaml')).toBe('projects: 5\n')
  expect(await unasked({ ...wishes, force: true }, { env, folder })).toMatchObject({ code: 0 })
  expect(await read('.env')).toMatch(/^# mine\nMETRICS_KEY=abc\nSLACK_/)
  expect(parseEnv(await read('.env'))).toMatchObject({ METRICS_KEY: 'abc', ...settings })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a finished setup is only tested without a terminal, and its files are kept', async () => {
  const { folder, common, settings, read } = await outside()
  const env = { ...common, ...settings }
  expect(await unasked(wishes, { env, folder })).toMatchObject({ code: 0 })
  const written = await read('.env')
  await writeFile(join(folder, 'lamplighter.yaml'), `${await read('lamplighter.yaml')}# mine\n`)
  const { code, said } = await unasked({}, { env: parseEnv(written), folder })
  expect([code, said]).toEqual([0, expect.stringContaining('.env is kept.')])
  expect([await read('.env'), await read('lamplighter.yaml')]).toEqual([written, expect.stringContaining('# mine')])
})

test('every set variable of .env.example is written', async () => {
  const { folder, common, settings, read } = await outside()
  const example = parseEnv((await readFile(fileURLToPath(exampleFile), 'utf8')).replaceAll(/^#(?=[A-Z_]+=)/gm, ''))
  const places = { LAMPLIGHTER_CONFIG: join(folder, 'lamplighter.yaml'), LAMPLIGHTER_AUDIT_DIR: folder }
  const values = { HTTP_PROXY: example['HTTPS_PROXY'], SLACK_SIGNING_SECRET: 'of-another-mode', ...places }
  const { code, said } = await unasked(wishes, { env: { ...example, ...values, ...common, ...settings }, folder })
  expect(code, said).toBe(0)
  const { REDIS_PASSWORD: _, ...expected } = example
  expect(Object.keys(parseEnv(await read('.env'))).toSorted()).toEqual(Object.keys(expected).toSorted())
})

test('a secret that is mounted as a file is not copied: its path is written', async () => {
  const { folder, common, settings, read } = await outside()
  const file = join(folder, 'bot-token')
  await writeFile(file, `${settings.SLACK_BOT_TOKEN}\n`)
  const { SLACK_BOT_TOKEN: _, ...rest } = settings
  const { code, said } = await unasked(wishes, { env: { ...common, ...rest, SLACK_BOT_TOKEN_FILE: file }, folder })
  expect(code, said).toBe(0)
  expect(await read('.env')).toContain(`SLACK_BOT_TOKEN_FILE=${file}\n`)
  expect(await read('.env')).not.toContain(settings.SLACK_BOT_TOKEN)
})

test('at a terminal it asks for each setting, tests it at once, asks again and shows no secret', async () => {
  const { folder, common, settings, read } = await outside()
  const screen = openScreen()
  const done = init({}, { env: common, folder, input: screen.input, output: screen.output, asks: true })
  const { enter, tab } = keys
  await screen.answers('Bot token', 'xoxb-guessed-wrong', enter)
  await screen.sees('✗ Slack does not accept the bot token')
  await screen.answers('Bot token', settings.SLACK_BOT_TOKEN, enter)
  await screen.answers('App token', settings.SLACK_APP_TOKEN, enter)
  await screen.answers('Address of the platform', `${settings.PLATFORM_BASE_URL}/v7`, enter)
  await screen.sees(
    '✗ The platform’s API doesn’t answer at this address. The answer was 404: PLATFORM_BASE_URL must end',
  )
  await screen.answers('Address of the platform', settings.PLATFORM_BASE_URL, enter)
  await screen.answers('API key of the platform', 'sk-guessed-wrong', enter)
  await screen.answers('API key of the platform', settings.PLATFORM_API_KEY, enter)
  await screen.answers('Address of Redis', settings.REDIS_URL, enter)
  await screen.answers('(operations channel)', 'ops', enter)
  await screen.answers('(operators)', 'GPU', tab, enter)
  await screen.answers('(approvers)', 'ben', tab, enter)
  await screen.answers('(admins; at least one)', 'ana', tab, enter)
  expect(await done, screen.shown()).toBe(0)
  expect(parseEnv(await read('.env'))).toMatchObject(settings)
  const policy = await read('lamplighter.yaml')
  expect(policy).toContain('operations_channel: C0OPS # #ops\n')
  expect(policy).toContain(
    'operator:\n        - group:S0OPS # @gpu-ops\n      approver:\n        - user:U0BEN # @ben\n',
  )
  expect(policy).toContain('admin:\n        - user:U0ANA # @ana\n')
  for (const secret of [settings.SLACK_BOT_TOKEN, settings.SLACK_APP_TOKEN, settings.PLATFORM_API_KEY, 'guessed'])
    expect(screen.shown()).not.toContain(secret)
})

test('without an operations channel it says what goes without, and a hint about a proxy is not masked', async () => {
  const { folder, common, settings } = await outside()
  const env = { ...common, ...settings }
  const { 'operations-channel': _, ...others } = wishes
  const { code, said } = await unasked(others, { env, folder })
  expect([code, said]).toEqual([0, expect.stringContaining('Note: There is no operations_channel')])
  const wrong = await unasked({ ...wishes, force: true }, { env: { ...env, HTTPS_PROXY: 'foo' }, folder })
  expect(wrong.said).toContain(
    '✗ HTTPS_PROXY is not the address of a proxy. Write http://host:port, with user:password@',
  )
  expect(wrong.said).not.toContain('[masked]')
})

test.each(['interrupt', 'end'] as const)('Leaving with %s writes nothing', async (key) => {
  const { folder, common } = await outside()
  const screen = openScreen()
  const done = init({}, { env: common, folder, input: screen.input, output: screen.output, asks: true })
  await screen.answers('Bot token', keys[key])
  expect(await done).toBe(130)
  expect(await readdir(folder)).toEqual([])
})

test('for Docker Compose it makes a Redis password and needs no running Redis', async () => {
  const { folder, common, settings, read } = await outside()
  const { REDIS_URL: _, ...env } = { ...common, ...settings }
  const { code, said } = await unasked({ ...wishes, compose: true }, { env, folder })
  expect(code, said).toBe(0)
  expect(parseEnv(await read('.env'))).toMatchObject({ REDIS_PASSWORD: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await read('.env')).not.toContain('REDIS_URL')
  expect(said).toContain('Next: docker compose up.')
  expect(said).not.toContain('REDIS_URL')
  const file = join(folder, 'bot-token')
  await writeFile(file, settings.SLACK_BOT_TOKEN)
  const mounted = { ...env, SLACK_BOT_TOKEN: undefined, SLACK_BOT_TOKEN_FILE: file }
  const refused = await unasked({ ...wishes, compose: true, force: true }, { env: mounted, folder })
  expect([refused.code, refused.said.match(/✗.*/g)]).toEqual([
    1,
    ['✗ compose.yaml doesn’t pass SLACK_BOT_TOKEN_FILE on. Set SLACK_BOT_TOKEN itself.'],
  ])
})

test('missing scopes of the app and of the app token are reported', async () => {
  const { folder, common, settings, slack } = await outside({ scopes: ['chat:write', 'commands'] })
  slack.fault('apps.connections.open', { kind: 'error', error: 'missing_scope' })
  const { code, said } = await unasked(wishes, { env: { ...common, ...settings }, folder })
  expect(code).toBe(1)
  expect(said).toMatch(/✗ Missing: files:write.*usergroups:read.*Add them to the app and reinstall it\./)
  expect(said).toMatch(
    /✗ Slack doesn’t accept this app token \(.*missing_scope.*\)\. Create one with connections:write\./,
  )
  expect(await readdir(folder)).toEqual([])
})

test('an app token that could not be tested is not called wrong', async () => {
  const { folder, common, settings, slack } = await outside()
  slack.fault('apps.connections.open', { kind: 'drop-before' })
  const { code, said } = await unasked(wishes, { env: { ...common, ...settings }, folder })
  expect([code, said.match(/✗.*/g)]).toEqual([
    1,
    [expect.stringMatching(/^✗ Slack could not be reached \(.+\)\. Check/)],
  ])
  expect(said).not.toContain('connections:write')
})

test('a Redis that is not there is started like in the guide', async () => {
  const { folder, common, settings } = await outside()
  const { said } = await unasked(wishes, { env: { ...common, ...settings, REDIS_URL: 'redis://127.0.0.1:1' }, folder })
  const [, line = ''] = /To start one: (docker run .*)/.exec(said) ?? []
  expect(await readFile(new URL('../../docs/install.md', import.meta.url), 'utf8')).toContain(`\n${line}\n`)
  expect(line).not.toBe('')
})

test('a Redis that may lose data is configured, with its password, once the person agrees', async (context) => {
  const node = await startNode({ settings: { appendonly: 'no', 'maxmemory-policy': 'allkeys-lru' } })
  if (node === null) return context.skip('there is no real Redis on this machine')
  onTestFinished(() => node.stop())
  const password = 'a-password/of$its+own'
  await node.redis.config('SET', 'requirepass', password)
  const { folder, common, settings, read } = await outside()
  const { REDIS_URL: _, LAMPLIGHTER_REDIS_MAY_FORGET: __, ...env } = { ...common, ...settings }
  const refused = await unasked(wishes, { env: { ...env, REDIS_URL: node.server.url }, folder })
  expect(refused).toMatchObject({
    code: 1,
    said: expect.stringContaining('✗ Redis refuses us (NOAUTH: it asks for a password). Write'),
  })

  const unset = await unasked(wishes, {
    env: { ...env, REDIS_URL: node.server.url.replace('//', `//:${encodeURIComponent(password)}@`) },
    folder,
  })
  expect(unset.said).toMatch(/✗ Redis may lose data\. .* Run CONFIG SET .*until Redis restarts: add appendonly yes/)

  const screen = openScreen()
  const done = init(wishes, { env, folder, input: screen.input, output: screen.output, asks: true })
  const { enter } = keys
  await screen.answers('Address of Redis', node.server.url, enter)
  await screen.answers('Password of Redis', password, enter)
  await screen.sees('✗ Redis may lose data. It isn’t append-only')
  await screen.answers('Set this now', 'y')
  expect(await done, screen.shown()).toBe(0)
  expect(screen.shown()).toContain('· Redis: set. This lasts until Redis restarts: add appendonly yes')
  expect(screen.shown()).not.toContain(password)
  expect(screen.shown()).not.toContain(encodeURIComponent(password))
  expect(await node.redis.config('GET', 'maxmemory-policy')).toContain('noeviction')
  expect(redisAddress(parseEnv(await read('.env'))['REDIS_URL'] ?? '').password).toBe(password)
})

test('a run that writes nothing leaves Redis’ settings as they are, in spite of --set-redis', async (context) => {
  const node = await startNode({ settings: { appendonly: 'no', 'maxmemory-policy': 'allkeys-lru' } })
  if (node === null) return context.skip('there is no real Redis on this machine')
  onTestFinished(() => node.stop())
  const { folder, common, settings } = await outside()
  await writeFile(join(folder, '.env'), '')
  const { LAMPLIGHTER_REDIS_MAY_FORGET: _, ...env } = { ...common, ...settings, REDIS_URL: node.server.url }
  const { admin, ...others } = { ...wishes, 'set-redis': true }
  const ofRedis = expect.stringMatching(
    /^✗ Redis may lose data\. .* This was not changed, because the run has failed\.$/,
  )
  const ofAdmin = expect.stringMatching(/^✗ There is no admin/)
  const kept = await unasked({ ...others, admin }, { env, folder })
  expect(kept.said.match(/✗.*/g)).toEqual([expect.stringMatching(/^✗ .*add --force/), ofRedis])
  const unowned = await unasked({ ...others, force: true }, { env, folder })
  expect(unowned.said.match(/✗.*/g)).toEqual([ofAdmin, ofRedis])
  expect(await node.redis.config('GET', 'maxmemory-policy')).toContain('allkeys-lru')
  expect(await unasked({ ...others, admin, force: true }, { env, folder })).toMatchObject({ code: 0 })
  expect(await node.redis.config('GET', 'maxmemory-policy')).toContain('noeviction')
})

test('npm start uses what init wrote and answers the first /endpoint list', async () => {
  await buildProduct()
  const { folder, slack, common, settings } = await outside()
  expect(await unasked(wishes, { env: { ...common, ...settings }, folder })).toMatchObject({ code: 0 })
  const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))
  const options = { cwd: folder, env: { PATH: process.env['PATH'] }, stdio: 'ignore' } as const
  const child = spawn(process.execPath, [start], options)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await slack.sockets.connected()
  const ben = slack.as('U0BEN')
  await ben.types('ops', '/endpoint list')
  await ben.sees('my-llm', { in: 'ops' })
})
