import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createProducer } from '../../src/adapters/queue/jobs.ts'
import { callsOf, effects, theEnd } from '../support/ends.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

/* The stored request is the truth and the queue only wakes workers, so wake-ups may fail, get lost or repeat. */

let town: Town
afterEach(() => town.stop())

function redis(): Redis {
  const connection = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null })
  onTestFinished(() => connection.disconnect())
  return connection
}

function tag(): string {
  return `{${town.prefix}:default}`
}

/** Makes the counter of jobs no number, so that every `add` fails. */
async function everyAddFails(): Promise<void> {
  await redis().mset(`${tag()}:changes:id`, 'broken', `${tag()}:answers:id`, 'broken')
}

/** Pauses the queues: jobs are taken but never run. */
async function noJobRuns(): Promise<void> {
  for (const name of ['changes', 'answers']) {
    const queue = new Queue(name, { connection: redis(), prefix: tag() })
    await queue.pause()
    await queue.close()
  }
}

describe.each([
  ['every wake-up fails', everyAddFails],
  ['every wake-up is lost', noJobRuns],
])('When %s,', (_, lose) => {
  beforeEach(async () => {
    town = await startTown()
    await lose()
  })

  test('a start still ends', async () => {
    const ana = town.slack.as('U0ANA')
    expect(await ana.types('ops', '/endpoint start my-tts')).toBe('')
    await timePassesUntil(town, ana.sees('Started my-tts', { in: 'ops' }))
    await timePassesUntil(town, town.calm())
    expect(theEnd(town)).toContain('Started my-tts; it’s serving.')
    expect(effects(town)).toEqual(['start'])
  })

  test('a stop is still asked, confirmed and done', async () => {
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    await timePassesUntil(town, ana.sees('[Stop my-llm]', { in: 'ops' }))
    await town.slack.as('U0BEN').presses('Stop my-llm', { in: 'ops' })
    await timePassesUntil(town, ana.sees(/^Stopped my-llm\./, { in: 'ops' }))
    await timePassesUntil(town, town.calm())
    expect(theEnd(town)).toContain('Stopped my-llm.')
    expect(effects(town)).toEqual(['stop'])
  })

  test('a query is still answered', async () => {
    const cleo = town.slack.as('U0CLEO')
    await cleo.types('ops', '/endpoint status my-llm')
    await timePassesUntil(town, cleo.sees('running · 3 replicas', { in: 'ops' }))
  })

  test('an unanswered question still expires', async () => {
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    await timePassesUntil(town, ana.sees('[Stop my-llm]', { in: 'ops' }))
    await timePassesUntil(town, ana.sees('expired after 30 min', { in: 'ops' }), 3)
    expect(effects(town)).toEqual([])
  })
})

test('Repeated and concurrent wake-ups change nothing', async () => {
  town = await startTown({ platform: { startDelayMs: 60_000 } })
  const connection = redis()
  const queue = createProducer(connection, tag())
  let rung = 0
  async function ring(): Promise<void> {
    const [key = ''] = await connection.keys(`${tag()}:request:*`)
    const id = key.slice(key.lastIndexOf(':') + 1)
    rung += 1
    await Promise.all([1, 2, 3, 4, 5].map((n) => queue.wake({ id, kind: 'operation' }, `again-${rung}-${n}`)))
  }
  town.platform.onCall(ring)
  town.slack.onCall(ring)
  const second = await town.begin('worker')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await timePassesUntil(town, ana.sees(/^Started my-tts/, { in: 'ops' }))
  await timePassesUntil(town, town.calm())
  expect(rung).toBeGreaterThan(10)
  expect(theEnd(town)).toBe('Started my-tts; it’s serving.')
  expect(callsOf(town, 'startEndpoint')).toHaveLength(1)
  await second.stop()
  await queue.close()
})
