import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { callsOf, effects, theEnd } from '../support/ends.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

const nothing = 'Nothing was done. I can’t reach my storage. Try again in a minute.'
const perhaps = 'I’m not sure this was stored. If no card appears within a minute, nothing was done.'

let town: Town
beforeEach(async () => {
  // Slack itself would wait 3 s for an answer.
  town = await startTown({ wired: true, slack: { ackTimeoutMs: 2_500 } })
})
afterEach(() => town.stop())

/** How many requests have been stored. */
async function stored(): Promise<number> {
  const redis = new Redis(inject('redisUrl'))
  onTestFinished(() => redis.disconnect())
  return (await redis.keys(`{${town.prefix}:default}:request:*`)).length
}

/** Some minutes in which everything that still can happen does. */
async function later(): Promise<void> {
  await wait(1_500)
  await town.minutesPass(2)
  await timePassesUntil(town, town.calm())
}

test('storage is away at the moment of a command: the person is told at once, and nothing ever comes of it', async () => {
  const ana = town.slack.as('U0ANA')
  await town.wires.redis.cut()
  // Until the bot has noticed, it can only say that it is not sure.
  await expect.poll(() => town.log()).toContain('Redis cannot be reached')
  expect(await ana.types('ops', '/endpoint start my-tts')).toBe(nothing)
  await town.wires.redis.pass()
  await later()
  expect(await stored()).toBe(0)
  expect(town.platform.calls()).toEqual([])

  expect(await ana.types('ops', '/endpoint start my-tts')).toBe('')
  await ana.sees('Started my-tts', { in: 'ops' })
})

test('storage freezes at the moment of a command: what thaws too late stores nothing', async () => {
  town.wires.redis.hold()
  expect(await town.slack.as('U0ANA').types('ops', '/endpoint start my-tts')).toBe(perhaps)
  await town.wires.redis.pass()
  await later()
  expect(await stored()).toBe(0)
  expect(town.platform.calls()).toEqual([])
})

test('only the answer of the storage is late: the person is told that it is not sure, and it is done once', async () => {
  const ana = town.slack.as('U0ANA')
  town.wires.redis.hold('replies')
  expect(await ana.types('ops', '/endpoint start my-tts')).toBe(perhaps)
  await town.wires.redis.pass()
  await timePassesUntil(town, ana.sees('Started my-tts', { in: 'ops' }))
  await later()
  expect(await stored()).toBe(1)
  expect(effects(town)).toEqual(['start'])
})

test('the answer of the storage is lost: it is stored once, done once, and nobody notices', async () => {
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

test('a press while storage is away does nothing, says so, and can be made again', async () => {
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
] as const)('storage goes away in the middle of a call (%s) and comes back: one effect, one end', async (_, moment) => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  let cuts = 0
  town.platform.onCall(async ({ operation, when }) => {
    if (operation !== 'stopEndpoint' || when !== moment) return
    cuts += 1
    await town.wires.redis.cut()
    setTimeout(() => void town.wires.redis.pass(), 1_500)
  })
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees('Stopped my-llm.', { in: 'ops' })
  await later()
  expect(cuts).toBe(1)
  expect(theEnd(town)).toBe('Stopped my-llm.')
  expect(effects(town)).toEqual(['stop'])
})

test('storage answers slowly all the time: everything goes its way', async () => {
  town.wires.redis.delay(30)
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees('Stopped my-llm.', { in: 'ops' })
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toBe('Stopped my-llm.')
  expect(callsOf(town, 'stopEndpoint')).toHaveLength(1)
})
