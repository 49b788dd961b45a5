import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'
import { startSlack } from '../../sandbox/slack/start.ts'
import { namesOf, queryOf } from './many-names.ts'
import type { World } from './world.ts'

/** Asks for a platform with `endpoints` endpoints. The reply is a `World`. */
export interface Wanted {
  readonly endpoints: number
}

/** Asks to use the program at `port`, which serves that platform. The reply is a `Used`. */
export interface Use extends Wanted {
  readonly port: number
  /** The number of texts to type into the type-ahead. */
  readonly queries: number
  /** The number of pages to list. */
  readonly lists: number
}

export interface Used {
  /** ms from each typed text to its options. */
  readonly typingMs: readonly number[]
  /** ms from each command to its private answer. */
  readonly listMs: readonly number[]
  /** ms that the platform takes for each of these pages. */
  readonly platformMs: readonly number[]
  /** ms from each command to the menu. */
  readonly menuMs: readonly number[]
  /** ms from each opening of the Home until it is published. */
  readonly homeMs: readonly number[]
}

/** The page size that `list` requests from the platform. */
const pageSize = 15
const patience = 15_000

// Slack limits the messages per channel, so each list is requested in its own channel.
const slack = await startSlack({
  mode: 'http',
  channels: Array.from({ length: 1_000 }, (_, index) => ({ id: `C0MANY${index}`, name: `many-${index}` })),
})
const ana = slack.as('U0ANA')
const platforms = new Map<number, Promise<PlatformSandbox>>()
const typedAt = new Map<string, number>()
let channels = 0
let turns = 0

function platformWith(endpoints: number): Promise<PlatformSandbox> {
  const known = platforms.get(endpoints)
  if (known !== undefined) return known
  const platform = startPlatform({
    endpoints: namesOf(endpoints).map((name, index) => ({ name, active: index % 3 === 0 })),
    listeningReplicas: false,
  })
  platforms.set(endpoints, platform)
  return platform
}

async function use({ endpoints, port, queries, lists }: Use): Promise<Used> {
  slack.http.setRequestUrl(`http://127.0.0.1:${port}/slack/events`)
  const typingMs = await typeAhead(endpoints, queries)
  const { url, apiKey } = await platformWith(endpoints)
  const listMs: number[] = []
  const platformMs: number[] = []
  const menuMs: number[] = []
  const homeMs: number[] = []
  for (let turn = 0; turn < lists; turn++) {
    const page = 1 + Math.floor((turn / lists) * Math.ceil(endpoints / pageSize))
    listMs.push(await list(endpoints, page))
    platformMs.push(await ask(`${url}/endpoints?page=${page}&size=${pageSize}`, apiKey))
    menuMs.push(await menu())
    homeMs.push(await home())
  }
  return { typingMs, listMs, platformMs, menuMs, homeMs }
}

/** Types into the only field of `stop` once the program knows the endpoints. */
async function typeAhead(endpoints: number, queries: number): Promise<readonly number[]> {
  await ana.types(nextChannel(), '/endpoint stop')
  await ana.opens('Stop an endpoint')
  const late = performance.now() + patience
  while ((await type('-')).options < Math.min(100, endpoints)) {
    if (performance.now() > late) throw new Error(`The ${endpoints} endpoints were not known in time.`)
  }
  // People also search when there are no endpoints.
  const names = namesOf(endpoints || 10_000)
  const typingMs: number[] = []
  for (let query = 0; query < queries; query++) {
    turns += 1
    const typed = queryOf(names, turns)
    const { options, ms } = await type(typed)
    if (options === 0) throw new Error(`Nothing was suggested for ${typed}.`)
    typingMs.push(ms)
  }
  await ana.closes(true)
  return typingMs
}

/** The same text in the same second has the same signature, which the bot rejects, so it waits for the next second. */
async function type(typed: string): Promise<{ readonly options: number; readonly ms: number }> {
  const since = Date.now() - (typedAt.get(typed) ?? 0)
  if (since < 1_000) await wait(1_001 - since)
  typedAt.set(typed, Date.now())
  const begin = performance.now()
  const options = await ana.suggests('Endpoint', typed)
  return { options: options.length, ms: performance.now() - begin }
}

async function list(endpoints: number, page: number): Promise<number> {
  const channel = nextChannel()
  const begin = performance.now()
  await ana.types(channel, page === 1 ? '/endpoint list' : `/endpoint list page=${page}`)
  await ana.sees(endpoints === 0 ? 'No endpoints match.' : `${endpoints.toLocaleString('en')} endpoints`, {
    in: channel,
  })
  return performance.now() - begin
}

async function menu(): Promise<number> {
  const channel = nextChannel()
  const begin = performance.now()
  await ana.types(channel, '/endpoint')
  await ana.sees('Choose an endpoint', { in: channel })
  return performance.now() - begin
}

async function home(): Promise<number> {
  const before = slack.workspace.homes.get('U0ANA')
  const begin = performance.now()
  await ana.opensHome()
  while (slack.workspace.homes.get('U0ANA') === before) {
    if (performance.now() > begin + patience) throw new Error('The Home was not published in time.')
    await wait(1)
  }
  return performance.now() - begin
}

async function ask(url: string, key: string): Promise<number> {
  const begin = performance.now()
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  await answer.json()
  if (!answer.ok) throw new Error(`The platform answered ${answer.status} for a page.`)
  return performance.now() - begin
}

function nextChannel(): string {
  channels += 1
  return `C0MANY${channels}`
}

async function where({ endpoints }: Wanted): Promise<World> {
  const { url: platformUrl, apiKey } = await platformWith(endpoints)
  const { url: slackUrl, botToken, signingSecret } = slack
  return { slackUrl, botToken, signingSecret, platformUrl, apiKey }
}

async function stop(): Promise<void> {
  const started = await Promise.all(platforms.values())
  await Promise.all([slack.stop(), ...started.map((platform) => platform.stop())])
}

process.on('message', (message: Wanted | Use) => {
  const answering = 'port' in message ? use(message) : where(message)
  answering.then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
process.send?.({ ready: true })
