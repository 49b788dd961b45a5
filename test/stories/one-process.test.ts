import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { beforeAll, expect, inject, type TestContext, test } from 'vitest'
import { queues } from '../../src/adapters/queue/jobs.ts'
import { leaseMsFor } from '../../src/adapters/redis/requests/store.ts'
import { buildProduct } from '../support/child.ts'
import { childDuring, townDuring } from '../support/during.ts'
import { effects, theEnd } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import type { Town } from '../support/town.ts'

/* A process that is bot and worker queues and takes up requests as separate processes do. */

const timeout = 500
const lease = leaseMsFor(timeout)

beforeAll(buildProduct)

function begin(context: TestContext): Promise<Town> {
  return townDuring(context, { roles: [], listed: true, env: { PLATFORM_TIMEOUT_MS: String(timeout) } })
}

/** The ids of all finished jobs, by queue. BullMQ keeps at least a hundred events. */
async function jobsRun({ onTestFinished }: TestContext, { prefix }: Town): Promise<Readonly<Record<string, string[]>>> {
  const redis = new Redis(inject('redisUrl'))
  onTestFinished(() => redis.disconnect())
  async function run(name: string): Promise<[string, string[]]> {
    const events = await redis.xrange(`{${prefix}:default}:${name}:events`, '-', '+')
    return [name, events.flatMap(([, [, what, , id = '']]) => (what === 'completed' ? [id] : []))]
  }
  return Object.fromEntries(await Promise.all(Object.values(queues).map(run)))
}

test('A process that is bot and worker makes every line, query, form and press a job of the queue', async (context) => {
  if (inject('redisKind') === 'in-process')
    context.skip('The Redis in JavaScript drops the events that this test reads.')
  const town = await begin(context)
  await childDuring(context, town, 'all')
  const ana = town.slack.as('U0ANA')
  expect(await ana.types('ops', '/endpoint start my-tts')).toBe('')
  await ana.sees('Started my-tts; it’s serving.', { in: 'ops' })
  await asks(ana, 'status my-tts', 'running · 1 replica')
  await ana.types('ops', '/endpoint stop my-llm')
  await presses(ana, 'Stop my-llm', /^Stopped my-llm\./)
  await ana.types('ops', '/endpoint start')
  await ana.opens('Start an endpoint')
  await ana.chooses('Endpoint', 'my-llm')
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await ana.sees('Started my-llm; it’s serving.', { in: 'ops' })
  await town.calm()
  expect(effects(town)).toEqual(['start', 'stop', 'start'])
  const { changes = [], answers = [] } = await jobsRun(context, town)
  expect(changes.filter((id) => id.endsWith('-0'))).toHaveLength(3)
  expect(changes.filter((id) => /^[\w-]{22}-[\w-]{22}$/.test(id))).toHaveLength(1)
  expect(answers).toHaveLength(1)
})

test('A process killed right after taking a command leaves it to the next, which runs it once', async (context) => {
  const town = await begin(context)
  const first = await childDuring(context, town, 'all')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  first.signal('SIGKILL')
  await first.gone
  await childDuring(context, town, 'all')
  // If it was taken up already, Redis keeps the dead process's lease, because its clock does not move.
  await wait(lease)
  await timePassesUntil(town, ana.sees(/^Started my-tts/, { in: 'ops' }))
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toContain('Started my-tts')
  expect(effects(town)).toEqual(['start'])
})
