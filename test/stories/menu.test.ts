import { afterEach, beforeEach, expect, test } from 'vitest'
import { summaryOf } from '../../src/core/commands/help.ts'
import { includes } from '../../src/core/model/roles.ts'
import { rows } from '../../src/features/command-table.ts'
import { startTown, type Town } from '../support/town.ts'
import { english } from '../support/words.ts'

let town: Town
beforeEach(async () => {
  town = await startTown({ listed: true })
})
afterEach(() => town.stop())

test('/endpoint alone is a menu of everything an operator may ask', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint')
  const menu = JSON.stringify(await ana.sees('What would you like to do?', { in: 'ops' }))
  for (const row of rows) {
    const needed = row.needs?.({}) ?? 'operator'
    const shown = row.name !== 'help' && row.name !== 'back' && includes('operator', needed)
    if (shown) expect(menu).toContain(english(summaryOf(row)))
    else expect(menu).not.toContain(english(summaryOf(row)))
  }
})

test('who may only look is shown what can be looked at, and that there is more', async () => {
  const cleo = town.slack.as('U0CLEO')
  await cleo.types('ops', '/endpoint')
  const menu = JSON.stringify(await cleo.sees('What would you like to do?', { in: 'ops' }))
  expect(menu).toContain('List endpoints and what happens to them next.')
  expect(menu).not.toContain('Stop an endpoint')
  expect(menu).toMatch(/\d+ more commands need a role you don’t have here/)
})

test('when Slack does not say who somebody is, the menu shows nothing and says so', async () => {
  const cleo = town.slack.as('U0CLEO')
  const fault = town.slack.fault('users.info', { kind: 'hang' }, 1)
  await cleo.types('ops', '/endpoint')
  const said = JSON.stringify(await cleo.sees('I couldn’t check your role with Slack', { in: 'ops' }))
  expect(said).not.toContain('Stop an endpoint')
  expect(fault.hits()).toBe(1)
})

test('a query without words runs from the menu at once, anything else opens its form', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint')
  await ana.presses('Whoami', { in: 'ops' })
  await ana.sees('You’re an operator in project default', { in: 'ops' })
  await ana.presses('Scale', { in: 'ops' })
  await ana.opens('Scale an endpoint')
  await ana.chooses('Endpoint', 'my-llm')
  await ana.chooses('Replicas', '5')
  await ana.submits()
  await ana.sees('Scale my-llm to 5?', { in: 'ops' })
})

test('/endpoint help tells somebody without a role so, and no empty list', async () => {
  const gus = town.slack.as('U0GUS')
  const said = await gus.types('ops', '/endpoint help')
  expect(said).toContain('You don’t have a role here')
  expect(said).not.toMatch(/Commands|more commands? need/)
})

test('/endpoint help stays text', async () => {
  const ana = town.slack.as('U0ANA')
  expect(await ana.types('ops', '/endpoint help')).toContain('Commands')
  expect(await ana.types('ops', '/endpoint help stop')).toContain(
    'Stop an endpoint and release its GPUs, now or at a given time.',
  )
})
