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
  // If the last look at the use is too old, the stop is postponed with a new warning.
  const announced: number[] = []
  slack.on('message', ({ text }) => {
    const [, at] = /^embeddings stops (.+ UTC)\./.exec(text) ?? []
    if (at !== undefined) announced.push(Date.parse(at))
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
  // The fast clock may run on before a warning is posted, but the stop keeps to the time that the warning names.
  expect(stopped?.at).toBeGreaterThanOrEqual(announced.at(-1) ?? Number.NaN)
  expect((announced.at(-1) ?? 0) - quietAt).toBeGreaterThanOrEqual(119 * minute)
  expect(slack.transcript('#ops')).not.toMatch(/keeps running: (?!usage unknown)| late\b/)
})
