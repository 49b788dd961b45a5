import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { ops, presses } from '../support/ops.ts'
import { policyOf } from '../support/town.ts'

/* Owners who can't be looked up for moments, or for longer than the notice of a stop. */

let calendar: Calendar
afterEach(() => calendar.stop())

const groups = `
    roles: { viewer: [everyone], operator: [user:U0ANA, group:S0OPS], approver: [user:U0BEN] }
`

test.each([0, 1, 2])(
  'An announced stop stays while one of its two owners is unsure for a moment: %s times',
  async (times) => {
    const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
    calendar = await startCalendar({ env, policy: policyOf(groups) })
    const { town } = calendar
    await calendar.jumpTo('mon 20:30')
    for (const id of ['U0DORA', 'U0ANA']) {
      const who = town.slack.as(id)
      await who.types(
        'ops',
        `/endpoint schedule my-llm up weekdays ${id === 'U0DORA' ? '08' : '09'}:00-20:00 Asia/Seoul`,
      )
      await presses(who, 'Save schedule', 'Scheduled my-llm')
      await calendar.pass(1)
    }
    for (let n = 0; n < times; n += 1) {
      const faults = ['usergroups.list', 'usergroups.users.list'].map((method) =>
        town.slack.fault(method, { kind: 'status', status: 503 }),
      )
      await calendar.pass(2)
      for (const fault of faults) fault.clear()
      await calendar.pass(1)
    }
    await calendar.goTo('mon 20:47')
    await calendar.goTo('mon 20:48')
    const early = effects(town).length
    await calendar.goTo('mon 21:20')
    expect([early, timesSaid(calendar, 'warned again'), timesSaid(calendar, 'no longer')]).toEqual([1, 0, 0])
  },
)

test('A stop announced an hour ahead is made after Slack listed no groups for longer than half an hour', async () => {
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA, group:S0OPS], approver: [user:U0BEN] }
    schedules: { notice: 60m }
`)
  calendar = await startCalendar({ env, policy })
  const { town } = calendar
  await calendar.jumpTo('mon 12:00')
  await schedule(calendar, town.slack.as('U0DORA'), 'my-llm')
  await calendar.goTo('mon 19:01')
  await town.slack.as('U0ANA').sees('🌙 my-llm stops', ops)
  const faults = ['usergroups.list', 'usergroups.users.list'].map((method) =>
    town.slack.fault(method, { kind: 'status', status: 503 }),
  )
  await calendar.pass(62)
  for (const fault of faults) fault.clear()
  await calendar.pass(3)
  for (const when of ['mon 21:08', 'mon 21:10', 'mon 21:12']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
})
