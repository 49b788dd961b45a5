import { afterEach, expect, test } from 'vitest'
import { tourThrough } from '../../sandbox/demo/tour.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

test('a restarted tour goes on past a schedule that still exists from the first time', async () => {
  town = await startTown({ endpoints: [{ name: 'code-llm', active: true }] })
  const { platform, slack } = town
  const outages = { count: () => 0, gone: () => false }
  const tour = tourThrough({ platform, slack: () => slack, outages, rest: () => undefined })
  const save = tour.steps
    .find(({ title }) => title.includes('office hours'))
    ?.acts.find(({ text }) => text.includes('Save schedule'))
  const ana = slack.as('U0ANA')
  await ana.types('ops', '/endpoint schedule code-llm up weekdays 09:00-20:00 Europe/Madrid')
  expect(save?.done?.()).toBe(false)
  await ana.presses('Save schedule', { in: 'ops' })
  await ana.sees('Scheduled code-llm', { in: 'ops' })
  expect(save?.done?.()).toBe(true)

  await town.minutesPass(1)
  tour.again()
  expect(save?.done?.()).toBe(false)
  await ana.types('ops', '/endpoint schedule code-llm up weekdays 09:00-20:00 Europe/Madrid')
  await ana.sees('code-llm already has this rule.', { in: 'ops' })
  expect(save?.done?.()).toBe(true)
})
