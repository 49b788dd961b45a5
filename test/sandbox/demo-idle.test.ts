import { afterEach, expect, onTestFinished, test } from 'vitest'
import { type Parts, startDemo } from '../../sandbox/demo/start.ts'
import { storyStart } from '../support/town.ts'

const parts: Parts = []
afterEach(async () => {
  for (const part of parts.splice(0).reverse()) await part.stop()
})

const minute = 60_000

test('An idle endpoint is announced after an hour on the fast clock and stopped an hour later', async () => {
  const { slack, platform, time } = await startDemo(parts, () => undefined, storyStart - Date.now())
  const ana = slack.as('U0ANA')
  const patiently = { timeoutMs: 60_000 }
  await ana.types('ops', '/endpoint idle embeddings after 60m')
  await ana.presses('Turn on idle stop', patiently)
  // Time waits for the question until the thread says who answered it.
  await ana.sees('Confirmed by @ana.', patiently)
  const { id = '' } = platform.endpoints().find(({ name }) => name === 'embeddings') ?? {}
  platform.traffic(id, { running: 0, waiting: 0, perMinute: 0 })
  const quietAt = time.clock.now()
  // On a busy machine the last check may come too late, and the stop is then postponed with a new warning.
  const warnings: number[] = []
  slack.on('message', ({ text, ts }) => {
    if (text.startsWith('embeddings stops ')) warnings.push(Number(ts) * 1_000)
  })

  void time.pass(Number.POSITIVE_INFINITY)
  const warning = await ana.sees(/💤 embeddings stops .*no requests for .+ on both replicas/, patiently)
  const warnedAt = Number(warning.ts) * 1_000
  // The clock runs ahead of a busy machine; `stories/idle` tests the exact times.
  expect(warnedAt - quietAt).toBeGreaterThanOrEqual(60 * minute)
  // Time does not pass the first question on its own.
  while (time.waiting() === undefined) await new Promise((resolve) => setImmediate(resolve))
  expect(time.waiting()?.goesOnAfter).toBe(undefined)
  const going = setInterval(() => {
    if (time.waiting() !== undefined) time.goOn()
  }, 20)
  onTestFinished(() => clearInterval(going))
  await ana.sees('Stopped embeddings', { timeoutMs: 120_000 })
  time.halt()
  const [stopped] = platform.changes().filter(({ endpointId }) => endpointId === id)
  expect(stopped).toMatchObject({ kind: 'stop', by: 'api' })
  expect(((stopped?.at ?? 0) - (warnings.at(-1) ?? 0)) / minute).toBeGreaterThanOrEqual(59)
  expect(slack.transcript('#ops')).not.toMatch(/keeps running: (?!I can’t tell whether it’s in use)/)
})
