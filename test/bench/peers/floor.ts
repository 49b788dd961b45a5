import { WebClient } from '@slack/web-api'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import createClient from 'openapi-fetch'
import type { paths } from '../../../generated/api.ts'
import { createTransport } from '../../../src/adapters/http/transport.ts'
import { slackFetch } from '../../../src/adapters/slack/web/client.ts'
import { app, given, ready } from './bolt.ts'

// Both clients use the product's transport, which costs less than Node's `fetch`.
const transport = createTransport({ keepMs: 60_000, connectMs: 3_000, maxBytes: 1_000_000 })
const platform = createClient<paths>({
  baseUrl: given('PLATFORM_BASE_URL'),
  headers: { authorization: `Bearer ${given('PLATFORM_API_KEY')}` },
  fetch: ({ url, method, headers }) => transport.fetch(url, { method, headers }),
})
const slack = new WebClient(given('SLACK_BOT_TOKEN'), {
  slackApiUrl: given('SLACK_API_URL'),
  fetch: slackFetch(undefined),
})
const connection = new Redis(given('REDIS_URL'), { maxRetriesPerRequest: null })

/** Does only what a start requires: Bolt, a job, three calls and one message. */
async function work({ data }: { readonly data: { readonly text: string; readonly channel: string } }): Promise<void> {
  const path = { endpoint_id: data.text.split(' ')[1] ?? '' }
  const init = { params: { path }, parseAs: 'text' } as const
  await platform.GET('/endpoints/{endpoint_id}', init)
  const { data: answer } = await platform.POST('/endpoints/{endpoint_id}/start', init)
  await platform.GET('/endpoints/{endpoint_id}', init)
  await slack.chat.postMessage({ channel: data.channel, text: `Started. ${answer}` })
}

if (process.argv[2] === 'bot') {
  const queue = new Queue('floor', { connection })
  app.command('/endpoint', async ({ ack, command: { text, channel_id: channel } }) => {
    await queue.add('start', { text, channel })
    await ack()
  })
  await queue.waitUntilReady()
  await ready()
} else {
  const worker = new Worker('floor', work, { connection, concurrency: 20, removeOnComplete: { count: 0 } })
  process.once('SIGTERM', () => process.exit(0))
  worker.on('failed', (_, error) => console.error(error))
  await worker.waitUntilReady()
  console.log(JSON.stringify({ msg: 'ready' }))
}
