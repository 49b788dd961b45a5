import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, policyApplied, presses } from '../support/ops.ts'
import { policyOf } from '../support/town.ts'

/* A window of a `down` rule during which no worker ran. Times are in Seoul. */

let calendar: Calendar
afterEach(() => calendar.stop())

// The last look before the outage, and the first one after it.
test.each([
  ['before its notice', 'mon 18:00', 'tue 09:00'],
  ['after its notice', 'mon 21:52', 'tue 09:00'],
])('A missed stop of a schedule that only stops is reported: outage %s', async (_, last, next) => {
  calendar = await startCalendar({ roles: ['bot'] })
  const { town } = calendar
  const ana = town.slack.as('U0ANA')
  let worker = await town.begin('worker')
  await calendar.jumpTo('mon 12:00')
  await ana.types('ops', '/endpoint schedule my-llm down daily 22:00-06:00 Asia/Seoul')
  await presses(ana, 'Save schedule', 'Scheduled')
  await calendar.rest()
  await calendar.goTo(last)
  await worker.stop()
  await calendar.jumpTo(next)
  worker = await town.begin('worker')
  await calendar.rest()
  await calendar.goTo('tue 09:30')
  await calendar.goTo('tue 12:00')
  expect(effects(town)).toEqual([])
  expect(timesSaid(calendar, 'should have been stopped')).toBe(1)
})

test('The missed end of a run is reported although a schedule that only stops was missed after it', async () => {
  calendar = await startCalendar({ roles: ['bot'] })
  const { town } = calendar
  const ana = town.slack.as('U0ANA')
  const worker = await town.begin('worker')
  await calendar.jumpTo('mon 12:00')
  await ana.types('ops', '/endpoint schedule my-tts down daily 22:00-06:00 Asia/Seoul')
  await presses(ana, 'Save schedule', 'Scheduled')
  await calendar.rest()
  await asks(ana, 'start my-tts for 2h', 'Started my-tts to run until')
  await calendar.goTo('mon 13:00')
  await worker.stop()
  await calendar.jumpTo('tue 07:00')
  await town.begin('worker')
  await calendar.rest()
  await calendar.goTo('tue 09:30')
  expect(effects(town)).toEqual(['start'])
  // It runs on, which somebody has to be told.
  expect(timesSaid(calendar, 'should have been stopped') + timesSaid(calendar, 'is still running')).toBe(1)
})

test.each([
  ['stop my-llm at 5h', 'Scheduled a stop of my-llm'],
  ['start my-tts for 2h', 'Started my-tts to run until'],
])('The stop of “%s”, missed for more than a day, is reported once', async (line, done) => {
  calendar = await startCalendar({ roles: ['bot'] })
  const { town } = calendar
  const ana = town.slack.as('U0ANA')
  const worker = await town.begin('worker')
  await calendar.jumpTo('mon 12:00')
  await ana.types('ops', `/endpoint ${line}`)
  if (line.startsWith('stop')) await ana.presses('Schedule stop', { in: 'ops' })
  await ana.sees(done, { in: 'ops' })
  await calendar.goTo('mon 13:00')
  await worker.stop()
  await calendar.jumpTo('wed 07:00')
  await town.begin('worker')
  await calendar.rest()
  await calendar.goTo('wed 07:30')
  expect(timesSaid(calendar, 'should have been stopped') + timesSaid(calendar, 'is still running')).toBe(1)
})

test('A rule made minutes before its window ends was not missed', async () => {
  calendar = await startCalendar()
  const { town } = calendar
  const ana = town.slack.as('U0ANA')
  await calendar.jumpTo('mon 12:00')
  await ana.types('ops', '/endpoint schedule my-llm down daily 22:00-06:00 Asia/Seoul')
  await presses(ana, 'Save schedule', 'Scheduled')
  await calendar.rest()
  await asks(ana, 'unschedule my-llm', /Removed|removed/)
  await calendar.goTo('mon 13:00')
  await calendar.goTo('tue 05:00')
  await calendar.jumpTo('tue 05:55')
  await ana.types('ops', '/endpoint schedule my-llm down daily 22:00-06:00 Asia/Seoul')
  await ana.presses('Save schedule', { in: 'ops' })
  await calendar.rest()
  await calendar.goTo('tue 06:10')
  expect(timesSaid(calendar, 'couldn’t check the schedules')).toBe(0)
})

test('What the first rule after days without rules wanted before it was made is not missed', async () => {
  const roles = `
    roles: { viewer: [everyone], operator: [user:U0ANA], approver: [user:U0BEN] }`
  const rule = `${roles}
    endpoints: [{ match: ["my-llm"], schedule: ["down daily 22:00-06:00 Asia/Seoul"] }]
`
  calendar = await startCalendar({
    policy: policyOf(rule),
    env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') },
  })
  const { town } = calendar
  await calendar.rest()
  await policyApplied(town, policyOf(roles))
  await calendar.goTo('mon 13:00')
  await calendar.goTo('tue 12:00')
  await policyApplied(town, policyOf(rule))
  await town.minutesPass(1)
  await calendar.rest()
  expect(timesSaid(calendar, 'couldn’t check the schedules')).toBe(0)
})

test('A running endpoint is not said to have missed a start', async () => {
  calendar = await startCalendar({ roles: ['bot'] })
  const { town } = calendar
  const ana = town.slack.as('U0ANA')
  const worker = await town.begin('worker')
  await calendar.jumpTo('mon 12:00')
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('mon 21:00')
  await worker.stop()
  await calendar.jumpTo('wed 08:00')
  town.platform.faults.add('listEndpoints', { kind: 'without', field: 'is_active' }, 3)
  await town.begin('worker')
  await calendar.rest()
  await calendar.goTo('wed 08:05')
  expect(timesSaid(calendar, 'should have been started')).toBe(0)
})

test('A start that the policy file wants and refuses is given up with the reason, and no one is asked for nobody', async () => {
  const refusing = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA] }
    endpoints:
      - match: [my-tts]
        schedule: [up daily 12:30-23:00 Asia/Seoul]
    matrix: { reversible: { dormant: refusal } }
`)
  calendar = await startCalendar({ policy: refusing })
  const { town } = calendar
  await calendar.jumpTo('mon 12:29')
  await calendar.rest()
  // It may have missed an earlier start.
  const before = timesSaid(calendar, 'App:')
  for (const minute of [31, 33, 36, 42, 50]) await calendar.goTo(`mon 12:${minute}`)
  const said = town.slack.transcript('ops')
  expect(said).toMatch(/Gave up after 3 attempts: my-tts is still stopped.*The policy doesn’t allow this\./)
  expect(timesSaid(calendar, 'App:')).toBe(before + 1)
  const asked = ['users.info', 'chat.postEphemeral', 'chat.postMessage'] as const
  const toNobody = asked.flatMap((method) =>
    town.slack.calls(method).filter(({ args }) => args['user'] === '' || args['channel'] === ''),
  )
  expect(toNobody).toEqual([])
})

test('A stop that the policy refuses is given up with the reason, and its owner gets no sentence for each attempt', async () => {
  calendar = await startCalendar()
  const { town } = calendar
  await calendar.jumpTo('mon 12:00')
  await schedule(calendar, town.slack.as('U0ANA'), 'my-llm')
  const said = timesSaid(calendar, 'App')
  const refusing = `
    roles: { viewer: [everyone], operator: [user:U0ANA] }
    matrix: { disruptive: { active: refusal } }
`
  await policyApplied(town, policyOf(refusing))
  await calendar.goTo('mon 19:51')
  for (const minute of ['00', '02', '05', '15', '40']) await calendar.goTo(`mon 20:${minute}`)
  expect(town.slack.transcript('ops')).toMatch(
    /Gave up after 3 attempts: my-llm is still running.*The policy doesn’t allow/,
  )
  expect(timesSaid(calendar, 'App')).toBe(said + 1)
})
