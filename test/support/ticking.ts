import { Redis } from 'ioredis'
import { createTicks } from '../../src/adapters/queue/ticks.ts'

/* A process that registers the ticks when it is told to, and says what it is rung up for. */

const { REDIS_URL = '', TAG = '' } = process.env
const redis = new Redis(REDIS_URL, { maxRetriesPerRequest: null })
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

process.once('message', () => {
  void createTicks(redis, TAG, log, async () => process.send?.('ticked') !== undefined).then(() =>
    process.send?.('begun'),
  )
})
process.send?.('ready')
