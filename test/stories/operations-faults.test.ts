import { Redis } from 'ioredis'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { written } from '../../src/core/model/formats.ts'
import { english } from '../../src/words/english.ts'
import { measuredAs, metricsOf, type Ops } from '../support/metered.ts'
import { asks, presses } from '../support/ops.ts'
import { startNode } from '../support/replicas.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

/* Each fault that doctor knows fails exactly one check in the metrics of bot and worker. */

interface Running {
  readonly town: Town
  readonly worker: Ops
  readonly bot: Ops
  readonly redis: Redis
  readonly keys: ReturnType<typeof keysOf>
}

/** `given` returns the town's options, or null if this machine lacks what they need. `happens` causes the fault. */
interface Fault {
  readonly given?: () => Promise<TownOptions | null> | TownOptions
  readonly happens?: (running: Running) => unknown
  /** The fault repairs itself, so it is caused again before every look. */
  readonly mends?: true
}

const firstKey = Buffer.alloc(32, 7).toString('base64')
const well: TownOptions['env'] = { LAMPLIGHTER_KEY: firstKey }
const needs = ['storage', 'slack', 'key', 'rules']

/** The names of the failing checks. */
async function turned({ worker, bot }: Running): Promise<readonly string[]> {
  const pages = await Promise.all([metricsOf(worker), metricsOf(bot)])
  const faults = pages
    .flat()
    .flatMap(({ name, labels, value }) => (name === 'fault' && value === 1 ? [labels['check']] : []))
  const isLocked = pages.some((page) => measuredAs(page, 'lockdown') === 1)
  return [...new Set([...faults.map(String), ...(isLocked ? ['lockdown'] : [])])].toSorted()
}

async function isReady(ops: Ops): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${ops.port}/readyz`)).ok
}

async function begin({ env, ...options }: TownOptions = {}, roles = ['worker', 'bot']): Promise<Running> {
  const town = await startTown({ wired: true, roles: [], ...options, env: { ...well, ...env } })
  onTestFinished(() => town.stop())
  const [worker, bot] = [await town.opens('worker'), await town.opens('bot')]
  if (roles.includes('worker')) await town.begin('worker', worker)
  await town.begin('bot', bot)
  const redis = new Redis(options.redisUrl ?? inject('redisUrl'))
  redis.on('error', () => undefined)
  onTestFinished(() => redis.disconnect())
  return { town, worker, bot, redis, keys: keysOf(tagOf(town.prefix, 'default')) }
}

/** Starts a Redis of its own, because the fault changes its settings. */
async function ownRedis(): Promise<TownOptions | null> {
  const node = await startNode()
  if (node === null) return null
  onTestFinished(() => node.stop())
  return { redisUrl: node.server.url }
}

function policyWith(roles: string): TownOptions {
  return {
    policy: policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA], admin: [], ${roles} }
`),
  }
}

const refused = { tries: 1, since: 0, why: 'it does not answer', next: Number.MAX_SAFE_INTEGER }
/** The state of a webhook whose receiver does not answer. */
const failing = { seq: 0, part: 0, failing: refused }

const faults: readonly (readonly [what: string, check: string, fault: Fault])[] = [
  ['Redis is away', 'storage', { happens: ({ town }) => town.wires.redis.cut() }],
  ['Redis does not answer', 'storage', { happens: ({ town }) => town.wires.redis.hold() }],
  ['Redis is read-only', 'storage', { given: ownRedis, happens: ({ redis }) => redis.replicaof('127.0.0.1', 1) }],
  ['Redis is full', 'storage', { given: ownRedis, happens: ({ redis }) => redis.config('SET', 'maxmemory', '1') }],
  [
    'Redis evicts',
    'redis',
    { given: ownRedis, happens: ({ redis }) => redis.config('SET', 'maxmemory-policy', 'allkeys-lru') },
  ],
  [
    'Redis is nearly full',
    'memory',
    {
      given: ownRedis,
      async happens({ redis }) {
        await redis.setrange('ballast', 100_000_000, 'x')
        await redis.config('SET', 'maxmemory', '130000000')
      },
    },
  ],
  ['the clocks differ', 'clock', { given: wrongClock }],
  [
    'requests are late',
    'requests',
    {
      // More than the sweeps can take up in time.
      happens: ({ redis, keys }) =>
        redis.zadd(keys.wake, ...Array.from({ length: 5_000 }, (_, nth) => [1, `late${nth}`.padEnd(22, '0')]).flat()),
    },
  ],
  ['no socket to Slack is open', 'slack', { happens: loses }],
  ['Slack is away', 'slack', { happens: ({ town }) => town.slack.down() }],
  ['Slack refuses the token', 'slack', { happens: ({ town }) => refuses(town, 'token_revoked') }],
  ['a scope is missing', 'scopes', { given: () => ({ slack: { scopes: ['chat:write', 'commands', 'users:read'] } }) }],
  [
    'the app is not in the operations channel',
    'channel',
    {
      given: () => ({
        policy: policyWith('approver: []').policy?.replace('C0OPS', 'C0AWAY') ?? '',
        slack: {
          channels: [
            { id: 'C0OPS', name: 'ops', members: ['U0ANA'] },
            { id: 'C0AWAY', name: 'away', members: [], botIsMember: false },
          ],
        },
      }),
    },
  ],
  ['the policy names a group that is gone', 'groups', { given: () => policyWith('approver: [group:S0NONE]') }],
  ['somebody named cannot approve', 'approvers', { given: () => policyWith('approver: [user:U0GUS]') }],
  ['the platform refuses the key', 'key', { given: () => ({ env: { PLATFORM_API_KEY: 'sk-unknown' } }) }],
  ['the platform is away', 'key', { given: () => ({ env: { PLATFORM_BASE_URL: 'http://127.0.0.1:1' } }) }],
  [
    'the platform names another field',
    'scale',
    { given: () => ({ platform: { scaleField: 'num_replicas' } }), happens: scales },
  ],
  [
    'the rules are not checked',
    'rules',
    { mends: true, happens: ({ redis, keys }) => redis.del(`${keys.reconcileStates}:ticked`) },
  ],
  ['stored data fail their check', 'lockdown', { happens: tampers }],
  [
    'a receiver of events cannot be reached',
    'events',
    {
      mends: true,
      given: () => ({
        policy: policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA], admin: [] }
    events: [{ name: bus, url: "http://127.0.0.1:1/", secret_env: EVENTS_SECRET, allow_private: true }]
`),
        env: { EVENTS_SECRET: 'only the receiver knows' },
      }),
      happens: ({ redis, keys }) => redis.hset(keys.events, 'bus', written('webhook', failing)),
    },
  ],
  [
    'the audit directory cannot be written',
    'audit',
    { given: () => ({ env: { LAMPLIGHTER_AUDIT_DIR: '/dev/null/audit' } }) },
  ],
  ['no bot is running', 'processes', { mends: true, happens: forgetsBots }],
  ['a process leaves work to a newer one', 'versions', { happens: leaves }],
  ['there is no key for secret values', 'secrets', { given: () => ({ env: { LAMPLIGHTER_KEY: '' } }) }],
  [
    'data without a signature are accepted',
    'secrets',
    { given: () => ({ env: { LAMPLIGHTER_KEY: `${firstKey},none` } }) },
  ],
  ['the policy file has a mistake', 'policy', { happens: ({ town }) => breaks(town) }],
]

test.for(faults)('While %s, only the check “%s” fails', async ([, check, { given, happens, mends }], context) => {
  const options = given === undefined ? {} : await given()
  if (options === null) return context.skip('there is no real Redis on this machine')
  const running = await begin(options)
  await happens?.(running)
  async function found() {
    if (mends) await happens?.(running)
    return { turned: await turned(running), ready: (await isReady(running.worker)) && (await isReady(running.bot)) }
  }
  await expect.poll(found).toEqual({ turned: [check], ready: !needs.includes(check) })
})

test('Without a worker the bot reports that, also for the rules, and still takes commands', async () => {
  const { bot, redis, keys } = await begin({}, ['bot'])
  const checks = async () => (await fetch(`http://127.0.0.1:${bot.port}/readyz`)).json()
  expect(await checks()).toMatchObject({
    ready: true,
    checks: { workers: { ok: false, why: expect.stringMatching(/^No worker is running;.*livez\.$/) } },
  })
  const age = async () => measuredAs(await metricsOf(bot), 'tick_age_seconds')
  await redis.set(`${keys.reconcileStates}:ticked`, 1, 'PX', 180_000)
  expect(await age()).toBeLessThan(180)
  await redis.del(`${keys.reconcileStates}:ticked`)
  await expect.poll(age).toBe(Number.POSITIVE_INFINITY)
  const faults = (await metricsOf(bot)).filter(({ name, value }) => name === 'fault' && value === 1)
  expect(faults.map(({ labels }) => labels['check'])).toEqual(['workers'])
})

test('Without a fault no check fails', async () => {
  const running = await begin()
  const known = async () => (await metricsOf(running.worker)).flatMap(({ labels }) => labels['check'] ?? [])
  await expect.poll(known).toContain('policy')
  expect(await turned(running)).toEqual([])
})

test('Every doctor check that can fail has a fault in this file', () => {
  const checks = Object.keys(english).flatMap((id) => (id.startsWith('check.') ? [id.replace('check.', '')] : []))
  const others = ['freeze', 'prices', 'queue']
  const tested = new Set(faults.map(([, check]) => check))
  expect(checks.filter((check) => !others.includes(check) && !tested.has(check))).toEqual([])
})

/** Removes the entries of bots, as if none were alive. A living one writes its own again within two seconds. */
async function forgetsBots({ redis, keys }: Running): Promise<void> {
  const all = Object.entries(await redis.hgetall(keys.processes))
  await redis.hdel(keys.processes, ...all.filter(([, text]) => text.includes('"role":"bot"')).map(([id]) => id), '')
}

/** Sets this machine's clock 1.5 s back: too far for the check, too little to prevent a start. */
function wrongClock(): TownOptions {
  const { now } = Date
  const behind = vi.spyOn(Date, 'now').mockImplementation(() => now() - 1_500)
  onTestFinished(() => behind.mockRestore())
  return {}
}

function refuses({ slack }: Town, error: string): void {
  slack.fault('*', { kind: 'error', error })
}

function loses({ town }: Running): void {
  town.slack.fault('apps.connections.open', { kind: 'status', status: 503 })
  while (town.slack.sockets.count() > 0) town.slack.sockets.drop()
}

async function scales({ town }: Running): Promise<void> {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint scale my-llm to 2')
  await presses(ana, 'Scale my-llm', /^Scale .*: failed/)
}

async function tampers({ town, redis, keys }: Running): Promise<void> {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'protect my-llm because="customers"', 'Protected my-llm')
  await town.calm()
  await redis.del(keys.root)
  await asks(ana, 'protect my-tts because="customers"', 'All changes in project default are blocked')
}

async function leaves({ town, redis, keys }: Running): Promise<void> {
  const at = Date.now()
  const policy = town.configFor('worker').policyVersion
  const process = { role: 'worker', policy, since: at, at: at + 60_000, left: 'A request has format 99.' }
  await redis.hset(keys.processes, 'another', written('process', process))
}

async function breaks(town: Town): Promise<void> {
  await town.rules('projects: 5')
  await town.slack.as('U0ANA').sees('isn’t valid, so the previous one still applies', { in: 'ops' })
}
