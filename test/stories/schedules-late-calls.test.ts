import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { policyOf } from '../support/town.ts'

/* A start or stop by hand that is decided just before a schedule's hour and reaches the platform just after it. */

let calendar: Calendar
afterEach(() => calendar.stop())

const operators = 'roles: { viewer: [everyone], operator: ["user:U0ANA", "user:U0BEN"], approver: [], admin: [] }'

async function begin(when: string, active: boolean) {
  const endpoints = [{ id: 'ep-llm', name: 'my-llm', active, replicas: 1 }]
  calendar = await startCalendar({ policy: policyOf(`\n    ${operators}\n`), endpoints })
  await calendar.goTo(when)
  return calendar.town.slack.as('U0ANA')
}

const putOff = { kind: 'answer', status: 503, retryAfter: '60' } as const

test('A start decided within the hours that the platform takes just after them is stopped, or said to be left', async () => {
  const ana = await begin('mon 11:00', true)
  const { town } = calendar
  await schedule(calendar, ana, 'my-llm')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  await calendar.goTo('mon 19:59')
  const fault = town.platform.faults.add('startEndpoint', putOff, 1)
  await ana.types('ops', '/endpoint start my-llm')
  await expect.poll(() => fault.hits()).toBe(1)
  await calendar.pass(1.5, 0.25)
  await calendar.pass(60)
  const told = town.slack.transcript('ops')
  expect(effects(town).slice(0, 2)).toEqual(['stop', 'start'])
  const isTold = /It stays running until/.test(told)
  expect([effects(town).length, isTold]).not.toEqual([2, false])
})

test('A stop decided before the hours that the platform takes just after they begin is undone, or said to be left', async () => {
  const ana = await begin('tue 08:55', true)
  const { town } = calendar
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('tue 08:59')
  expect(effects(town)).toEqual([])
  const fault = town.platform.faults.add('stopEndpoint', putOff, 1)
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await ana.presses('Stop my-llm', ops)
  await expect.poll(() => fault.hits()).toBe(1)
  await calendar.pass(1.5, 0.25)
  await calendar.pass(60)
  const told = town.slack.transcript('ops')
  expect([effects(town), /It stays stopped until/.test(told)]).not.toEqual([['stop'], false])
})

test('A planned stop whose time comes between the decision of a start and its call is made', async () => {
  const ana = await begin('mon 19:30', false)
  const { town } = calendar
  const at = new Date(town.clock.now() + 30 * 60_000).toISOString()
  await ana.types('ops', `/endpoint stop my-llm at ${at.slice(0, 16)}Z`)
  await presses(ana, 'Schedule stop', 'Scheduled')
  await calendar.pass(29)
  const fault = town.platform.faults.add('startEndpoint', putOff, 1)
  await ana.types('ops', '/endpoint start my-llm')
  await expect.poll(() => fault.hits()).toBe(1)
  await calendar.pass(1.5, 0.25)
  await calendar.pass(60)
  expect(effects(town)).toEqual(['start', 'stop'])
})

test('An announced stop that can’t be made for some minutes is made then, without another warning', async () => {
  const ana = await begin('mon 19:00', true)
  const { town } = calendar
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('mon 19:55')
  await ana.sees(/🌙 my-llm stops /, ops)
  const fault = town.platform.faults.add('stopEndpoint', { ...putOff, retryAfter: '400' }, 1)
  await calendar.goTo('mon 20:01')
  await expect.poll(() => fault.hits()).toBe(1)
  await calendar.goTo('mon 20:09')
  await ana.sees(/✅ Stopped my-llm/, ops)
  expect(town.slack.transcript('ops')).not.toMatch(/expired|Try again/)
  expect(effects(town)).toEqual(['stop'])
})

test('An announced stop whose endpoint can’t be read for some minutes is made then', async () => {
  const ana = await begin('mon 19:00', true)
  const { town } = calendar
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('mon 19:55')
  await ana.sees(/🌙 my-llm stops /, ops)
  const fault = town.platform.faults.add('getEndpointStatus', { kind: 'drop-before' })
  await calendar.goTo('mon 20:01')
  await calendar.pass(6)
  expect(fault.hits()).toBeGreaterThan(4)
  expect(effects(town)).toEqual([])
  fault.clear()
  await calendar.pass(1)
  await ana.sees(/✅ Stopped my-llm/, ops)
  expect(town.slack.transcript('ops')).not.toMatch(/expired|Try again/)
  expect(effects(town)).toEqual(['stop'])
})
