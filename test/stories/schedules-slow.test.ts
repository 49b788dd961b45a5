import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { policyOf, type TownOptions } from '../support/town.ts'

/* The time of a rule comes, or a rule is made, while a start or stop is under way. */

let calendar: Calendar
afterEach(() => calendar.stop())

const operators = 'roles: { viewer: [everyone], operator: ["user:U0ANA", "user:U0BEN"], approver: [], admin: [] }'
const slow = { startDelayMs: 8 * 60_000 }

async function begin(
  when: string,
  active: boolean,
  { policy = policyOf(`\n    ${operators}\n`), ...more }: TownOptions = {},
) {
  const endpoints = [{ id: 'ep-llm', name: 'my-llm', active, replicas: 1, tags: ['team-a'] }]
  calendar = await startCalendar({ policy, endpoints, ...more })
  await calendar.goTo(when)
  return { ana: calendar.town.slack.as('U0ANA'), ben: calendar.town.slack.as('U0BEN') }
}

/** Makes the platform answer the next stop after five seconds. */
function slowStop(): void {
  calendar.town.platform.faults.add('stopEndpoint', { kind: 'delay-after', ms: 5_000 }, 1)
}

test('A planned stop whose time comes while a start by hand is still loading is made', async () => {
  const { ana, ben } = await begin('mon 17:30', false, { platform: slow })
  const at = new Date(calendar.town.clock.now() + 30 * 60_000).toISOString()
  await ben.types('ops', `/endpoint stop my-llm at ${at.slice(0, 16)}Z`)
  await presses(ben, 'Schedule stop', 'Scheduled')
  await calendar.pass(25)
  await asks(ana, 'start my-llm', 'Starting my-llm')
  await calendar.pass(45)
  expect(effects(calendar.town)).toEqual(['start', 'stop'])
})

test('A start within the hours of a schedule that is loaded only after them does not run all night', async () => {
  const { ana } = await begin('mon 11:00', true, { platform: slow })
  await schedule(calendar, ana, 'my-llm')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  await calendar.goTo('mon 19:40')
  await calendar.pass(15)
  await asks(ana, 'start my-llm', 'Starting my-llm')
  await calendar.pass(45)
  expect(effects(calendar.town)).toEqual(['stop', 'start', 'stop'])
})

test.each(['a person', 'a schedule'])(
  'A run that is asked for while a stop by %s is under way is started',
  async (who) => {
    const { ana, ben } = await begin('mon 11:00', true)
    if (who === 'a schedule') {
      await schedule(calendar, ana, 'my-llm')
      await calendar.goTo('mon 19:40')
      await calendar.pass(19)
      slowStop()
      await calendar.town.minutesPass(1.1)
    } else {
      slowStop()
      await asks(ana, 'stop my-llm', '[Stop my-llm]')
      await ana.presses('Stop my-llm', ops)
    }
    await expect.poll(() => effects(calendar.town)).toEqual(['stop'])
    await asks(ben, 'start my-llm for 2h', 'Starting my-llm until')
    await calendar.town.minutesPass(0.1)
    await ana.sees('Stopped my-llm', ops)
    await calendar.pass(12)
    expect(effects(calendar.town)).toEqual(['stop', 'start'])
  },
)

test.each(['my-llm', 'tag:team-a'])('A stop by hand within the hours of a schedule for %s is left', async (match) => {
  const schedules = `endpoints: [{ match: ["${match}"], schedule: ["up weekdays 09:00-20:00 Asia/Seoul"] }]`
  const policy = policyOf(`\n    ${operators}\n    ${schedules}\n`)
  // A Sunday: on a weekday the endpoint might be started before the clock is moved.
  const { ana } = await begin('mon 08:20', false, { policy, at: '2026-11-22T10:00:00Z' })
  await asks(ana, 'start my-llm for 3h', 'Started my-llm to run until')
  for (const when of ['mon 08:40', 'mon 09:02', 'mon 09:10', 'mon 10:00']) await calendar.goTo(when)
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  await calendar.pass(12)
  expect(effects(calendar.town)).toEqual(['start', 'stop'])
})
