import { beforeAll, expect, test } from 'vitest'
import { buildProduct, startChild } from '../support/child.ts'
import { effects } from '../support/ends.ts'
import { llm, watchedPolicy } from '../support/idle.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown } from '../support/town.ts'

beforeAll(buildProduct)

const ops = { in: 'ops', timeoutMs: 25_000 } as const

test('A worker that is killed during the notice leaves it to the next one, which stops once', async ({
  onTestFinished,
}) => {
  const env = { PLATFORM_TIMEOUT_MS: '2000' }
  const town = await startTown({ roles: ['bot'], policy: watchedPolicy, watched: true, endpoints: [llm], env })
  onTestFinished(() => town.stop())
  const one = await startChild(town, 'worker')
  onTestFinished(() => one.stop())
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint idle my-llm after 60m warn=2h')
  await ana.presses('Set the idle watch of my-llm', ops)
  await town.calm()
  // Nothing but time goes by before the first look, and each step is shorter than the notice by far.
  await timePassesUntil(town, ana.sees('my-llm will be stopped', ops), 1)
  one.signal('SIGKILL')
  await one.gone
  expect(effects(town)).toEqual([])

  const other = await startChild(town, 'worker')
  onTestFinished(() => other.stop())
  await timePassesUntil(town, ana.sees('Stopped my-llm', ops), 1)
  expect(effects(town)).toEqual(['stop'])
  expect(town.slack.transcript('ops')).not.toContain('was left up')
}, 90_000)
