import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, parseEnv } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Config, loadConfig, readConfig, secretsOf } from '../../src/config/config.ts'
import { ConfigError } from '../../src/config/env/environment.ts'
import { noPrices, usualAutomation } from '../../src/core/model/automation.ts'
import { usualApprovalSettings, usualMatrix } from '../../src/core/model/policy.ts'
import { buildServices, type ProjectParts } from '../../src/project.ts'

const slack = { SLACK_BOT_TOKEN: 'xoxb-bot-secret', SLACK_APP_TOKEN: 'xapp-app-secret' }
const platform = { PLATFORM_BASE_URL: 'https://api.example.com/v1', PLATFORM_API_KEY: 'sk-platform-secret' }
const complete = { ...slack, ...platform, REDIS_URL: 'redis://127.0.0.1:6379' }

const policy = `operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      operator: [group:S0OPS, user:U0ANA]
      approver: [user:U0BEN]
      admin: []
`

type Env = Record<string, string | undefined>

type Reader = Parameters<typeof loadConfig>[0]

function read(env: Env, file?: string, role: Reader = 'all'): Config {
  return readConfig(env, role, (path) => (path === 'lamplighter.yaml' ? (file ?? null) : null))
}

function mistakesOf(env: Env, file?: string, role: Reader = 'all'): readonly string[] {
  try {
    read(env, file, role)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

describe('a complete configuration', () => {
  test('without a file lets everyone look and nobody change anything', () => {
    const config = read(complete)
    expect(config).toMatchObject({
      prefix: 'lamplighter',
      platformTimeoutMs: 10_000,
      scaleField: 'replica_count',
      logLevel: 'info',
      policyVersion: 'none',
      policySource: null,
      projects: [
        {
          name: 'default',
          baseUrl: 'https://api.example.com/v1',
          channels: ['*'],
          policy: {
            version: 'none',
            roles: { viewer: [{ kind: 'everyone' }], operator: [], approver: [], admin: [] },
            matrix: usualMatrix,
            asking: usualApprovalSettings,
            overrides: [],
            bounds: { replicas: 100, away: 30 * 86_400_000, keep: 7 * 86_400_000 },
            automation: usualAutomation,
            prices: noPrices,
          },
        },
      ],
    })
    expect(config.operationsChannel).toBeUndefined()
    expect(config.projects[0]?.apiKey?.reveal()).toBe('sk-platform-secret')
  })

  test('takes projects, members and the operations channel from the file', () => {
    const config = read(complete, policy)
    expect(config.operationsChannel).toBe('C0OPS')
    expect(config.policySource).toBe('lamplighter.yaml')
    expect(config.policyVersion).toMatch(/^[0-9a-f]{12}$/)
    expect(config.projects[0]?.policy.roles).toEqual({
      viewer: [{ kind: 'everyone' }],
      operator: [
        { kind: 'group', id: 'S0OPS' },
        { kind: 'user', id: 'U0ANA' },
      ],
      approver: [{ kind: 'user', id: 'U0BEN' }],
      admin: [],
    })
  })

  test('keeps the audit of each prefix in a folder of its own', () => {
    const at = (prefix?: string) => {
      const given = { LAMPLIGHTER_AUDIT_DIR: '/audit', ...(prefix && { LAMPLIGHTER_PREFIX: prefix }) }
      return read({ ...complete, ...given }, policy).auditDir
    }
    expect([at(), at('lamplighter'), at('fresh')]).toEqual(['/audit', '/audit', '/audit/fresh'])
  })

  test('has a policy version that changes with the text of the file', () => {
    expect(read(complete, policy).policyVersion).not.toBe(read(complete, `${policy}# more\n`).policyVersion)
  })

  test('gives each project the address and the key that its variables name', () => {
    const second = `  - name: research
    base_url_env: RESEARCH_URL
    api_key_env: RESEARCH_KEY
    channels: [C0LAB]
    roles: {}
`
    const env = { ...complete, RESEARCH_URL: 'http://127.0.0.1:9/v1/', RESEARCH_KEY: 'sk-research-secret' }
    const [, research] = read(env, policy + second).projects
    expect(research).toMatchObject({ name: 'research', baseUrl: 'http://127.0.0.1:9/v1', channels: ['C0LAB'] })
    expect(research?.apiKey?.reveal()).toBe('sk-research-secret')
    expect(research?.policy.roles.viewer).toEqual([])
  })

  test('is refused if two projects have one API key, by name or by value, in every process', () => {
    const twice = (key: string) =>
      `${policy}${policy.slice(policy.indexOf('  - name')).replace('default', 'two').replace(/"\*"/, 'C0TWO').replace('PLATFORM_API_KEY', key)}`
    const shared =
      'This key is already used by project default, so project two would have the same endpoints. Name a variable with a key of another project of the platform, or write one project instead of the two.'
    for (const role of ['bot', 'worker'] as const)
      expect(mistakesOf(complete, twice('PLATFORM_API_KEY'), role)).toEqual([
        expect.stringMatching(
          / projects\[1\]\.api_key_env names PLATFORM_API_KEY, which holds .* This key is already used/,
        ),
      ])
    expect(mistakesOf({ ...complete, TWO_KEY: 'sk-platform-secret' }, twice('TWO_KEY'))).toEqual([
      `TWO_KEY holds the same value as PLATFORM_API_KEY. ${shared}`,
    ])
    expect(read({ ...complete, TWO_KEY: 'sk-two' }, twice('TWO_KEY')).projects).toHaveLength(2)
  })

  test('ignores spaces and line ends around a value', () => {
    expect(read({ ...complete, SLACK_BOT_TOKEN: ' xoxb-bot-secret\n' }).slack.botToken.reveal()).toBe('xoxb-bot-secret')
  })

  test('may have a value in a file, but the variable itself wins, and an unreadable file is named', () => {
    const file = join(tmpdir(), `lamplighter-key-${process.pid}`)
    writeFileSync(file, 'sk-from-a-file\n')
    onTestFinished(() => rmSync(file))
    const { PLATFORM_API_KEY: _, ...without } = complete
    const keyOf = (env: Env) => read(env).projects[0]?.apiKey?.reveal()
    expect(keyOf({ ...without, PLATFORM_API_KEY_FILE: file })).toBe('sk-from-a-file')
    expect(keyOf({ ...complete, PLATFORM_API_KEY_FILE: file })).toBe('sk-platform-secret')
    expect(secretsOf(read({ ...without, PLATFORM_API_KEY_FILE: file }))).toContain('sk-from-a-file')
    const gone = `${file}-gone`
    expect(mistakesOf({ ...without, PLATFORM_API_KEY_FILE: gone })).toEqual([
      `PLATFORM_API_KEY_FILE names ${gone}, which can’t be read. Write the path of a file with the value.`,
    ])
  })

  test('uses HTTP with a signing secret and a port, and Socket Mode if there is an app token too', () => {
    const http = { ...complete, SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'signing-secret', PORT: '3000' }
    expect(read(http).slack.mode).toMatchObject({ kind: 'http', port: 3000 })
    expect(read({ ...http, SLACK_APP_TOKEN: 'xapp-1' }).slack.mode).toMatchObject({ kind: 'socket' })
  })

  test('can use another Slack and another Redis by address alone', () => {
    const config = read({
      ...complete,
      SLACK_API_URL: 'http://localhost:4010/api/',
      REDIS_URL: 'rediss://:p@r.example:1',
    })
    expect(config.slack.apiUrl).toBe('http://localhost:4010/api')
    expect(config.redisUrl.reveal()).toBe('rediss://:p@r.example:1')
  })

  test('may have “none” after the first key, for data that was stored without one', () => {
    const { key } = read({ ...complete, LAMPLIGHTER_KEY: `${Buffer.alloc(32, 1).toString('base64')},none` })
    expect(key?.earlier.map((one) => one.reveal())).toEqual([new Uint8Array()])
  })

  test('may have earlier keys after the current one, the newest first', () => {
    const keys = [1, 2, 3].map((byte) => Buffer.alloc(32, byte))
    const { key } = read({ ...complete, LAMPLIGHTER_KEY: keys.map((one) => one.toString('base64')).join(', ') })
    expect(key?.current.reveal()).toEqual(new Uint8Array(keys[0]!))
    expect(key?.earlier.map((one) => one.reveal())).toEqual(keys.slice(1).map((one) => new Uint8Array(one)))
  })

  test('refuses a key that is followed by empty ones', () => {
    const text = `${Buffer.alloc(32, 1).toString('base64')},,`
    expect(mistakesOf({ ...complete, LAMPLIGHTER_KEY: text }, policy).join()).toContain('isn’t a key')
  })
})

describe('the secrets of a role', () => {
  test('include no platform key for a bot, even if it is set', () => {
    const config = read(complete, policy, 'bot')
    expect(config.projects[0]?.apiKey).toBeUndefined()
    expect(mistakesOf({ ...slack, REDIS_URL: 'redis://127.0.0.1' }, policy, 'bot')).toEqual([])
    expect(secretsOf(config)).not.toContain('sk-platform-secret')
  })

  test('include neither app token nor signing secret for a worker', () => {
    expect(read(complete, policy, 'worker').slack.mode).toBeNull()
    expect(mistakesOf({ ...complete, SLACK_APP_TOKEN: undefined }, policy, 'worker')).toEqual([])
  })

  test('give an example of an address as the platform has it', () => {
    const example = 'https://platform.example.com/external/api/v1.'
    for (const url of [undefined, 'canary'])
      expect(mistakesOf({ ...complete, PLATFORM_BASE_URL: url }, undefined, 'worker')).toEqual([
        expect.stringMatching(new RegExp(`^PLATFORM_BASE_URL .*, for example ${example}$`)),
      ])
    expect(mistakesOf({ ...complete, SLACK_API_URL: 'canary' })).toEqual([
      'SLACK_API_URL isn’t an http(s) address. Write the whole address, for example https://slack.com/api/.',
    ])
  })

  test('include a platform key for a worker, and a mistake names its variable', () => {
    expect(mistakesOf({ ...complete, PLATFORM_API_KEY: undefined }, undefined, 'worker')).toEqual([
      "PLATFORM_API_KEY is missing. Set PLATFORM_API_KEY to an API key of the platform's project.",
    ])
    expect(mistakesOf({ ...complete, PLATFORM_API_KEY: undefined }, policy, 'worker')[0]).toBe(
      "lamplighter.yaml:5 names PLATFORM_API_KEY, which isn’t set. Set PLATFORM_API_KEY to an API key of the platform's project.",
    )
  })
})

describe('a secret that would be sent to others', () => {
  const watched = `${policy}    signals: { key_env: METRICS_KEY }\n`
  const held = {
    ...complete,
    METRICS_KEY: 'sk-metrics-secret',
    SLACK_SIGNING_SECRET: 'signing-secret',
    LAMPLIGHTER_KEY: [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')).join(', '),
  }
  const own = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', 'LAMPLIGHTER_KEY', 'REDIS_URL']

  test.each(['all', 'bot', 'worker'] as const)('is refused as a metrics key by its name, in the role %s', (role) => {
    const named = (variable: string) => mistakesOf(held, watched.replace('METRICS_KEY', variable), role)
    const says = 'It would be sent to every container. Name a variable with a key made for reading metrics only'
    expect(mistakesOf(held, watched, role)).toEqual([])
    expect(named('PLATFORM_API_KEY')).toEqual([
      expect.stringMatching(
        /^lamplighter\.yaml:12 projects\[0\]\.signals\.key_env names PLATFORM_API_KEY, which holds the platform’s API key\. /,
      ),
    ])
    for (const variable of own) expect(named(variable)).toEqual([expect.stringContaining(says)])
  })

  test('is refused as a metrics key by its value, even that of another project', () => {
    const second = policy.slice(policy.indexOf('  - name')).replace('default', 'lab').replace('"*"', 'C0LAB')
    const two = `${watched}${second.replace('PLATFORM_API_KEY', 'LAB_KEY')}`
    const env = { ...held, LAB_KEY: 'sk-lab-secret' }
    const told = (value: string | undefined) => mistakesOf({ ...env, METRICS_KEY: value }, two)
    expect(told('sk-metrics-secret')).toEqual([])
    for (const [name, value] of [
      ['PLATFORM_API_KEY', 'sk-platform-secret'],
      ['LAB_KEY', 'sk-lab-secret'],
      ['SLACK_BOT_TOKEN', 'xoxb-bot-secret'],
      ['SLACK_SIGNING_SECRET', 'signing-secret'],
      ['LAMPLIGHTER_KEY', Buffer.alloc(32, 2).toString('base64')],
      ['LAMPLIGHTER_KEY', held.LAMPLIGHTER_KEY],
    ] as const)
      expect(told(value)).toEqual([
        `METRICS_KEY holds the same value as ${name}. It would be sent to every container. Name a variable with a key made for reading metrics only, for example METRICS_KEY, or leave key_env out.`,
      ])
  })

  test('is refused as a webhook secret, by name or by value', () => {
    const webhook = '    events: [{ name: bus, url: "https://x.example/y", secret_env: BUS_SECRET }]\n'
    const env = { ...held, BUS_SECRET: 'only the receiver knows' }
    const named = (variable: string) => mistakesOf(env, `${watched}${webhook.replace('BUS_SECRET', variable)}`)
    const says = 'The receiver of the events knows it. Name a variable with a secret of its own'
    expect(named('BUS_SECRET')).toEqual([])
    for (const variable of [...own, 'PLATFORM_API_KEY', 'METRICS_KEY'])
      expect(named(variable)).toEqual([expect.stringContaining(says)])
    expect(mistakesOf({ ...env, BUS_SECRET: 'sk-metrics-secret' }, `${watched}${webhook}`)).toEqual([
      expect.stringContaining('BUS_SECRET holds the same value as METRICS_KEY. The receiver'),
    ])
    // Without its secret only that webhook is off.
    expect(mistakesOf({ ...env, BUS_SECRET: undefined }, `${watched}${webhook}`)).toEqual([])
    // The audit is also read on machines without the variables of a worker.
    const elsewhere = { ...env, BUS_SECRET: undefined, PLATFORM_API_KEY: undefined, METRICS_KEY: undefined }
    expect(mistakesOf(elsewhere, `${watched}${webhook}`, 'audit')).toEqual([])
    expect(secretsOf(read(env, `${watched}${webhook}`))).toContain('only the receiver knows')
  })

  test.each([
    ['http://x.example/y', 'events[0].url has an invalid value'],
    ['https://u:sk-1@x.example/y', 'events[0].url has an invalid value'],
    ['https://[/', 'events[0].url has an invalid value'],
    ['ftp://x.example', 'events[0].url has an invalid value'],
  ])('is not quoted from the invalid webhook URL %s', (url, says) => {
    const file = `${policy}    events: [{ name: bus, url: "${url}", secret_env: BUS_SECRET }]\n`
    const mistakes = mistakesOf({ ...held, BUS_SECRET: 'only the receiver knows' }, file)
    expect(mistakes).toEqual([expect.stringContaining(says)])
    expect(mistakes.join()).not.toContain(url)
  })

  test('two webhooks of a project need different names', () => {
    const one = '{ name: bus, url: "https://x.example/y", secret_env: BUS_SECRET }'
    expect(mistakesOf({ ...held, BUS_SECRET: 'x' }, `${policy}    events: [${one}, ${one}]\n`)).toEqual([
      expect.stringContaining('events[1].name repeats "bus"'),
    ])
  })

  test('is refused again when services are built, however it got there', () => {
    const config = read(held, watched)
    const [project] = config.projects
    const carried = { ...project, signals: { allowPrivate: false, key: config.slack.botToken } }
    expect(() => buildServices({ config, project: carried } as ProjectParts)).toThrow(
      'The metrics key of project default is',
    )
  })

  test('is refused as the platform key, by name or by value, even without a file', () => {
    const named = (variable: string) =>
      mistakesOf(held, policy.replace('key_env: PLATFORM_API_KEY', `key_env: ${variable}`))
    for (const variable of own)
      expect(named(variable)).toContain(
        `lamplighter.yaml:5 projects[0].api_key_env names ${variable}, which holds one of Lamplighter’s own secrets. It would be sent to the platform. Name a variable with an API key of the platform, for example PLATFORM_API_KEY.`,
      )
    expect(mistakesOf({ ...held, PLATFORM_API_KEY: 'xoxb-bot-secret' })).toEqual([
      expect.stringMatching(
        /^PLATFORM_API_KEY holds the same value as SLACK_BOT_TOKEN\. It would be sent to the platform/,
      ),
    ])
  })

  test('is removed from the environment of a bot, whatever its name, and of no other role', () => {
    const file = join(tmpdir(), `policy-${process.pid}.yaml`)
    writeFileSync(file, watched.replace('PLATFORM_API_KEY', 'LAB_KEY'))
    onTestFinished(() => rmSync(file))
    onTestFinished(() => void vi.unstubAllEnvs())
    const there = () => ['LAB_KEY', 'METRICS_KEY', 'PLATFORM_API_KEY'].filter((name) => process.env[name] !== undefined)
    const given = { ...held, LAB_KEY: 'sk-lab-secret', LAMPLIGHTER_CONFIG: file }
    for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
    for (const role of ['worker', 'all'] as const) expect(loadConfig(role).surplus).toEqual([])
    expect(there()).toEqual(['LAB_KEY', 'METRICS_KEY', 'PLATFORM_API_KEY'])
    expect(loadConfig('bot').surplus).toEqual(['LAB_KEY', 'METRICS_KEY', 'PLATFORM_API_KEY'])
    expect(there()).toEqual([])
  })
})

describe('a proxy', () => {
  const of = (env: Env) => read({ ...complete, ...env }).proxy?.reveal()
  const near = 'localhost,127.0.0.1,[::1]'

  test('is unset unless one is named', () => {
    expect(of({ NO_PROXY: 'a.test', HTTPS_PROXY: ' ' })).toBeUndefined()
  })

  test('prefers HTTPS_PROXY and lower-case names, and never applies to this machine', () => {
    const [a, b] = ['http://a.test:3128/', 'http://b.test:3128/']
    expect(of({ HTTP_PROXY: a })).toEqual({ httpProxy: a, httpsProxy: a, noProxy: near })
    expect(of({ HTTPS_PROXY: b })).toEqual({ httpProxy: '', httpsProxy: b, noProxy: near })
    expect(of({ HTTPS_PROXY: a, https_proxy: b, NO_PROXY: 'c.test, d.test' })).toEqual({
      httpProxy: '',
      httpsProxy: b,
      noProxy: `c.test, d.test,${near}`,
    })
    expect(of({ HTTPS_PROXY: a, no_proxy: '*' })).toMatchObject({ noProxy: '*' })
  })

  test('has its password masked as written, decoded and as sent', () => {
    const sent = Buffer.from('lamp:p@ss-word').toString('base64')
    const secrets = secretsOf(read({ ...complete, HTTPS_PROXY: 'http://lamp:p%40ss-word@proxy.test:3128' }))
    expect(secrets).toEqual(expect.arrayContaining(['p%40ss-word', 'p@ss-word', sent]))
    expect(secretsOf(read({ ...complete, HTTPS_PROXY: 'http://proxy.test:3128' })).join()).not.toContain('proxy.test')
  })

  test.each(['proxy.test:3128', 'socks5://u:canary@proxy.test', '3128', 'http://u:%zzcanary@proxy.test'])(
    'is refused as %s, which is not quoted',
    (address) => {
      expect(mistakesOf({ ...complete, https_proxy: address })).toEqual([
        'https_proxy is not the address of a proxy. Write http://host:port, with user:password@ before the host if the proxy asks for them.',
      ])
    },
  )
})

describe('secrets', () => {
  const env = {
    ...complete,
    REDIS_URL: 'redis://:redis-secret@127.0.0.1:6379',
    LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  }

  test('are in no printed form of a configuration', () => {
    const config = read(env)
    const shown =
      JSON.stringify(config) + inspect(config, { depth: 9, showHidden: true }) + String(config.slack.botToken)
    for (const value of secretsOf(config)) expect(shown).not.toContain(value)
    expect(shown).not.toContain('7, 7, 7')
    expect(shown).toContain('[secret]')
  })

  test('are all known to the masks', () => {
    expect(secretsOf(read(env))).toEqual(
      expect.arrayContaining([
        'xoxb-bot-secret',
        'xapp-app-secret',
        'sk-platform-secret',
        'redis-secret',
        env.LAMPLIGHTER_KEY,
      ]),
    )
  })

  test('do not include a Redis address without a password', () => {
    expect(secretsOf(read(complete))).not.toContain(complete.REDIS_URL)
  })

  test('are quoted in no mistake', () => {
    const wrong = {
      SLACK_BOT_TOKEN: 'xapp-canary',
      SLACK_APP_TOKEN: 'xoxb-canary',
      SLACK_API_URL: 'https://u:canary@slack.example',
      PLATFORM_BASE_URL: 'ftp://canary',
      PLATFORM_API_KEY: 'canary',
      REDIS_URL: 'http://canary',
      LAMPLIGHTER_KEY: 'canary',
    }
    const file = `projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: sk-canary
    api_key: sk-canary
    channels: ["*"]
    roles: {}
`
    expect(mistakesOf(wrong, file).length).toBeGreaterThan(6)
    expect(mistakesOf(wrong, file).join('\n')).not.toContain('canary')
    expect(mistakesOf(complete, 'projects: "sk-canary\n').join('\n')).not.toContain('canary')
  })
})

describe('mistakes', () => {
  test('are reported all at once, each with what to write instead', () => {
    const wrong = {
      SLACK_BOT_TOKEN: 'xapp-1',
      PLATFORM_BASE_URL: 'http://api.example.com',
      PLATFORM_SCALE_FIELD: 'num_replica',
      PLATFORM_TIMEOUT_MS: '10s',
      LAMPLIGHTER_PREFIX: 'Lamp Lighter',
      LAMPLIGHTER_LIMIT_PER_MINUTE: '0',
      LAMPLIGHTER_KEY: 'short',
      LOG_LEVEL: 'warning',
    }
    expect(mistakesOf(wrong)).toEqual([
      'SLACK_BOT_TOKEN is another kind of token. Write the bot token: it begins with xoxb-. This one belongs in SLACK_APP_TOKEN.',
      'SLACK_APP_TOKEN is missing. Write the app token (it begins with xapp-) for Socket Mode, or SLACK_SIGNING_SECRET and PORT to receive events over HTTP.',
      'REDIS_URL is missing. Write the address of your Redis, for example redis://127.0.0.1:6379.',
      'LAMPLIGHTER_KEY isn’t a key. Write 32 bytes as base64 (openssl rand -base64 32 makes them). While you change keys: new,old and any older ones after it, or new,none if there was no key before.',
      'LAMPLIGHTER_PREFIX is not a prefix. Write 1 to 32 lowercase letters, digits or hyphens.',
      'PLATFORM_TIMEOUT_MS is "10s". Write a whole number from 100 to 300000, for example 10000 for ten seconds.',
      'PLATFORM_SCALE_FIELD is "num_replica". Write replica_count or num_replicas. Did you mean num_replicas?',
      'LOG_LEVEL is "warning". Write info, warn or error.',
      'LAMPLIGHTER_LIMIT_PER_MINUTE is "0". Write a whole number from 1 to 100000, for example 20.',
      'PLATFORM_BASE_URL is plain http to another machine. Write https://, since every call carries keys or tokens.',
      "PLATFORM_API_KEY is missing. Set PLATFORM_API_KEY to an API key of the platform's project.",
    ])
  })

  test('include a token or a key that no header can hold, before anything is sent', () => {
    const two = { SLACK_BOT_TOKEN: 'xoxb-1\nxoxb-2', SLACK_APP_TOKEN: 'xapp-“1”', PLATFORM_API_KEY: 'sk-1 sk-2' }
    expect(mistakesOf({ ...complete, ...two })).toEqual(
      Object.keys(two).map(
        (name) => `${name} isn’t one word of visible ASCII characters. Copy it again from where it was made.`,
      ),
    )
  })

  test.each([
    ['a mistake', policy.replace('[everyone]', '[someone]')],
    ['a key that stands twice', `${policy}operations_channel: C0TWO\n`],
    ['no YAML in it', 'projects: ['],
    ['no file behind it', undefined],
  ])('in variables are reported even if the policy file has %s', (_, file) => {
    const wrong = {
      ...complete,
      ...(file === undefined && { LAMPLIGHTER_CONFIG: 'away.yaml' }),
      SLACK_APP_TOKEN: undefined,
      PORT: 'x',
      PLATFORM_BASE_URL: 'http://api.example.com',
      REDIS_URL: 'no',
    }
    const starts = mistakesOf(wrong, file).map((mistake) => mistake.split(' ', 1)[0])
    expect(starts[0]).toMatch(/^(lamplighter\.yaml:\d+|LAMPLIGHTER_CONFIG)$/)
    expect(starts).toEqual(expect.arrayContaining(['PORT', 'SLACK_APP_TOKEN', 'REDIS_URL', 'PLATFORM_BASE_URL']))
    expect(starts.filter((start) => start === 'PLATFORM_BASE_URL')).toHaveLength(1)
  })

  test('include an unset variable even if the file that names it has a mistake', () => {
    const told = mistakesOf({ ...complete, PLATFORM_API_KEY: undefined }, policy.replace('[everyone]', '[someone]'))
    expect(told).toEqual([
      expect.stringMatching(/^lamplighter\.yaml:8 /),
      expect.stringMatching(/^lamplighter\.yaml:5 names PLATFORM_API_KEY, which isn’t set/),
    ])
  })

  test('name each value that is still as docs/install.md has it', () => {
    const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8')
    const sample = parseEnv(/```ini\n(SLACK_BOT_TOKEN=.*?)```/s.exec(page)?.[1] ?? '')
    const { REDIS_URL: _, ...toReplace } = sample
    const told = mistakesOf(sample)
    expect(told.toSorted()).toEqual(
      Object.keys(toReplace)
        .map((name) => `${name} still has its placeholder. Write your own value.`)
        .toSorted(),
    )
    expect(told.length).toBeGreaterThan(4)
  })

  test('do not include a password with dots, which no placeholder has', () => {
    expect(mistakesOf({ ...complete, REDIS_URL: 'redis://:pa...ss@h', PLATFORM_API_KEY: 'key...0123' })).toEqual([])
  })

  test('are listed under one heading', () => {
    expect(() => read({ ...complete, PORT: 'x', REDIS_URL: 'no', SLACK_APP_TOKEN: 'xoxb-1' })).toThrow(
      /^The configuration has 2 mistakes:\n- SLACK_APP_TOKEN .*\n- REDIS_URL /,
    )
  })

  test('include a missing or invalid port in HTTP mode', () => {
    const http = { ...complete, SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: 's' }
    expect(mistakesOf(http)[0]).toMatch(/^PORT is missing\. .*PORT=3000/)
    expect(mistakesOf({ ...http, PORT: '65536' })[0]).toMatch(/^PORT is "65536"\. Write a whole number from 0 to 65535/)
  })

  test('say how to begin if nothing is configured, which stays an error', () => {
    const mistakes = mistakesOf({ PATH: '/bin', PORT: '3000', SLACK_BOT_TOKEN: ' ' })
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toContain('npm run demo')
    expect(mistakes[0]).toContain('npm start -- init')
  })

  test.each(['127.0.0.1:1', 'localhost', '[::1]:8080', 'platform.localhost'])(
    'do not include plain http to %s, which is this machine',
    (host) => {
      expect(mistakesOf({ ...complete, PLATFORM_BASE_URL: `http://${host}/v1` })).toEqual([])
    },
  )

  test.each([
    'http://10.0.0.1',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'https://ana:secret@api.example.com',
    'https://api.example.com/?a=b',
    'file:///x',
    'nonsense',
  ])('include the address %s', (url) => {
    expect(mistakesOf({ ...complete, PLATFORM_BASE_URL: url })).toHaveLength(1)
    expect(mistakesOf({ ...complete, SLACK_API_URL: url })).toHaveLength(1)
  })

  test('include a named file that does not exist', () => {
    expect(mistakesOf({ ...complete, LAMPLIGHTER_CONFIG: 'team.yaml' })).toEqual([
      'LAMPLIGHTER_CONFIG names team.yaml, which doesn’t exist. Write the path of the policy file, or unset the variable.',
    ])
  })

  test('include a file that can’t be read', () => {
    const read = () => {
      throw new Error('EISDIR')
    }
    expect(() => readConfig(complete, 'all', read)).toThrow(/lamplighter\.yaml can’t be read/)
  })
})

describe('mistakes in the policy file', () => {
  const told = (file: string) => mistakesOf({ ...complete, LAB_API_KEY: 'sk-lab-secret' }, file)
  const project = (lines: string) => `projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
${lines}`

  test('include an unknown key, with its line and the nearest known one', () => {
    expect(told(policy.replace('operator:', 'operators:'))).toEqual([
      'lamplighter.yaml:9 projects[0].roles.operators isn’t a role. Known here: viewer, operator, approver, admin. Did you mean operator?',
    ])
    expect(told(policy.replace('operations_channel', 'operation_channel'))[0]).toMatch(
      /^lamplighter\.yaml:1 operation_channel isn’t .* Did you mean operations_channel\?$/,
    )
    expect(told(policy.replace('api_key_env', 'api_key'))).toEqual([
      'lamplighter.yaml:3 projects[0].api_key_env is missing. Write the name of an environment variable, for example PLATFORM_API_KEY, never its value.',
      expect.stringMatching(/^lamplighter\.yaml:5 projects\[0\]\.api_key isn’t .* Did you mean api_key_env\?$/),
    ])
  })

  test('include a second document, with its line', () => {
    expect(told(`${policy}---\n`)).toEqual([
      'lamplighter.yaml:12 begins a second document, and a policy file is one. Remove this line, or the rest of the file.',
    ])
  })

  test('include a tab, with its line', () => {
    expect(told('projects:\n\t- name: default\n')).toEqual([
      'lamplighter.yaml:2 is indented with a tab. YAML takes spaces only: write two spaces per level.',
    ])
  })

  test.each(['[*-dev]', '*prod', '[*]', '["*", *-dev]'])('include the pattern %s, which needs quotes', (match) => {
    expect(told(`${policy}    endpoints:\n      - match: ${match}\n`)).toEqual([
      'lamplighter.yaml:13 has a value that begins with * and no quotes. Put it in quotes, for example "*-dev".',
    ])
  })

  test.each([
    ['projects: [', 1],
    ['projects:\n  - name: "default\n', 3],
    ['projects: *nobody\n', 1],
    ['a: 1\n---\nb: 2\n', 2],
    ['', 1],
    ['just words', 1],
  ])('include %j, which is no policy', (text, line) => {
    const mistakes = told(text)
    expect(mistakes.length).toBeGreaterThan(0)
    for (const mistake of mistakes) expect(mistake).toMatch(/^lamplighter\.yaml:\d+ .*[.?]$/)
    expect(mistakes.some((mistake) => mistake.startsWith(`lamplighter.yaml:${line} `))).toBe(true)
  })

  test('include a repeated key', () => {
    expect(told(`${policy}operations_channel: C0TWO\n`)).toEqual([
      'lamplighter.yaml:12 is already set above. Keep one of the two.',
    ])
  })

  test.each([
    ['"@ana"', 'is "@ana". Write everyone, user:U…'],
    ['U0ANA', 'Did you mean user:U0ANA?'],
    ['S0OPS', 'Did you mean group:S0OPS?'],
    ['user:S0OPS', 'Did you mean group:S0OPS?'],
    ['"user: U0ANA"', 'without a space after the colon'],
    ['{ user: U0ANA }', 'without a space after the colon'],
    ['12', 'is 12. Write everyone, user:U…'],
  ])('include the member %s, with what to write', (member, hint) => {
    const mistakes = told(policy.replace('group:S0OPS', member))
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toMatch(/^lamplighter\.yaml:9 projects\[0\]\.roles\.operator\[0\] /)
    expect(mistakes[0]).toContain(hint)
  })

  test('include a single member in place of a list', () => {
    expect(told(policy.replace('[everyone]', 'everyone'))[0]).toContain('is "everyone". Write, for example, [everyone')
  })

  test('include a channel as an approver, but not as an operator', () => {
    expect(told(policy.replace('[group:S0OPS', '[channel:C0OPS'))).toEqual([])
    expect(told(policy.replace('user:U0BEN', 'channel:C0OPS'))).toEqual([
      'lamplighter.yaml:10 projects[0].roles.approver[0] is a channel. Name approvers and admins with user:U… or group:S….',
    ])
  })

  test.each(['Default', 'a b', 'x'.repeat(33), ''])('include the project name %j', (name) => {
    expect(told(policy.replace('name: default', `name: ${JSON.stringify(name)}`))[0]).toMatch(
      /^lamplighter\.yaml:3 projects\[0\]\.name is .*\. Write 1 to 32 lowercase letters/,
    )
  })

  test.each(['["general"]', '[]', '["#ops"]', 'C0OPS', '[c0ops]'])('include the channels %s', (channels) => {
    expect(told(policy.replace('["*"]', channels))[0]).toMatch(/^lamplighter\.yaml:6 projects\[0\]\.channels/)
  })

  test('include missing channels and roles, which are never guessed', () => {
    expect(told(project(''))).toEqual([
      expect.stringMatching(
        /^lamplighter\.yaml:2 projects\[0\]\.channels is missing\. Write, for example, \[C0123ABCD\]/,
      ),
      expect.stringMatching(
        /^lamplighter\.yaml:2 projects\[0\]\.roles is missing\. Write, for example, \{ viewer: \[everyone\]/,
      ),
    ])
  })

  test('include a channel of two projects, with both names and the second line', () => {
    const named = policy.replace('["*"]', '[C0A, C0B]')
    const other = named
      .slice(named.indexOf('  - name'))
      .replace('default', 'lab')
      .replace('C0A, ', '')
      .replace('PLATFORM_API', 'LAB_API')
    expect(told(named + other)).toEqual([
      'lamplighter.yaml:15 gives "C0B" to project lab, but project default already has it. A channel belongs to one project: remove it from one of the two.',
    ])
  })

  test('say that something is empty, and give an example for each missing variable', () => {
    expect(told('')).toEqual(['lamplighter.yaml:1 the file is empty. Write projects: with at least one project.'])
    expect(told(policy.replace('    base_url_env: PLATFORM_BASE_URL\n', ''))).toEqual([
      'lamplighter.yaml:3 projects[0].base_url_env is missing. Write the name of an environment variable, for example PLATFORM_BASE_URL, never its value.',
    ])
    expect(told(policy.replace('env: PLATFORM_API_KEY', 'env: sk-canary'))).toEqual([
      'lamplighter.yaml:5 projects[0].api_key_env has an invalid value, not shown because it may be secret. Write the name of an environment variable, for example PLATFORM_API_KEY, never its value.',
    ])
  })

  test('include a value after # without quotes, which begins a comment', () => {
    expect(told(policy.replace('operations_channel: C0OPS', 'operations_channel: #ops'))[0]).toMatch(
      /^lamplighter\.yaml:1 operations_channel is empty\. .* Here # begins a comment: a value with a # goes in quotes\.$/,
    )
  })

  test('include a second project with the same name or channels, next to other mistakes', () => {
    const twice = policy.replace('["*"]', '["*", C0OPS]').replace(': C0OPS', ': nonsense')
    const second = twice.slice(twice.indexOf('  - name')).replace('PLATFORM_API', 'LAB_API')
    expect(told(twice + second)).toEqual([
      expect.stringMatching(/^lamplighter\.yaml:1 operations_channel is "nonsense"\. Write a channel id/),
      'lamplighter.yaml:12 names a second project "default". Give each its own name.',
      'lamplighter.yaml:15 gives "*" to project default, but project default already has it. A channel belongs to one project: remove it from one of the two.',
      'lamplighter.yaml:15 gives "C0OPS" to project default, but project default already has it. A channel belongs to one project: remove it from one of the two.',
    ])
  })

  test('are reported together with those in the environment', () => {
    expect(mistakesOf({ ...complete, REDIS_URL: undefined }, policy.replace('[everyone]', '[someone]'))).toEqual([
      expect.stringMatching(/^lamplighter\.yaml:8 /),
      expect.stringMatching(/^REDIS_URL is missing/),
    ])
  })
})
