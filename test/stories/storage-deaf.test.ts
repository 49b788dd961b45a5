import { afterEach, beforeEach, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
beforeEach(async () => {
  town = await startTown({ wired: true })
})
afterEach(() => town.stop())

test('Redis connections that go silent without closing are replaced within seconds', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  await town.calm()
  town.wires.redis.deafen()
  expect(await ana.types('ops', '/endpoint start my-tts')).toContain('I’m not sure this was stored.')

  await expect.poll(() => ana.types('ops', '/endpoint start my-tts'), { interval: 500 }).toBe('')
  await ana.pressesRaw(button)
  await ana.sees(/^Stopped my-llm\./, { in: 'ops', timeoutMs: 25_000 })
  await timePassesUntil(town, town.calm())
  expect([...effects(town)].toSorted()).toEqual(['start', 'stop'])
})
