import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops, policyApplied, presses } from '../support/ops.ts'
import { policyOf, type Town } from '../support/town.ts'

/* Rules of an owner whom Slack can't look up, because it lists no user groups. */

let calendar: Calendar
let town: Town
afterEach(() => calendar.stop())

async function begin(policy?: string): Promise<void> {
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  calendar = await startCalendar({ env, ...(policy !== undefined && { policy }) })
  town = calendar.town
  await calendar.jumpTo('mon 12:00')
}

async function goTo(...times: readonly string[]): Promise<void> {
  for (const time of times) await calendar.goTo(time)
}

/** Returns what ends the outage. */
function hideGroups(): () => void {
  const faults = ['usergroups.list', 'usergroups.users.list'].map((method) =>
    town.slack.fault(method, { kind: 'status', status: 503 }),
  )
  return () => {
    for (const fault of faults) fault.clear()
  }
}

/** Operators are named one by one. Only the approvers are a group. */
const team = (operators: string) =>
  policyOf(`
    roles: { viewer: [everyone], operator: [${operators}], approver: [group:S0OPS] }
    endpoints: [{ match: ["my-llm"], schedule: ["up weekdays 09:00-18:00 Asia/Seoul"] }]
`)

test.each([
  ['a former operator', 'is no longer an operator here'],
  ['somebody who can’t be looked up', 'can’t check with Slack whether @ana is still an operator'],
])('The team’s schedule stops an endpoint while the rule of %s is paused', async (whose, said) => {
  await begin(team('user:U0ANA, user:U0BEN'))
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint schedule my-llm up weekdays 09:00-22:00 Asia/Seoul')
  await presses(ana, 'Save schedule', 'Scheduled my-llm')
  await calendar.rest()
  if (whose !== 'a former operator') hideGroups()
  await policyApplied(town, team('user:U0BEN'))
  await goTo('mon 13:00', 'mon 17:52', 'mon 18:02', 'mon 22:02', 'mon 22:13', 'tue 03:00')
  expect([effects(town), timesSaid(calendar, said)]).toEqual([['stop'], 1])
})

test('A rule whose owner can’t be looked up for half an hour rests, says so, and goes on afterwards', async () => {
  await begin()
  await schedule(calendar, town.slack.as('U0DORA'), 'my-llm')
  const show = hideGroups()
  const said = 'can’t check with Slack whether @dora is still an operator, so these rules are paused'
  await goTo('mon 12:10')
  expect(timesSaid(calendar, said)).toBe(0)
  await goTo('mon 13:00', 'mon 19:52', 'mon 20:02', 'mon 22:02')
  expect([timesSaid(calendar, said), effects(town)]).toEqual([1, []])
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint schedules')
  await ana.sees('paused: Slack doesn’t confirm that its owner is an operator here', ops)
  show()
  await goTo('mon 22:10', 'mon 22:25')
  expect([timesSaid(calendar, said), effects(town)]).toEqual([1, ['stop']])
})

test.each(['readable', 'unreadable'])('A notice is withdrawn once the endpoint is kept: groups %s', async (groups) => {
  await begin()
  await schedule(calendar, town.slack.as('U0DORA'), 'my-llm')
  await goTo('mon 19:52')
  if (groups === 'unreadable') hideGroups()
  await goTo('mon 19:54')
  await presses(town.slack.as('U0BEN'), 'Keep 1 h', 'Kept my-llm running')
  await goTo('mon 19:57')
  expect(town.slack.transcript('ops')).not.toContain('🌙 my-llm stops')
})

async function untilAStopWaits() {
  await begin()
  await schedule(calendar, town.slack.as('U0DORA'), 'my-llm')
  await goTo('mon 19:58')
  hideGroups()
  await goTo('mon 19:59', 'mon 20:00')
  return town.slack.as('U0ANA')
}

test('An operator can stop an endpoint while a rule’s stop waits for Slack', async () => {
  const ana = await untilAStopWaits()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  await goTo('mon 20:01', 'mon 20:05', 'mon 20:30')
  expect(effects(town)).toEqual(['stop'])
  expect(town.slack.transcript('ops')).not.toMatch(/already has an open request|⏳/)
})

test('Who starts an endpoint while a rule’s stop waits for Slack is offered to keep it running', async () => {
  const ana = await untilAStopWaits()
  await asks(ana, 'start my-llm', '[Keep 1 h]')
  await presses(ana, 'Keep 1 h', 'Paused automation for my-llm')
  await goTo('mon 20:01', 'mon 20:05', 'mon 20:30')
  expect(effects(town)).toEqual([])
})

test('A run of somebody in a group is not ended by the team’s schedule while Slack lists no groups', async () => {
  await begin(team('user:U0ANA, group:S0OPS'))
  const dora = town.slack.as('U0DORA')
  await dora.types('ops', '/endpoint schedule my-llm up daily 08:00-23:00 Asia/Seoul')
  await presses(dora, 'Save schedule', 'Scheduled my-llm')
  await calendar.rest()
  await goTo('mon 17:00')
  const show = hideGroups()
  await goTo('mon 17:10', 'mon 17:45', 'mon 17:52', 'mon 18:02', 'mon 18:10', 'mon 19:00')
  show()
  await goTo('mon 19:10', 'mon 19:30')
  expect(effects(town)).toEqual([])
})

test('A stop that was announced before Slack listed no groups for a while is made afterwards', async () => {
  await begin()
  await schedule(calendar, town.slack.as('U0DORA'), 'my-llm')
  await calendar.goTo('mon 19:51')
  await town.slack.as('U0ANA').sees('🌙 my-llm stops', ops)
  await calendar.goTo('mon 19:54')
  const show = hideGroups()
  await calendar.pass(28)
  show()
  await calendar.pass(20)
  expect([effects(town), timesSaid(calendar, 'Gave up')]).toEqual([['stop'], 0])
})

test('Of two owners whose hours end, the unsure one has the later hours, and Slack recovers in time', async () => {
  await begin(
    policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA, group:S0OPS], approver: [user:U0BEN] }
`),
  )
  const dora = town.slack.as('U0DORA')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint schedule my-llm up weekdays 09:00-18:00 Asia/Seoul')
  await presses(ana, 'Save schedule', 'Scheduled my-llm')
  await calendar.rest()
  await dora.types('ops', '/endpoint schedule my-llm up weekdays 12:00-20:00 Asia/Seoul')
  await presses(dora, 'Save schedule', 'Scheduled my-llm')
  await calendar.rest()
  await calendar.goTo('mon 19:46')
  const show = hideGroups()
  await calendar.pass(27)
  show()
  await calendar.pass(25)
  const lost = timesSaid(calendar, 'no longer has the operator role')
  expect([effects(town), timesSaid(calendar, 'Gave up'), lost]).toEqual([['stop'], 0, 0])
})

test('The team’s start that failed is tried again, whatever Slack says of the owner of another endpoint’s rule', async () => {
  await begin(team('user:U0ANA, group:S0OPS'))
  await schedule(calendar, town.slack.as('U0DORA'), 'my-tts')
  await goTo('mon 17:52', 'mon 18:02', 'mon 19:52', 'mon 20:02', 'tue 08:50')
  hideGroups()
  town.platform.faults.add('startEndpoint', { kind: 'answer', status: 400, body: { detail: 'No GPU left' } }, 1)
  await goTo('tue 09:01', 'tue 09:02', 'tue 09:04', 'tue 09:06', 'tue 09:20')
  expect(effects(town).at(-1)).toBe('start')
})

test('While a rule rests because Slack can’t confirm its owner, status promises no stop by it', async () => {
  await begin()
  await schedule(calendar, town.slack.as('U0DORA'), 'my-llm')
  hideGroups()
  await goTo('mon 12:10', 'mon 13:00')
  const ana = town.slack.as('U0ANA')
  await ana.sees('so these rules are paused', ops)
  expect((await asks(ana, 'status my-llm', /Changed \d/)).text).not.toContain('stops in')
  expect((await asks(ana, 'schedules my-llm', 'paused: Slack doesn’t confirm')).text).not.toContain('then stops')
})
