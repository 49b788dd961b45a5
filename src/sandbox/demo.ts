import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { channels, endpoints, people, policy, usergroups, zone } from './demo/cast.ts'
import { controlsFor } from './demo/controls.ts'
import { overhear } from './demo/overhear.ts'
import { passingControls } from './demo/passing.ts'
import { type Product, startProduct } from './demo/product.ts'
import { createPulse } from './demo/pulse.ts'
import { strideAfter } from './demo/stride.ts'
import { movableClock } from './demo/time.ts'
import { startPlatform } from './platform/start.ts'
import { startRedis } from './redis/ladder.ts'
import { elementsOf } from './slack/elements.ts'
import { startSlack } from './slack/start.ts'

/** A start that people can watch: long enough to see progress, short enough not to bore. ms. */
const startDelayMs = 8_000

/** Everything a newcomer lacks, started on this machine, and one address to open. */
async function main(): Promise<void> {
  const parts: { stop(): Promise<unknown> }[] = []
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-demo-'))
  parts.push({ stop: () => rm(folder, { recursive: true, force: true }) })

  let leaving = false
  /** What was started last is stopped first; nothing is left behind. */
  async function leave(): Promise<void> {
    for (const part of parts.splice(0).reverse()) await part.stop().catch(() => undefined)
  }
  function end(code: number): void {
    if (leaving) return
    leaving = true
    void leave().finally(() => process.exit(code))
  }
  // Ctrl-C, a polite end, and a terminal that was closed.
  process.on('SIGINT', () => end(0))
  process.on('SIGHUP', () => end(0))
  process.on('SIGTERM', () => end(0))

  try {
    const redis = await startRedis({ own: true })
    parts.push(redis)
    say(`Redis      ${redis.note}`)
    const pulse = createPulse()
    parts.push(overhear(redis.url, pulse.murmur))
    let asked = 0
    const time = movableClock(join(folder, 'clock'), {
      rest: pulse.rest,
      stride: () => strideAfter({ changed: platform.changes().at(-1)?.at ?? 0, asked }, time.clock.now(), zone),
    })
    const platform = await startPlatform({ clock: time.clock, endpoints, startDelayMs })
    platform.onCall(pulse.beat)
    parts.push(platform)
    say(`Platform   ${endpoints.length} endpoints whose replicas really listen`)

    const products: Product[] = []
    const slack = await startSlack({
      clock: time.clock,
      people,
      channels,
      usergroups,
      shortcuts: [{ callbackId: 'lamplighter', name: 'GPU endpoints' }],
      paceRealistically: true,
      scopes: await manifestScopes(),
      app: { id: 'A0LAMP', name: 'Lamplighter', botUserId: 'U0LAMP', botId: 'B0LAMP' },
      controls: [
        ...passingControls(time),
        ...controlsFor({ platform, restartWorker: () => restart(products, 'worker') }),
      ],
    })
    parts.push(slack)
    slack.onCall(pulse.beat)
    slack.on('message', ({ blocks, channel }) => {
      if (elementsOf(blocks).length === 0) return
      asked = time.clock.now()
      // Nobody can answer while days fly by.
      const { kind, name } = slack.channel(channel).channel
      time.wait(`Time waits: there is a question in ${kind === 'im' ? 'a direct message' : `#${name}`}.`)
    })
    say(`Slack      a workspace with ${people.length} people to act as`)

    await writeFile(join(folder, 'lamplighter.yaml'), policy)
    const env = {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.url,
      PLATFORM_BASE_URL: platform.url,
      PLATFORM_API_KEY: platform.apiKey,
      REDIS_URL: redis.url,
      LAMPLIGHTER_KEY: randomBytes(32).toString('base64'),
      LAMPLIGHTER_AUDIT_DIR: folder,
      LAMPLIGHTER_CONFIG: join(folder, 'lamplighter.yaml'),
      LAMPLIGHTER_CLOCK_FILE: time.file,
      // The in-process rung keeps nothing, and a demo has nothing to lose.
      LAMPLIGHTER_REDIS_MAY_FORGET: 'yes',
    }
    for (const role of ['bot', 'worker'] as const) {
      const product = startProduct(role, env)
      products.push(product)
      parts.push(product)
      // One after the other: the first of them builds what both run.
      await product.ready
    }
    say('Lamplighter bot and worker are running')
    say(
      `\nOpen       ${slack.pageUrl}\n\nTry        /endpoint list   ·   /endpoint stop rerank   ·   /endpoint help\nCtrl-C ends it and leaves nothing behind.`,
    )
  } catch (error) {
    process.stderr.write(`The demo could not start: ${error instanceof Error ? error.message : String(error)}\n`)
    end(1)
  }
}

/** The demo's bot may do what the manifest asks for and nothing more, so that nothing works here and nowhere else. */
async function manifestScopes(): Promise<readonly string[]> {
  const manifest: unknown = parse(await readFile(new URL('../../manifest.yml', import.meta.url), 'utf8'))
  return (manifest as { oauth_config: { scopes: { bot: string[] } } }).oauth_config.scopes.bot
}

async function restart(products: readonly Product[], role: Product['role']): Promise<void> {
  await products.find((product) => product.role === role)?.restart()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
