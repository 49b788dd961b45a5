import { setImmediate } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { expect, type TestContext, test } from 'vitest'
import { connectDoor, connectWorker } from '../../../src/adapters/redis/connection/connect.ts'
import { startWatched } from '../../support/replicas.ts'

/** Returns the client's listener for failovers that Sentinels report. */
function detectorOf(redis: Redis): { readonly isDisconnected: boolean; disconnect(): void } | null {
  return Reflect.get(Reflect.get(redis, 'connector'), 'failoverDetector')
}

/** Returns a client that is connected through a Sentinel and listens to it. */
async function connected(context: TestContext, connect: typeof connectWorker): Promise<Redis> {
  const watched = await startWatched()
  if (watched === null) return context.skip('there is no real Redis on this machine')
  context.onTestFinished(() => watched.stop())
  const redis = connect(watched.url, { warn: () => undefined })
  context.onTestFinished(() => redis.disconnect())
  await redis.connect()
  await expect.poll(() => detectorOf(redis)).not.toBe(null)
  return redis
}

test.for([
  ['door', connectDoor],
  ['worker', connectWorker],
] as const)('a %s survives a failover message that arrives while it reconnects', async ([, connect], context) => {
  const redis = await connected(context, connect)
  const before = detectorOf(redis)

  const connecting = new Promise((resolve) => redis.once('connecting', resolve))
  Reflect.get(redis, 'stream').destroy()
  await connecting
  // The listener does this when it hears of a failover.
  if (before?.isDisconnected === false) before.disconnect()

  await expect.poll(() => redis.ping().catch(() => redis.status)).toBe('PONG')
})

test('No listeners gather while no connection succeeds', async (context) => {
  const redis = await connected(context, connectWorker)
  const warned: string[] = []
  const note = ({ name }: Error) => void warned.push(name)
  process.on('warning', note)
  context.onTestFinished(() => void process.off('warning', note))

  const connector = Reflect.get(redis, 'connector')
  // Node warns of the eleventh listener, a moment later.
  for (let attempt = 0; attempt < 12; attempt++) (await connector.connect(() => undefined)).destroy()
  await setImmediate()
  expect(warned).not.toContain('MaxListenersExceededWarning')
})
