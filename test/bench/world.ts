import { performance } from 'node:perf_hooks'
import { startPlatform } from '../../sandbox/platform/start.ts'
import { startSlack } from '../../sandbox/slack/start.ts'
import { requestFor } from './command.ts'
import { openConnection } from './connection.ts'

/** Where the programs under measurement find Slack and the platform. */
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
}

export interface JourneyResult {
  /** ms from sending each command to its final message at Slack. */
  readonly endMs: readonly number[]
  readonly ackMs: readonly number[]
}

const endpoints = 8
const channels = 12_000
const patience = 15_000

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
let journeys = 0

/** Types `start` so many times, one after another, each in a channel that was never used, and waits for each end. */
async function travel({ port, count }: Journeys): Promise<JourneyResult> {
  const connection = await openConnection(port)
  const endMs: number[] = []
  const ackMs: number[] = []
  for (let turn = 0; turn < count; turn++) {
    journeys += 1
    const id = `llm-${journeys % endpoints}`
    platform.consoleStop(id)
    const channel = `C0BENCH${journeys % channels}`
    const over = finalMessageIn(channel)
    const request = requestFor({ text: `start ${id}`, channel }, slack.signingSecret, port)
    const begin = performance.now()
    const status = await connection.ask(request)
    ackMs.push(performance.now() - begin)
    if (status !== 200) throw new Error(`A command was answered ${status}.`)
    endMs.push((await over) - begin)
  }
  connection.close()
  return { endMs, ackMs }
}

/** When a message in the channel first says that the endpoint was started. */
function finalMessageIn(channel: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const look = (message: { readonly channel: string; readonly text: string }) => {
      if (message.channel !== channel || !message.text.startsWith('Started')) return
      clearTimeout(late)
      for (const end of ends) end()
      resolve(performance.now())
    }
    const late = setTimeout(() => reject(new Error(`No end was shown in time. ${slack.transcript(channel)}`)), patience)
    const ends = [slack.on('message', look), slack.on('update', look)]
  })
}

process.on('message', (message: Journeys | object) => {
  const { url: slackUrl, botToken, signingSecret } = slack
  const where: World = { slackUrl, botToken, signingSecret, platformUrl: platform.url, apiKey: platform.apiKey }
  if (!('port' in message)) return void process.send?.(where)
  travel(message).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.once('SIGTERM', () => void Promise.all([slack.stop(), platform.stop()]).then(() => process.exit(0)))
process.send?.({ ready: true })
