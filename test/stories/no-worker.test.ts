import { afterEach, beforeEach, expect, test } from 'vitest'
import { effects, theEnd } from '../support/ends.ts'
import { presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

const taken = 'Stored, but no worker is running. It’ll run when one starts.'

let town: Town
beforeEach(async () => {
  town = await startTown({ roles: ['bot'] })
})
afterEach(() => town.stop())

test('A command without a worker is stored, says so, and runs when a worker starts', async () => {
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

test.each([
  [
    'start my-tts',
    /^start my-tts: failed\. No worker picked this up within 30 minutes, so nothing was done\..*\[Try again\]/s,
  ],
  ['status my-llm', /^No worker picked this up within 30 minutes, so nothing was done\..*\[Try again\]/s],
])('%s that no worker takes within 30 min is not run late', async (line, told) => {
  const ana = town.slack.as('U0ANA')
  expect(await ana.types('ops', `/endpoint ${line}`)).toBe(taken)
  await town.minutesPass(31)
  await town.begin('worker')
  const said = await timePassesUntil(town, ana.sees(told))
  expect(said.ephemeralTo ?? said.channel).toMatch(/U0ANA|D0ANA/)
  await town.calm()
  expect(town.platform.calls()).toEqual([])
})

test('A command that comes right after the last worker has left says so', async () => {
  const worker = await town.begin('worker')
  await town.calm()
  await worker.stop()
  expect(await town.slack.as('U0ANA').types('ops', '/endpoint start my-tts')).toBe(taken)
})

/** ana requests a stop, and then the last worker leaves. Returns the button of the question. */
async function askedAndLeft() {
  const worker = await town.begin('worker')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  await town.calm()
  await worker.stop()
  return { ana, button }
}

test('An answer given after the last worker has left is carried out by the next worker', async () => {
  const { ana, button } = await askedAndLeft()
  await ana.pressesRaw(button)
  expect(effects(town)).toEqual([])
  await town.begin('worker')
  await timePassesUntil(town, ana.sees(/^Stopped my-llm\./, { in: 'ops' }), 1 / 60)
  expect(effects(town)).toEqual(['stop'])
})

test.each([
  ['within half an hour', 29],
  ['after the question would have been over', 40],
])('An answer that waited too long for a worker (%s) does not start anything', async (_, minutes) => {
  const { ana, button } = await askedAndLeft()
  await ana.pressesRaw(button)
  await town.minutesPass(minutes)
  await town.begin('worker')
  await timePassesUntil(town, ana.sees(/^Stop my-llm expired\. This couldn’t start in time/, { in: 'ops' }), 1 / 60)
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toBe('Stop my-llm expired. This couldn’t start in time, so nothing was done. Try again.')
  expect(effects(town)).toEqual([])
  await presses(ana, 'Try again', 'You can confirm here.')
})

test('A late answer counts from when it was given', async () => {
  const { ana, button } = await askedAndLeft()
  await town.slack.as('U0CLEO').pressesRaw(button)
  await town.minutesPass(31)
  await ana.pressesRaw(button)
  await town.begin('worker')
  await timePassesUntil(town, ana.sees(/Stop my-llm expired after 30 min/, { in: 'ops' }), 1 / 60)
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toBe('Stop my-llm expired after 30 min without an answer. Nothing changed.')
  expect(effects(town)).toEqual([])
})
