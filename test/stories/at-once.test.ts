import { setTimeout as wait } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { beforeAll, expect, inject, type TestContext, test } from 'vitest'
import { leaseMsFor } from '../../src/adapters/redis/requests/store.ts'
import { buildProduct, startChild } from '../support/child.ts'
import { effects, theEnd } from '../support/ends.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

/* One process that is both bot and worker takes up what it has stored by itself; the queue is for all others. */

const timeout = 500
const lease = leaseMsFor(timeout)

beforeAll(buildProduct)

async function begin({ onTestFinished }: TestContext): Promise<Town> {
  const town = await startTown({ roles: [], env: { PLATFORM_TIMEOUT_MS: String(timeout) } })
  onTestFinished(() => town.stop())
  return town
}

async function whole({ onTestFinished }: TestContext, town: Town) {
  const child = await startChild(town, 'all')
  onTestFinished(() => child.stop())
  return child
}

/** The queues of a town, where nothing is run any more. */
async function pausedQueues({ onTestFinished }: TestContext, { prefix }: Town): Promise<readonly Queue[]> {
  const connection = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null })
  const queues = ['changes', 'answers'].map((name) => new Queue(name, { connection, prefix: `{${prefix}:default}` }))
  onTestFinished(async () => {
    await Promise.all(queues.map((queue) => queue.close()))
    connection.disconnect()
  })
  await Promise.all(queues.map((queue) => queue.pause()))
  return queues
}

test('a start, a question, its answer and a query need no queue', async (context) => {
  const town = await begin(context)
  await whole(context, town)
  const queues = await pausedQueues(context, town)
  const ana = town.slack.as('U0ANA')
  expect(await ana.types('ops', '/endpoint start my-tts')).toBe('')
  await ana.sees('Started my-tts; it is serving.', { in: 'ops' })
  await ana.types('ops', '/endpoint status my-tts')
  await ana.sees('active · RUNNING · 1 replica', { in: 'ops' })
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees(/^Stopped my-llm\./, { in: 'ops' })
  expect(effects(town)).toEqual(['start', 'stop'])
  const rung = await Promise.all(queues.map((queue) => queue.getJobs(['waiting', 'active', 'completed'])))
  expect(rung.flat()).toEqual([])
})

test('killed as soon as it has said that it took a command, the next one carries it out once', async (context) => {
  const town = await begin(context)
  const first = await whole(context, town)
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  first.signal('SIGKILL')
  await first.gone
  await whole(context, town)
  // It was taken up as it was stored: Redis, whose clock does not move, keeps the lease of the dead for a while.
  await wait(lease)
  await timePassesUntil(town, ana.sees(/^Started my-tts/, { in: 'ops' }))
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toContain('Started my-tts')
  expect(effects(town)).toEqual(['start'])
})
