import { afterEach, beforeEach, expect, test } from 'vitest'
import { effects, theEnd } from '../support/ends.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

const taken = 'Stored, but no worker is running. It’ll run when one starts.'

let town: Town
beforeEach(async () => {
  town = await startTown({ roles: ['bot'] })
})
afterEach(() => town.stop())

test('without a worker it is taken and said so, and done once one starts', async () => {
  const ana = town.slack.as('U0ANA')
  expect(await ana.types('ops', '/endpoint start my-tts')).toBe(taken)
  await town.minutesPass(29)
  expect(effects(town)).toEqual([])
  await town.begin('worker')
  await timePassesUntil(town, ana.sees(/^Started my-tts/, { in: 'ops' }), 1 / 60)
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toBe('Started my-tts; it’s serving.')
  expect(effects(town)).toEqual(['start'])
})

test('what no worker took within 30 minutes is not done any more, and its sender is told', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await town.minutesPass(31)
  await town.begin('worker')
  const said = await timePassesUntil(town, ana.sees('No worker picked this up within 30 minutes, so nothing was done.'))
  expect(said.ephemeralTo ?? said.channel).toMatch(/U0ANA|D0ANA/)
  await town.calm()
  expect(town.platform.calls()).toEqual([])
})

test('a query that no worker took is not answered late either', async () => {
  const ana = town.slack.as('U0ANA')
  expect(await ana.types('ops', '/endpoint status my-llm')).toBe(taken)
  await town.minutesPass(31)
  await town.begin('worker')
  await timePassesUntil(town, ana.sees('No worker picked this up within 30 minutes'))
  expect(town.platform.calls().filter(({ endpointId }) => endpointId !== null)).toEqual([])
})

test('the last worker leaves while a question waits: an answer is taken, and done by the next one', async () => {
  const worker = await town.begin('worker')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  await town.calm()
  await worker.stop()
  await ana.pressesRaw(button)
  expect(effects(town)).toEqual([])
  await town.begin('worker')
  await timePassesUntil(town, ana.sees(/^Stopped my-llm\./, { in: 'ops' }), 1 / 60)
  expect(effects(town)).toEqual(['stop'])
})

test.each([
  ['within half an hour', 29],
  ['after the question would have been over', 40],
])('an answer that lay for too long (%s) is no licence to begin', async (_, minutes) => {
  const worker = await town.begin('worker')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  await town.calm()
  await worker.stop()
  await ana.pressesRaw(button)
  await town.minutesPass(minutes)
  await town.begin('worker')
  await timePassesUntil(
    town,
    ana.sees(/^Stop my-llm expired\. This couldn’t start within 5 minutes of the approval/, { in: 'ops' }),
    1 / 60,
  )
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toBe(
    'Stop my-llm expired. This couldn’t start within 5 minutes of the approval, so nothing was done. Try again.',
  )
  expect(effects(town)).toEqual([])
})

test('answers that are read late count by when they were given', async () => {
  const worker = await town.begin('worker')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  await town.calm()
  await worker.stop()
  await town.slack.as('U0CLEO').pressesRaw(button)
  await town.minutesPass(31)
  await ana.pressesRaw(button)
  await town.begin('worker')
  await timePassesUntil(town, ana.sees(/Stop my-llm expired after 30 min/, { in: 'ops' }), 1 / 60)
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toBe('Stop my-llm expired after 30 min without an answer. Nothing changed.')
  expect(effects(town)).toEqual([])
})
