import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTown, type Town } from '../support/town.ts'

let town: Town
beforeEach(async () => {
  town = await startTown()
})
afterEach(() => town.stop())

test('a stopped endpoint starts at once, and the card ends with the platform’s own words', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await ana.sees(/Started my-tts; it is serving\./, { in: 'ops' })
  console.log(town.slack.transcript('ops'))
  expect(town.slack.transcript('ops')).toContain('Endpoint started successfully')
})

test('an active endpoint is stopped only after somebody agreed in the thread', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm because="moving to v2"')
  await ana.sees('Stop my-llm?', { in: 'ops' })
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees(/Stopped my-llm\./, { in: 'ops' })
  await new Promise((r) => setTimeout(r, 500))
  console.log(town.slack.transcript('ops'))
  console.log(town.log())
})
