import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops } from '../support/ops.ts'
import type { TownOptions } from '../support/town.ts'

/* One read that does not find an endpoint, before the first call of a request. */

let calendar: Calendar
afterEach(() => calendar.stop())
const gone = { kind: 'answer', status: 404, body: { detail: 'Not found' } } as const

async function begin(options: TownOptions = {}) {
  calendar = await startCalendar(options)
  await calendar.jumpTo('mon 12:00')
  return calendar.town
}

test('A schedule’s stop survives one read that does not find the endpoint when it is due', async () => {
  const town = await begin()
  await schedule(calendar, town.slack.as('U0ANA'), 'my-llm')
  await calendar.goTo('mon 19:51')
  await town.slack.as('U0ANA').sees('🌙 my-llm stops', ops)
  await calendar.goTo('mon 19:59')
  town.platform.faults.add('getEndpointStatus', gone, 1)
  await calendar.goTo('mon 20:01')
  for (const when of ['mon 20:05', 'mon 20:20', 'mon 20:40', 'mon 22:00']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
})

test('A schedule’s start survives one read that does not find the endpoint', async () => {
  const town = await begin()
  await schedule(calendar, town.slack.as('U0ANA'), 'my-llm')
  for (const when of ['mon 19:51', 'mon 20:01', 'tue 08:59']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
  town.platform.faults.add('getEndpointStatus', gone, 1)
  await calendar.goTo('tue 09:01')
  for (const when of ['tue 09:05', 'tue 09:20', 'tue 10:00']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop', 'start'])
})

test('A question survives one read that does not find the endpoint while it waits', async () => {
  const town = await begin()
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  town.platform.faults.add('getEndpointStatus', gone, 1)
  await calendar.goTo('mon 12:10')
  expect(town.slack.transcript('ops')).not.toMatch(/Not found|no longer/)
})

test('A schedule’s stop that the platform turned away survives one read that does not find the endpoint', async () => {
  const town = await begin()
  await schedule(calendar, town.slack.as('U0ANA'), 'my-llm')
  await calendar.goTo('mon 19:51')
  await calendar.goTo('mon 19:59')
  town.platform.faults.add('stopEndpoint', { kind: 'answer', status: 503, retryAfter: '40' }, 1)
  const missed: { hits(): number }[] = []
  town.platform.onCall(({ operation, when }) => {
    if (operation === 'stopEndpoint' && when === 'before acting' && missed.length === 0)
      missed.push(town.platform.faults.add('getEndpointStatus', gone, 1))
  })
  await calendar.goTo('mon 20:01')
  for (const when of ['mon 20:02', 'mon 20:05', 'mon 20:20', 'mon 20:40', 'mon 22:00']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
})

test('A stop announced for an endpoint that is then deleted is no failure to be tried again', async () => {
  calendar = await startCalendar()
  const { town } = calendar
  await calendar.jumpTo('mon 12:00')
  await schedule(calendar, town.slack.as('U0ANA'), 'my-llm')
  await calendar.goTo('mon 19:55')
  town.platform.remove('ep-llm')
  for (const at of ['mon 20:00', 'mon 20:01', 'mon 20:03', 'mon 20:12']) await calendar.goTo(at)
  expect(town.slack.transcript('ops')).not.toMatch(/broadcast|Try again/)
})
