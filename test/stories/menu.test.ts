import { afterEach, beforeEach, expect, test } from 'vitest'
import { rows } from '../../src/operations/index.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
beforeEach(async () => {
  town = await startTown({ listed: true })
})
afterEach(() => town.stop())

test('/endpoint alone is a menu of everything there is', async () => {
  const ana = town.slack.as('U0ANA')
  const menu = await ana.types('ops', '/endpoint')
  for (const { name, summary } of rows.filter((row) => row.name !== 'help')) {
    expect(menu).toContain(`/endpoint ${name}`)
    expect(menu).toContain(summary)
  }
})

test('a query without words runs from the menu at once, anything else opens its form', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint')
  await ana.presses('Whoami', { in: 'ops' })
  await ana.sees('You are an operator in project default', { in: 'ops' })
  await ana.presses('Scale', { in: 'ops' })
  await ana.opens('Scale an endpoint')
  await ana.chooses('Endpoint', 'my-llm')
  await ana.chooses('Replicas', '5')
  await ana.submits()
  await ana.sees('Scale my-llm to 5?', { in: 'ops' })
})

test('/endpoint help stays text', async () => {
  const ana = town.slack.as('U0ANA')
  expect(await ana.types('ops', '/endpoint help')).toContain('What you can ask')
  expect(await ana.types('ops', '/endpoint help stop')).toContain('Stop an endpoint and release its compute.')
})
