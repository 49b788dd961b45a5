import { afterEach, expect, test } from 'vitest'
import { type Calendar, startCalendar } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { ops, policyApplied } from '../support/ops.ts'
import { policyOf, type Town } from '../support/town.ts'

/* Rules of the policy file that begin to apply after their time. Times are in Seoul. */

let calendar: Calendar
let town: Town
afterEach(() => calendar.stop())

const policyFor = (times: string) =>
  policyOf(`
    roles: { viewer: [everyone], operator: ["user:U0ANA"], approver: [], admin: [] }
    endpoints: [{ match: [my-llm], schedule: ["up weekdays ${times} Asia/Seoul"] }]
`)
async function begin(times: string, name: string) {
  const endpoints = [{ id: 'ep-llm', name, active: true, replicas: 1 }]
  calendar = await startCalendar({ policy: policyFor(times), endpoints })
  town = calendar.town
  await calendar.jumpTo('mon 08:30')
  return town.slack.as('U0ANA')
}
const told = () => town.slack.transcript('ops')

test('Hours that are made longer report no missed start', async () => {
  await begin('09:00-17:00', 'my-llm')
  for (const when of ['mon 09:05', 'mon 16:51', 'mon 17:01', 'mon 19:45']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
  await policyApplied(town, policyFor('09:00-20:00'))
  for (const when of ['mon 19:47', 'mon 20:01']) await calendar.goTo(when)
  expect(told()).not.toContain('should have started')
  expect(effects(town)).toEqual(['stop'])
})

test('A rename that brings an endpoint under a schedule leads to a stop that is not called late', async () => {
  const ana = await begin('09:00-20:00', 'lab')
  for (const when of ['mon 09:05', 'mon 20:05', 'mon 22:00']) await calendar.goTo(when)
  town.platform.rename('ep-llm', 'my-llm')
  await calendar.goTo('mon 22:02')
  await ana.sees('🌙 my-llm stops', ops)
  expect(told()).not.toContain(' late')
})

test('A start is reported as missed although the platform listed its endpoint without a state meanwhile', async () => {
  await begin('09:00-17:00', 'my-llm')
  for (const when of ['mon 16:51', 'mon 17:03', 'mon 17:10']) await calendar.goTo(when)
  const fault = town.platform.faults.add('listEndpoints', { kind: 'without', field: 'is_active' })
  for (const when of ['tue 09:05', 'tue 16:51']) await calendar.goTo(when)
  expect(fault.hits()).toBeGreaterThan(0)
  fault.clear()
  for (const when of ['tue 16:55', 'tue 16:57']) await calendar.goTo(when)
  expect(told()).toContain('should have started')
})
