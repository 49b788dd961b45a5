import { afterEach, expect, test } from 'vitest'
import { tourThrough } from '../../sandbox/demo/tour.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

const key = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const approvals = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA], approver: [user:U0BEN] }
    matrix: { disruptive: { active: approval } }`)

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

test('a request that was declined is typed again, and only an approval counts as one', async () => {
  town = await startTown({ endpoints: [{ name: 'chat-llm', active: true }], policy: approvals, env: key })
  const { platform, slack } = town
  const outages = { count: () => 0, gone: () => false }
  const tour = tourThrough({ platform, slack: () => slack, outages, rest: () => undefined })
  const [typed, , bens] = tour.steps.find(({ title }) => title.includes('approval'))?.acts ?? []
  const done = () => [typed?.done?.(), bens?.done?.()]
  const [ana, ben] = [slack.as('U0ANA'), slack.as('U0BEN')]
  expect(done()).toEqual([false, false])
  await ana.types('ops', '/endpoint stop chat-llm')
  await ben.presses('Decline…', { in: 'ops' })
  expect(done()).toEqual([true, false])
  await ben.types('ops', '/endpoint decline chat-llm')
  await ben.sees('declined', { in: 'ops' })
  await expect.poll(done).toEqual([false, false])
  await town.minutesPass(1)
  await ana.types('ops', '/endpoint stop chat-llm')
  await ben.presses('Approve: Stop chat-llm', { in: 'ops' })
  await expect.poll(done).toEqual([true, true])
})
