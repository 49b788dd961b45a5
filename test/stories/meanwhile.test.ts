import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTown, type Town } from '../support/town.ts'

let town: Town
beforeEach(async () => {
  town = await startTown()
})
afterEach(() => town.stop())

test('an endpoint renamed between card and press is the same endpoint, and the one that took its name is left alone', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  town.platform.rename('ep-llm', 'my-old-llm')
  await town.platform.add({ id: 'ep-new', name: 'my-llm', active: true })
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees(/Stopped my-/, { in: 'ops' })
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'ep-llm', kind: 'stop' }])
})

test('an endpoint deleted between card and press ends the request with the platform’s words', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  town.platform.remove('ep-llm')
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees(
    /Stop my-llm cancelled\. The platform’s answer about my-llm: Endpoint not found\. Nothing was done\./,
    {
      in: 'ops',
    },
  )
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('[Stop my-llm]')
})

test('a patch whose endpoint was stopped meanwhile goes on with what is left of its plan, which nobody has to agree to', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-llm port=9000')
  await ana.sees('Patch my-llm (port 9000)? It’s running with 3 replicas.', { in: 'ops' })
  town.platform.console.stop('ep-llm')
  await ana.presses('Patch my-llm', { in: 'ops' })
  await ana.sees('Patched my-llm (port 9000).', { in: 'ops' })
  expect(town.platform.changes().map(({ kind, by }) => `${by} ${kind}`)).toEqual(['console stop', 'api patch'])
})
