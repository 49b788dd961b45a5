import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { app, given, ready } from './bolt.ts'

const connection = new Redis(given('REDIS_URL'), { maxRetriesPerRequest: 1 })
const queue = new Queue('commands', { connection })

/** Acknowledges a command once it is queued: the least that does not lose it. */
app.command('/endpoint', async ({ ack, command }) => {
  await queue.add('command', { text: command.text, channel: command.channel_id, user: command.user_id })
  await ack()
})

await queue.waitUntilReady()
await ready()
