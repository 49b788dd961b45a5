import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { callsOf, effects, theEnd } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

const nothing = 'Nothing was done. I can’t reach my storage. Try again in a minute.'
const perhaps = 'I’m not sure this was stored. If no card appears within a minute, nothing was done.'

let town: Town
beforeEach(async () => {
  // Slack itself waits 3 s for an answer.
  town = await startTown({ wired: true, slack: { ackTimeoutMs: 2_500 } })
})
afterEach(() => town.stop())

/** Returns how many requests are stored. */
async function stored(): Promise<number> {
  const redis = new Redis(inject('redisUrl'))
  onTestFinished(() => redis.disconnect())
  return (await redis.keys(`{${town.prefix}:default}:request:*`)).length
}

/** Lets two minutes pass, so that everything that can still happen happens. */
async function later(): Promise<void> {
  await wait(1_500)
  await town.minutesPass(2)
  await timePassesUntil(town, town.calm())
}

test('A command while the storage is down says so at once and is never carried out', async () => {
  const ana = town.slack.as('U0ANA')
  await town.wires.redis.cut()
  // Until the bot has noticed, it can only say that it isn't sure.
  await expect.poll(() => town.log()).toContain('Redis cannot be reached')
  expect(await ana.types('ops', '/endpoint start my-tts')).toBe(nothing)
  expect(town.log()).not.toContain('Redis can be reached again')
  await town.wires.redis.pass()
  await expect.poll(() => town.log()).toContain('Redis can be reached again')
  await later()
  expect(await stored()).toBe(0)
  expect(town.platform.calls()).toEqual([])

  expect(await ana.types('ops', '/endpoint start my-tts')).toBe('')
  await ana.sees('Started my-tts', { in: 'ops' })
})

test('A command that frozen storage takes too late is not stored', async () => {
  town.wires.redis.hold()
  expect(await town.slack.as('U0ANA').types('ops', '/endpoint start my-tts')).toBe(perhaps)
  await town.wires.redis.pass()
  await later()
  expect(await stored()).toBe(0)
  expect(town.platform.calls()).toEqual([])
})

test('A late answer of the storage makes the bot say that it isn’t sure, and the command runs once', async () => {
  const ana = town.slack.as('U0ANA')
  town.wires.redis.hold('replies')
  expect(await ana.types('ops', '/endpoint start my-tts')).toBe(perhaps)
  await town.wires.redis.pass()
  await timePassesUntil(town, ana.sees('Started my-tts', { in: 'ops' }))
  await later()
  expect(await stored()).toBe(1)
  expect(effects(town)).toEqual(['start'])
})

test('A lost answer of the storage goes unnoticed: the command is stored and run once', async () => {
  const ana = town.slack.as('U0ANA')
  const lost = town.wires.redis.loseReply(1, '"status":"received"')
  const said = await ana.types('ops', '/endpoint start my-tts')
  await lost
  expect(['', perhaps]).toContain(said)
  await timePassesUntil(town, ana.sees('Started my-tts', { in: 'ops' }))
  await later()
  expect(await stored()).toBe(1)
  expect(effects(town)).toEqual(['start'])
})

test('A press while the storage is down does nothing, says so, and can be repeated', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  await town.wires.redis.cut()
  await expect.poll(() => town.log()).toContain('Redis cannot be reached')
  await ana.pressesRaw(button)
  await ana.sees(nothing, { in: 'ops' })
  await town.wires.redis.pass()
  await later()
  expect(effects(town)).toEqual([])
  expect(town.slack.transcript('ops')).toContain('[Stop my-llm]')
  await ana.pressesRaw(button)
  await ana.sees('Stopped my-llm.', { in: 'ops' })
})

test.each([
  ['before the platform acts', 'before acting'],
  ['before the platform answers', 'before answering'],
] as const)('A short outage during a call (%s) leaves one effect and one outcome', async (_, moment) => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  let cuts = 0
  town.platform.onCall(async ({ operation, when }) => {
    if (operation !== 'stopEndpoint' || when !== moment) return
    cuts += 1
    await town.wires.redis.cut()
    setTimeout(() => void town.wires.redis.pass(), 1_500)
  })
  await presses(ana, 'Stop my-llm', 'Stopped my-llm.')
  await later()
  expect(cuts).toBe(1)
  expect(theEnd(town)).toBe('Stopped my-llm.')
  expect(effects(town)).toEqual(['stop'])
})

test('Everything works with slow storage', async () => {
  town.wires.redis.delay(30)
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm.')
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toBe('Stopped my-llm.')
  expect(callsOf(town, 'stopEndpoint')).toHaveLength(1)
})
