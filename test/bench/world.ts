import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { startPlatform } from '../../sandbox/platform/start.ts'
import { startSlack } from '../../sandbox/slack/start.ts'
import { requestFor } from './command.ts'
import { type Connection, openConnection } from './connection.ts'

/** The addresses and secrets of Slack and the platform for the measured programs. */
export interface World {
  readonly slackUrl: string
  readonly botToken: string
  readonly signingSecret: string
  readonly platformUrl: string
  readonly apiKey: string
}

export interface Journeys {
  readonly port: number
  readonly count: number
  /** The typed command; `start` by default. The requester confirms a stop. */
  readonly verb?: 'start' | 'stop'
  /** How many run at once: at most 64, by default 1. */
  readonly atOnce?: number
}

/** `burst` starts, each of another endpoint and in another channel, as fast as they are acknowledged. */
export interface Burst {
  readonly port: number
  readonly burst: number
}

export interface BurstResult {
  /** ms from the first command to the last final message. */
  readonly tookMs: number
  /** ms from each `status` typed meanwhile to its private answer. */
  readonly queryMs: readonly number[]
}

export interface JourneyResult {
  /** ms from each command to its final message at Slack. */
  readonly endMs: readonly number[]
  readonly ackMs: readonly number[]
}

/** A burst needs more and sets `BENCH_ENDPOINTS`. */
const endpoints = Number(process.env['BENCH_ENDPOINTS'] ?? 64)
const channels = 12_000
const patience = 60_000

const platform = await startPlatform({
  endpoints: Array.from({ length: endpoints }, (_, index) => {
    return { id: `llm-${index}`, name: `llm-${index}`, active: false, autoscaled: false, replicas: 1 }
  }),
  listeningReplicas: false,
})
const slack = await startSlack({
  mode: 'http',
  channels: Array.from({ length: channels }, (_, index) => ({ id: `C0BENCH${index}`, name: `bench-${index}` })),
})
const ana = slack.as('U0ANA')
/** Endpoints without an open request, the one that has rested longest first. */
const free = Array.from({ length: endpoints }, (_, index) => `llm-${index}`)
let journeys = 0

/** Types `count` commands and waits for the end of each, each in a channel not used for a long time. */
async function travel({ port, count, verb = 'start', atOnce = 1 }: Journeys): Promise<JourneyResult> {
  slack.http.setRequestUrl(`http://127.0.0.1:${port}/slack/events`)
  const endMs: number[] = []
  const ackMs: number[] = []
  let left = count

  async function keepTravelling(): Promise<void> {
    const connection = await openConnection(port)
    for (; left > 0; ) {
      left -= 1
      const id = free.shift()
      if (id === undefined) throw new Error(`No more than ${endpoints} requests can be under way at once.`)
      await one(connection, id)
      free.push(id)
    }
    connection.close()
  }

  async function one(connection: Connection, id: string): Promise<void> {
    journeys += 1
    if (verb === 'start') platform.console.stop(id)
    else platform.console.start(id)
    const channel = `C0BENCH${journeys % channels}`
    const over = finalMessageIn(channel, verb === 'start' ? 'Started' : 'Stopped')
    const request = requestFor({ text: `${verb} ${id}`, channel }, slack.signingSecret, port)
    const begin = performance.now()
    const status = await connection.ask(request)
    ackMs.push(performance.now() - begin)
    if (status !== 200) throw new Error(`A command was answered ${status}.`)
    // Slack asks people to press again if an app was too slow.
    while (verb === 'stop' && (await ana.presses(`Stop ${id}`, { in: channel })).outcome === 'operation_timeout');
    endMs.push((await over) - begin)
  }

  await Promise.all(Array.from({ length: atOnce }, keepTravelling))
  return { endMs, ackMs }
}

async function hurry({ port, burst }: Burst): Promise<BurstResult> {
  slack.http.setRequestUrl(`http://127.0.0.1:${port}/slack/events`)
  const ids = free.slice(0, burst)
  for (const id of ids) platform.console.stop(id)
  const begin = performance.now()
  const ends = ids.map((_, at) => finalMessageIn(`C0BENCH${at}`, 'Started'))
  const over = Promise.all(ends).then(() => {
    left = false
    return performance.now() - begin
  })
  let left = true
  const waiting = ids.map((id, at) => ({ text: `start ${id}`, channel: `C0BENCH${at}` }))
  async function send(): Promise<void> {
    const connection = await openConnection(port)
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const status = await connection.ask(requestFor(next, slack.signingSecret, port))
      if (status !== 200) throw new Error(`A command was answered ${status}.`)
    }
    connection.close()
  }
  const ben = slack.as('U0BEN')
  const queryMs: number[] = []
  async function look(): Promise<void> {
    for (let at = channels - 1; left; at -= 1) {
      const channel = `C0BENCH${at}`
      const typed = performance.now()
      await ben.types(channel, `/endpoint status ${ids[0]}`)
      await ben.sees(`${ids[0]}`, { in: channel })
      queryMs.push(performance.now() - typed)
      await pause(100)
    }
  }
  const [tookMs] = await Promise.all([over, look(), ...Array.from({ length: 16 }, send)])
  return { tookMs, queryMs }
}

/** Resolves with the time of the first message in the channel that reports the start or stop. */
function finalMessageIn(channel: string, begins: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const look = (message: { readonly channel: string; readonly text: string }) => {
      if (message.channel !== channel || !message.text.startsWith(begins)) return
      clearTimeout(late)
      for (const end of ends) end()
      resolve(performance.now())
    }
    const late = setTimeout(() => reject(new Error(`No end was shown in time. ${slack.transcript(channel)}`)), patience)
    const ends = [slack.on('message', look), slack.on('update', look)]
  })
}

process.on('message', (message: Journeys | Burst | object) => {
  const { url: slackUrl, botToken, signingSecret } = slack
  const where: World = { slackUrl, botToken, signingSecret, platformUrl: platform.url, apiKey: platform.apiKey }
  if (!('port' in message)) return void process.send?.(where)
  const going: Promise<JourneyResult | BurstResult> = 'burst' in message ? hurry(message) : travel(message)
  going.then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.once('SIGTERM', () => void Promise.all([slack.stop(), platform.stop()]).then(() => process.exit(0)))
process.send?.({ ready: true })
