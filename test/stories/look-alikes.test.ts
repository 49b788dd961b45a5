import { afterEach, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

/** Of two that read the same the second has a Cyrillic у. */
const forged = 'm\u0443-llm'
const endpoints = [
  { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3 },
  { id: 'ep-forged', name: forged, active: true, replicas: 1 },
  { id: 'ep-tts', name: 'my-tts', active: true, replicas: 1 },
]

test('a card says which of two endpoints it means whose names look the same, and says nothing of it for any other', async () => {
  town = await startTown({ endpoints })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const says = 'Its id is ep-llm: another endpoint’s name looks the same.'
  await ana.sees(`Stop my-llm? It is active, 3 replicas. ${says}`, { in: 'ops' })
  await ana.types('ops', '/endpoint explain stop my-llm')
  await ana.sees(`It would stop my-llm. It is active, 3 replicas. ${says}`, { in: 'ops' })
  await ana.types('ops', '/endpoint stop my-tts')
  await ana.sees('[Stop my-tts]', { in: 'ops' })
  expect(town.slack.transcript('ops')).not.toMatch(/Stop my-tts.*Its id/)
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees(`Stopped my-llm. ${says}`, { in: 'ops' })
  expect(effects(town)).toEqual(['stop'])
})

test('a pick among names that look the same says the ids', async () => {
  town = await startTown({ endpoints })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop MY-LLM')
  await ana.sees('No endpoint is called exactly “MY-LLM”.', { in: 'ops' })
  await ana.presses(`Stop ep-forged (${forged})`, { in: 'ops' })
  await ana.sees(/It is active, 1 replica\. Its id is ep-forged/, { in: 'ops' })
})
