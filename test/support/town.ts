import { randomBytes } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { inject } from 'vitest'
import { parse } from 'yaml'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { NewEndpoint, PlatformOptions, PlatformSandbox } from '../../sandbox/platform/types.ts'
import type { SlackOptions } from '../../sandbox/slack/options.ts'
import type { Actor } from '../../sandbox/slack/people/actor.ts'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'
import { manifestFor } from '../../scripts/manifest.ts'
import { connectWorker } from '../../src/adapters/redis/connection/connect.ts'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { startApi } from '../../src/api.ts'
import { startBot } from '../../src/bot.ts'
import type { Time } from '../../src/clock.ts'
import { type Config, type ProcessRole, readConfig, secretsOf } from '../../src/config/config.ts'
import { unmetered } from '../../src/core/ports/meter.ts'
import { createLog } from '../../src/log.ts'
import { startOps } from '../../src/ops/metrics.ts'
import { createReadiness, needsOf } from '../../src/ops/readiness.ts'
import { startWorker } from '../../src/worker.ts'
import type { Ops } from './metered.ts'
import { createPace } from './pace.ts'
import { through, type Wires, wiresTo } from './wires.ts'

/**
 * When every story begins, ms: a Wednesday morning, regardless of the machine's clock.
 * `TEST_INSTANT=2027-03-28T00:30:00Z npm test` runs the stories at another time.
 */
export const storyStart = Date.parse(process.env['TEST_INSTANT'] ?? '2026-11-25T10:00:00Z')
if (Number.isNaN(storyStart)) throw new Error('TEST_INSTANT isn’t a valid time. Write one like 2027-03-28T00:30:00Z.')

export interface Town {
  readonly slack: SlackSandbox
  readonly platform: PlatformSandbox
  readonly prefix: string
  /** The clock shared by all parts. */
  readonly clock: Time['clock']
  /** The environment for this process and for child processes. */
  readonly env: Record<string, string>
  /** Returns everything the product has logged, as written. */
  readonly log: () => string
  /** Returns the address for programs, once an `api` runs here. */
  readonly api: () => string
  /** The connections to Redis and the platform, to be cut, held and so on. Throws if the town is not `wired`. */
  readonly wires: Wires
  /** Starts one more part of the product here, with `ops` as its operations port. */
  begin(role: Exclude<ProcessRole, 'all'>, ops?: Ops): Promise<Part>
  /** Opens an operations port, as a process does before it starts a part. */
  opens(role: ProcessRole): Promise<Ops>
  /** Moves the time of all parts at once. By 0, everything that is done at intervals is done now. */
  minutesPass(minutes: number): Promise<void>
  /** Resolves when what the workers here began as time last moved is done. */
  looked(): Promise<unknown>
  /** Whether no request is due at this time and no worker has one in hand. */
  isIdle(): Promise<boolean>
  /** Lets time pass until every request is at rest and shown, so that nothing is due soon until a person acts. */
  calm(): Promise<void>
  /** Writes another policy file and triggers a reload. */
  rules(policy: string): Promise<void>
  /** The configuration of a process; `other` overrides the town's environment. */
  configFor(role: ProcessRole | 'doctor', other?: Record<string, string>): Config
  stop(): Promise<void>
}

/** A bot or a worker in this process. May be stopped twice. */
export interface Part {
  stop(): Promise<void>
}

export interface TownOptions {
  readonly endpoints?: readonly NewEndpoint[]
  readonly platform?: PlatformOptions
  readonly slack?: SlackOptions
  readonly policy?: string | null
  /** The names of the policy's projects; `default` if omitted. */
  readonly projects?: readonly string[]
  readonly env?: Record<string, string>
  /** Which parts of the product run here; bot and worker if omitted. */
  readonly roles?: readonly Exclude<ProcessRole, 'all'>[]
  /** Uses another Redis than that of this test run. */
  readonly redisUrl?: string
  /** Lets the worker list the endpoints by itself, for type-ahead and the Home; otherwise only on demand. */
  readonly listed?: boolean
  /** Lets the worker read whether endpoints are used; otherwise nobody does. */
  readonly watched?: boolean
  /** Connects the product to Redis and the platform through proxies that a test can break. */
  readonly wired?: boolean
  /** The instant at which the story begins, such as `2026-11-25T04:00:00Z`. */
  readonly at?: string
}

/** Returns the text of a policy file with one project that contains these lines. */
export function policyOf(lines: string): string {
  return `
operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]${lines}`
}

/** ana operates, ben operates and approves, cleo can only view, dora is an operator through her group. */
const policyText = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN, group:S0OPS]
      approver: [user:U0BEN]
      admin: []
`)

const people = [
  { id: 'U0ANA', name: 'ana' },
  { id: 'U0BEN', name: 'ben' },
  { id: 'U0CLEO', name: 'cleo' },
  { id: 'U0DORA', name: 'dora' },
  { id: 'U0GUS', name: 'gus', guest: 'single' },
] as const

const said = parse(manifestFor(['--workflows']))
/** The app's scopes and workflow steps at Slack: exactly those of its manifest. */
const manifest: Pick<SlackOptions, 'scopes' | 'functions'> = {
  scopes: said.oauth_config.scopes.bot,
  functions: said.functions,
}

/** Starts Slack, the platform and the product on this run's Redis, with a clock that can be moved. */
export async function startTown(options: TownOptions = {}): Promise<Town> {
  const folder = mkdtempSync(join(tmpdir(), 'town-'))
  const clockFile = join(folder, 'clock')
  let offset = (options.at === undefined ? storyStart : Date.parse(options.at)) - Date.now()
  const clock = { now: () => Date.now() + offset, monotonic: () => performance.now() }
  const listeners: ((moved: number) => void)[] = []
  const begun = new Set<Promise<unknown>>()
  const time: Time = {
    clock,
    onMove: (listener) => void listeners.push(listener),
    doneHere(work) {
      begun.add(work)
      void work.finally(() => begun.delete(work))
    },
    stop: () => undefined,
    // How soon a door gives up matters only in a story that breaks Redis.
    ...(options.wired !== true && options.redisUrl === undefined && { patience: 10 }),
  }
  // Files take long to write, and only other processes read this one.
  const others = { read: false }
  function writeClock(): void {
    if (!others.read) return
    // The rename is atomic; a process that read half of the file would fall back into the present.
    writeFileSync(`${clockFile}.next`, String(offset))
    renameSync(`${clockFile}.next`, clockFile)
  }

  const slack = await startSlack({
    clock,
    people: [...people],
    channels: [
      { id: 'C0GENERAL', name: 'general', members: people.map(({ id }) => id) },
      { id: 'C0OPS', name: 'ops', members: people.map(({ id }) => id) },
    ],
    usergroups: [{ id: 'S0OPS', handle: 'ops', users: ['U0DORA'] }],
    ...manifest,
    ...options.slack,
  })
  const platform = await startPlatform({
    clock,
    endpoints: options.endpoints ?? [
      { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3 },
      { id: 'ep-tts', name: 'my-tts', active: false, replicas: 1 },
    ],
    ...options.platform,
  })
  const redisUrl = options.redisUrl ?? inject('redisUrl')
  const wires = options.wired === true ? await wiresTo(redisUrl, platform.url) : null
  const policy = options.policy === undefined ? policyText : options.policy
  const prefix = options.env?.['LAMPLIGHTER_PREFIX'] ?? `t${randomBytes(6).toString('hex')}`
  const env = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.url,
    PLATFORM_BASE_URL: wires === null ? platform.url : through(wires.platform, platform.url),
    PLATFORM_API_KEY: platform.apiKey,
    PLATFORM_TIMEOUT_MS: '2000',
    REDIS_URL: wires === null ? redisUrl : through(wires.redis, redisUrl),
    LAMPLIGHTER_PREFIX: prefix,
    LAMPLIGHTER_REDIS_MAY_FORGET: 'yes',
    // One person in a story does the work of many.
    LAMPLIGHTER_LIMIT_PER_MINUTE: '100000',
    LAMPLIGHTER_CLOCK_FILE: clockFile,
    LAMPLIGHTER_API_PORT: '0',
    ...(policy !== null && { LAMPLIGHTER_CONFIG: join(folder, 'lamplighter.yaml') }),
    ...options.env,
  }
  if (policy !== null) writeFileSync(join(folder, 'lamplighter.yaml'), policy)

  const written: string[] = []
  function logFor(config: Config) {
    return createLog({ secrets: secretsOf(config), stream: { write: (line) => void written.push(line) } })
  }
  function configFor(role: ProcessRole | 'doctor', other: Record<string, string> = {}): Config {
    return readConfig({ ...env, ...other }, role, (path) => (path.endsWith('lamplighter.yaml') ? policy : null))
  }
  const { roles = ['worker', 'bot'], projects = ['default'] } = options
  const redis = connectWorker(redisUrl, { warn: () => undefined })
  // Another worker seems to have these turns, so that a story sees only the platform calls that it is about.
  const turns = [
    'anchored:turn',
    ...(options.listed ? [] : ['names:turn']),
    ...(options.platform?.prices ? [] : ['prices:turn']),
    ...(options.watched ? [] : ['pursuits:turn:watch']),
  ]
  const tags = projects.map((project) => tagOf(prefix, project))
  for (const tag of tags) await Promise.all(turns.map((turn) => redis.set(`${tag}:${turn}`, 1, 'PX', 600_000)))
  // A channel takes one message a second, which would slow stories down, so the count is reset by each call.
  if (options.slack?.paceRealistically !== true)
    slack.onCall(({ args }, moment) => {
      const { channel } = args
      if (moment !== 'before' || typeof channel !== 'string') return
      for (const tag of tags) redis.del(keysOf(tag).pace(channel)).catch(() => undefined)
    })
  async function pass(ms: number): Promise<void> {
    offset += ms
    if (ms !== 0) writeClock()
    await turn()
    for (const look of listeners) look(ms)
  }
  const pace = createPace(redis, tags, clock, pass)
  /** Time passes while a person waits to see something. */
  function as(id: string): Actor {
    const actor = slack.as(id)
    return { ...actor, sees: (wanted, options) => pace.until(actor.sees(wanted, options)) }
  }
  const parts = new Set<Part>()
  const ports: number[] = []
  // Parts stop in reverse order, and none is left behind if something fails.
  async function stop(): Promise<void> {
    await wires?.redis.pass()
    for (const part of [...parts].reverse()) await part.stop()
    redis.disconnect()
    await Promise.all([slack.stop(), platform.stop(), wires?.redis.stop(), wires?.platform.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
  async function begin(role: Exclude<ProcessRole, 'all'>, ops?: Ops): Promise<Part> {
    const config = configFor(role)
    const log = logFor(config)
    const { meter } = ops ?? { meter: unmetered }
    const starts = {
      bot: () => startBot(config, log, time, (error) => void written.push(String(error)), meter),
      worker: () => startWorker(config, log, time, meter),
      api: () => startApi(config, log, time, meter),
    }
    const started = await starts[role]()
    if ('port' in started && typeof started.port === 'number') ports.push(started.port)
    const part: Part = {
      async stop() {
        if (parts.delete(part)) await started.stop()
      },
    }
    parts.add(part)
    return part
  }
  try {
    for (const role of roles) await begin(role)
  } catch (error) {
    await stop()
    throw error
  }

  return {
    slack: { ...slack, as },
    platform,
    prefix,
    clock,
    get env() {
      others.read = true
      writeClock()
      return env
    },
    log: () => written.join(''),
    api: () => `http://127.0.0.1:${ports.at(-1)}`,
    get wires() {
      if (wires === null) throw new Error('Only a town that is wired can have its connections broken.')
      return wires
    },
    begin,
    async opens(role) {
      const config = configFor(role)
      const readiness = createReadiness(needsOf[role], secretsOf(config))
      const ops = await startOps({ host: '127.0.0.1', port: 0, readiness, log: logFor(config) })
      parts.add(ops)
      return ops
    },
    minutesPass: (minutes) => pass(Math.round(minutes * 60_000)),
    looked: () => Promise.all(begun),
    isIdle: pace.isIdle,
    calm: pace.calm,
    async rules(text) {
      writeFileSync(join(folder, 'lamplighter.yaml'), text)
      for (const look of listeners) look(0)
    },
    configFor,
    stop,
  }
}
