import { setImmediate } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { connectDoor, connectWorker } from '../../../src/adapters/redis/connection/connect.ts'
import { startWatched } from '../../support/replicas.ts'

/** Returns the client's listener for failovers that Sentinels report. */
function detectorOf(redis: Redis): { readonly isDisconnected: boolean; disconnect(): void } | null {
  return Reflect.get(Reflect.get(redis, 'connector'), 'failoverDetector')
}

test.each([
  ['door', connectDoor],
  ['worker', connectWorker],
])('a %s survives a failover message that arrives while it reconnects', async (_, connect) => {
  const watched = await startWatched()
  if (watched === null) return
  onTestFinished(() => watched.stop())
  const redis = connect(watched.url, { warn: () => undefined })
  onTestFinished(() => redis.disconnect())
  await redis.connect()
  await expect.poll(() => detectorOf(redis)).not.toBe(null)
  const before = detectorOf(redis)

  const connecting = new Promise((resolve) => redis.once('connecting', resolve))
  Reflect.get(redis, 'stream').destroy()
  await connecting
  // The listener does this when it hears of a failover.
  if (before?.isDisconnected === false) before.disconnect()

  await expect.poll(() => redis.ping().catch(() => redis.status)).toBe('PONG')
})

test('No listeners gather while no connection succeeds', async () => {
  const watched = await startWatched()
  if (watched === null) return
  onTestFinished(() => watched.stop())
  const redis = connectWorker(watched.url, { warn: () => undefined })
  onTestFinished(() => redis.disconnect())
  await redis.connect()
  await expect.poll(() => detectorOf(redis)).not.toBe(null)
  const warned: string[] = []
  const note = ({ name }: Error) => void warned.push(name)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))

  const connector = Reflect.get(redis, 'connector')
  // Node warns of the eleventh listener, a moment later.
  for (let attempt = 0; attempt < 12; attempt++) (await connector.connect(() => undefined)).destroy()
  await setImmediate()
  expect(warned).not.toContain('MaxListenersExceededWarning')
})
