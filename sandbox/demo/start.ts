import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { startPlatform } from '../platform/start.ts'
import type { PlatformSandbox } from '../platform/types.ts'
import { startRedis } from '../redis/ladder.ts'
import { freePort } from '../redis/port.ts'
import type { FunctionOption } from '../slack/options.ts'
import { type SlackSandbox, startSlack } from '../slack/start.ts'
import { createBacklog } from './backlog.ts'
import { channels, endpoints, people, policy, prices, usergroups, zone } from './cast.ts'
import { controlsFor } from './controls.ts'
import { feel } from './feel.ts'
import { outagesOf } from './outages.ts'
import { overhear } from './overhear.ts'
import { passingControls } from './passing.ts'
import { type Product, startProduct } from './product.ts'
import { createPulse } from './pulse.ts'
import { questionsAt } from './questions.ts'
import { strideAfter } from './stride.ts'
import { type MovableClock, movableClock } from './time.ts'
import { tourThrough } from './tour.ts'
import { workflowBuilder, workflowControls } from './workflow-controls.ts'

/** How long a start takes, ms: long enough to see progress, short enough not to bore. */
const startDelayMs = 8_000

export interface Demo {
  readonly slack: SlackSandbox
  readonly platform: PlatformSandbox
  readonly time: MovableClock
  readonly apiUrl: string
}

/** Parts that end with the demo, in reverse order. */
export type Parts = { stop(): Promise<unknown> }[]

/**
 * Starts everything a newcomer lacks, adds each part to `parts` as soon as it runs, and says so in a line. The demo's
 * clock is `ahead` ms ahead of the machine's.
 */
export async function startDemo(parts: Parts, say: (line: string) => void, ahead = 0): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-demo-'))
  parts.push({ stop: () => rm(folder, { recursive: true, force: true }) })
  const redis = await startRedis({ own: true })
  parts.push(redis)
  say(`Redis      ${redis.note}`)
  const backlog = createBacklog(redis.url, { now: () => time.clock.now() })
  parts.push(backlog)
  const pulse = createPulse(() => time.isDone(), backlog.isBusy)
  parts.push(overhear(redis.url, pulse.murmur))

  let [deeds, handled] = [0, 0]
  const time = movableClock(
    join(folder, 'clock'),
    {
      rest: pulse.rest,
      setOut: (far) => questions.setOut(far),
      next: (now) => Math.min(questions.next(now), backlog.next(now)),
      stride() {
        const now = time.clock.now()
        // An action counts as done now, because the clock has run at normal speed since the last stride.
        const done = slack.link.sent.length + controlled
        if (done !== deeds) [deeds, handled] = [done, now]
        const changed = platform.changes().at(-1)?.at ?? 0
        return strideAfter({ changed, handled }, now, zone)
      },
    },
    ahead,
  )
  const platform = await startPlatform({ clock: time.clock, endpoints, prices, startDelayMs })
  parts.push(platform)
  say(`Platform   ${endpoints.length} endpoints, each with replicas that listen on a port`)

  let controlled = 0
  const products: Product[] = []
  const outages = outagesOf(() => restart(products, 'worker'))
  let workspace: SlackSandbox | undefined
  const outside = controlsFor({ platform, killWorker: outages.kill })
  const { oauth_config, features, functions } = await readManifest()
  const slack = await startSlack({
    clock: time.clock,
    people: [...people, workflowBuilder],
    channels,
    usergroups,
    shortcuts: [{ callbackId: 'lamplighter', name: 'GPU endpoints' }],
    paceRealistically: true,
    scopes: oauth_config.scopes.bot,
    functions,
    commands: features.slash_commands.map(({ command, description, usage_hint: usageHint }) => ({
      command,
      description,
      usageHint,
    })),
    app: { id: 'A0LAMP', name: 'Lamplighter', botUserId: 'U0LAMP', botId: 'B0LAMP' },
    tour: tourThrough({ platform, slack: () => workspace, outages, rest: () => time.halt() }),
    plight: outages.plight,
    controls: [
      ...passingControls(time),
      ...outside.map((control) => ({
        ...control,
        run(person: string) {
          controlled += 1
          return control.run(person)
        },
      })),
    ],
  })
  workspace = slack
  parts.push(slack)
  for (const control of workflowControls(slack, platform)) slack.addControl(control)
  feel(pulse, platform, slack)
  const questions = questionsAt(slack, time)
  say(`Slack      a workspace with ${people.length} people to act as`)

  await writeFile(join(folder, 'lamplighter.yaml'), policy)
  const env = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.url,
    PLATFORM_BASE_URL: platform.url,
    REDIS_URL: redis.url,
    LAMPLIGHTER_KEY: randomBytes(32).toString('base64'),
    LAMPLIGHTER_AUDIT_DIR: folder,
    LAMPLIGHTER_CONFIG: join(folder, 'lamplighter.yaml'),
    LAMPLIGHTER_CLOCK_FILE: time.file,
    // The in-process Redis keeps nothing, and a demo has nothing to lose.
    LAMPLIGHTER_REDIS_MAY_FORGET: 'yes',
    // Hours of the demo pass in a minute.
    LAMPLIGHTER_LIMIT_PER_MINUTE: '600',
  }
  const port = await freePort()
  const own = { bot: {}, worker: { PLATFORM_API_KEY: platform.apiKey }, api: { LAMPLIGHTER_API_PORT: String(port) } }
  const begin = async (role: Product['role']) => {
    // Only workers call the platform.
    const product = startProduct(role, { ...env, ...own[role] })
    products.push(product)
    parts.push(product)
    await product.ready
  }
  // The first process builds the code that all of them run.
  await begin('bot')
  await Promise.all([begin('worker'), begin('api')])
  say('Lamplighter bot, worker and API are running')
  return { slack, platform, time, apiUrl: `http://127.0.0.1:${port}` }
}

interface Manifest {
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } }
  readonly features: {
    readonly slash_commands: readonly {
      readonly command: string
      readonly description: string
      readonly usage_hint: string
    }[]
  }
  readonly functions: Readonly<Record<string, FunctionOption>>
}

/** Reads the app's scopes, commands and steps from the manifest, so that nothing works only in the demo. */
async function readManifest(): Promise<Manifest> {
  const files = ['manifest.yml', 'workflow-steps.yml'].map((name) =>
    readFile(new URL(`../../${name}`, import.meta.url), 'utf8'),
  )
  return Object.assign({}, ...(await Promise.all(files)).map((text) => parse(text) as object)) as Manifest
}

async function restart(products: readonly Product[], role: Product['role']): Promise<void> {
  await products.find((product) => product.role === role)?.restart()
}
