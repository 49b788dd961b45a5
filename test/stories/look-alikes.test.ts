import { afterEach, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

/** Looks like my-llm but has a Cyrillic у. */
const forged = 'm\u0443-llm'
const endpoints = [
  { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3 },
  { id: 'ep-forged', name: forged, active: true, replicas: 1 },
  { id: 'ep-tts', name: 'my-tts', active: true, replicas: 1 },
]

test('A card shows the id only if the name is easy to confuse with another', async () => {
  town = await startTown({ endpoints })
  const ana = town.slack.as('U0ANA')
  const says = 'Its id is ep-forged; the name is easy to confuse with another.'
  await asks(ana, `explain stop ${forged}`, `Dry run: Stop ${forged}. It’s running with 1 replica. ${says}`)
  await asks(ana, `stop ${forged}`, `Stop ${forged}? It’s running with 1 replica. ${says}`)
  await asks(ana, 'stop my-tts', '[Stop my-tts]')
  expect(town.slack.transcript('ops')).not.toMatch(/Stop my-tts.*Its id/)
  await presses(ana, `Stop ${forged}`, `Stopped ${forged}. ${says}`)
  expect(effects(town)).toEqual(['stop'])
})

test('A form’s week preview shows the id of an endpoint with a confusable name', async () => {
  town = await startTown({ endpoints, listed: true })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint schedule')
  await ana.opens('Schedule an endpoint')
  await ana.chooses('Endpoint', forged)
  await ana.chooses('State', 'Running only at these times')
  await ana.chooses('Times', 'weekdays 09:00-20:00')
  await ana.submits()
  expect(JSON.stringify((await ana.opens('Preview')).given)).toContain(`${forged} (ep-forged)`)
})

test('Near misses that look the same are offered with their ids', async () => {
  town = await startTown({ endpoints })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'stop MY-LLM', 'No endpoint is named “MY-LLM”.')
  await presses(ana, `Stop ep-forged (${forged})`, /It’s running with 1 replica\. Its id is ep-forged/)
})
