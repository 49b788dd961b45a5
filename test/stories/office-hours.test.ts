import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'

/* Several endpoints whose rules act at the same time share one message. Times are in Seoul; ana's are in UTC. */

let calendar: Calendar
afterEach(() => calendar.stop())

const names = ['asr', 'chat', 'code', 'embed', 'image', 'judge', 'rank', 'speech', 'text', 'video']

async function begin(active: boolean, some = names) {
  calendar = await startCalendar({
    // When the endpoints are as their rules want them: otherwise those might act before the clock is moved.
    at: active ? '2026-11-23T00:30:00Z' : '2026-11-22T10:00:00Z',
    endpoints: some.map((name) => ({ id: `ep-${name}`, name, active, replicas: 1 })),
    policy: `
operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles: { viewer: [everyone], operator: [user:U0ANA, user:U0BEN] }
    schedules: { zone: Asia/Seoul }
    prices: { per_hour: { "RTX 4090": 0.5 } }
    endpoints: [{ match: ["*"], schedule: [up weekdays 09:00-20:00] }]
`,
  })
  await calendar.goTo(active ? 'mon 09:45' : 'mon 08:30')
  return calendar.town.slack.as('U0ANA')
}

/** The app's own rows in #ops: posts and broadcast thread replies. */
function rows(): readonly string[] {
  return calendar.town.slack
    .transcript('ops')
    .split('\n')
    .filter((line) => /^App: |^ {2}App \(broadcast\)/.test(line))
}

test('Ten endpoints on office hours take two rows a day', async () => {
  const ana = await begin(false)
  await calendar.goTo('mon 09:01')
  await ana.sees('Started 10 endpoints.', { in: 'ops' })
  expect(rows()).toHaveLength(1)
  await calendar.goTo('mon 19:51')
  await ana.sees('10 endpoints stop today at 11:00.', { in: 'ops' })
  expect(effects(calendar.town)).toEqual(names.map(() => 'start'))
  await calendar.goTo('mon 20:01')
  await ana.sees(/Stopped 10 endpoints\..* · today at 11:0\d/s, { in: 'ops' })
  expect(rows()).toHaveLength(2)
  expect(effects(calendar.town).filter((what) => what === 'stop')).toHaveLength(10)
})

test('One of several stops can be postponed, and a failed stop has its own message', async () => {
  const ana = await begin(true, ['asr', 'chat', 'code', 'rank'])
  await calendar.goTo('mon 19:51')
  await ana.sees('4 endpoints stop today at 11:00.', { in: 'ops' })
  await ana.sees('Keep tonight: until tomorrow at 00:00 · ', { in: 'ops' })
  // Each choice has the price that a notice of its own would show.
  await ana.chooses('Keep one running…', 'code: Keep tonight (+$6.50)', { in: 'ops' })
  await ana.sees('🌙 Left alone until tomorrow at 00:00: code (@ana)', { in: 'ops' })
  await ana.sees('🌙 3 endpoints stop today at 11:00.', { in: 'ops' })
  const fault = { kind: 'answer', status: 400, body: { message: 'Not now.' } } as const
  calendar.town.platform.faults.add('stopEndpoint', fault, 1)
  await calendar.goTo('mon 20:01')
  await ana.sees('Stopped 2 of 4 endpoints.', { in: 'ops' })
  await ana.sees(/Not stopped: \w+/, { in: 'ops' })
  expect(rows().filter((row) => row.includes('broadcast'))).toHaveLength(1)
  expect(effects(calendar.town).filter((what) => what === 'stop')).toHaveLength(2)
})

test('An endpoint that is no longer kept says so and is stopped with a card of its own', async () => {
  const ana = await begin(true, ['asr', 'chat', 'code'])
  await calendar.goTo('mon 19:51')
  await ana.chooses('Keep one running…', 'asr: Keep 1 h (+$0.50)', { in: 'ops' })
  await ana.sees('Left alone until', { in: 'ops' })
  await calendar.rest()
  await asks(ana, 'undo asr', 'Resumed automation for asr')
  await calendar.goTo('mon 19:54')
  await ana.sees('🌙 Postponed: asr (@ana)', { in: 'ops' })
  await calendar.goTo('mon 20:01')
  await ana.sees('✅ Stopped: chat and code', { in: 'ops' })
  await ana.sees('✅ Stopped asr.', { in: 'ops' })
})

test('A stop that is announced later for the same minute joins the card of the others, which is posted again', async () => {
  const ana = await begin(true, ['asr', 'chat', 'code'])
  await asks(ana, 'keep asr until 10:55', 'Paused automation')
  await calendar.goTo('mon 19:51')
  await ana.sees('🌙 2 endpoints stop today at 11:00.', { in: 'ops' })
  await calendar.goTo('mon 19:56')
  await ana.sees('🌙 3 endpoints stop today at 11:00.', { in: 'ops' })
  expect(timesSaid(calendar, 'App: This was announced again below.')).toBe(1)
})

test('An endpoint that a second rule stops at the same minute is counted once', async () => {
  const ana = await begin(true, ['asr', 'chat'])
  await schedule(calendar, ana, 'asr')
  await calendar.goTo('mon 19:51')
  await asks(ana, 'unschedule asr', 'Removed the schedule of asr')
  await calendar.rest()
  await calendar.goTo('mon 20:01')
  await ana.sees('Stopped 2 endpoints.', { in: 'ops' })
  expect(timesSaid(calendar, 'No longer part of this')).toBe(0)
})

test('An endpoint that somebody stops before its time leaves the group and is not reported again', async () => {
  const ana = await begin(true, ['asr', 'chat'])
  await calendar.goTo('mon 19:51')
  await ana.types('ops', '/endpoint stop asr')
  await presses(ana, 'Stop asr', '🚫 No longer part of this: asr (@ana)')
  await ana.sees('Stopped asr.', { in: 'ops' })
  await calendar.goTo('mon 20:01')
  await ana.sees(/Stopped 1 of 2 endpoints\..*No longer part of this: asr \(@ana\)/s, { in: 'ops' })
  expect(timesSaid(calendar, 'hadn’t ended yet')).toBe(0)
})

test('All of the endpoints can be kept running', async () => {
  const ana = await begin(true, ['asr', 'chat'])
  await calendar.goTo('mon 19:51')
  for (const name of ['asr', 'chat']) {
    await ana.chooses('Keep one running…', `${name}: Keep tonight (+$6.50)`, { in: 'ops' })
    await ana.sees(new RegExp(`Left alone until .*${name} \\(@ana\\)`), { in: 'ops' })
  }
  await ana.sees('No endpoint was stopped by this.', { in: 'ops' })
  expect(effects(calendar.town)).toEqual([])
})

test('A stop that an outage delayed to another day is announced anew, and says once why it was not done', async () => {
  const ana = await begin(true, ['asr', 'chat', 'code'])
  await calendar.goTo('fri 19:51')
  await ana.sees('3 endpoints stop today at 11:00.', { in: 'ops' })
  expect(rows()).toHaveLength(1)
  await calendar.goTo('mon 08:00')
  await ana.sees('3 endpoints stop today at 23:10.', { in: 'ops' })
  expect(rows()).toEqual(['App: This was announced again below.', expect.stringContaining('🌙 3 endpoints stop')])
  await calendar.goTo('mon 09:01')
  await ana.sees(/❌ No endpoint was stopped by this\.\s+asr, chat, and code · It was already 5[01] min late/, {
    in: 'ops',
  })
  expect(timesSaid(calendar, 'It was already')).toBe(1)
  expect(rows()).toHaveLength(2)
  await ana.chooses('Which endpoint?', 'code: Stop code', { in: 'ops' })
  await presses(ana, 'Stop code', 'Stopped code.')
})

test('Stops that all failed are announced again in one new message', async () => {
  const ana = await begin(true, ['asr', 'chat', 'code'])
  await calendar.goTo('mon 19:51')
  await ana.sees('3 endpoints stop today at 11:00.', { in: 'ops' })
  calendar.town.platform.faults.add('stopEndpoint', { kind: 'answer', status: 400, body: { message: 'Not now.' } })
  await calendar.goTo('mon 20:01')
  await ana.sees('No endpoint was stopped by this.', { in: 'ops' })
  await calendar.town.calm()
  calendar.town.platform.faults.clear()
  const before = rows().length
  // One look announces all of them only if the pause after each failure is over.
  await calendar.jumpTo('mon 20:06')
  await ana.sees(/3 endpoints stop today at 11:1\d\./, { in: 'ops' })
  expect(rows()).toHaveLength(before + 1)
  await calendar.goTo('mon 20:18')
  await ana.sees('Stopped 3 endpoints.', { in: 'ops' })
  expect(rows()).toHaveLength(before + 1)
})

test('A card of stops that failed and one that was kept has the mark of the failure', async () => {
  const ana = await begin(true, ['asr', 'chat', 'code'])
  await calendar.goTo('fri 19:51')
  await ana.chooses('Keep one running…', 'code: Keep tonight (+$6.50)', { in: 'ops' })
  await ana.sees('Left alone until', { in: 'ops' })
  await calendar.goTo('mon 08:00')
  await calendar.goTo('mon 09:01')
  await ana.sees(/❌ No endpoint was stopped by this\.\s+❌ Not stopped: asr and chat/, { in: 'ops' })
})

test('Starts that the platform refuses take one row that says why, and one when they are given up', async () => {
  const ana = await begin(false, ['asr', 'chat', 'code'])
  const fault = { kind: 'answer', status: 422, body: { detail: 'No capacity' } } as const
  calendar.town.platform.faults.add('startEndpoint', fault)
  const card = /❌ No endpoint was started by this\.\s+asr, chat, and code · Platform: “No capacity”/
  for (const minute of ['01', '04']) {
    await calendar.goTo(`mon 09:${minute}`)
    await ana.sees(card, { in: 'ops' })
  }
  const calls = () => calendar.town.platform.calls().filter(({ operation }) => operation === 'startEndpoint').length
  await expect.poll(calls).toBe(6)
  expect(rows()).toHaveLength(1)
  // One look gives up all of them only if all have failed before it.
  await calendar.jumpTo('mon 09:09')
  await expect.poll(calls).toBe(9)
  await calendar.town.calm()
  await calendar.goTo('mon 09:10')
  await ana.sees(/Gave up .*asr.*Gave up .*chat.*Gave up .*code/s, { in: 'ops' })
  expect(rows()).toHaveLength(2)
  calendar.town.platform.faults.clear()
  await ana.chooses('Which endpoint?', 'code: Try again', { in: 'ops' })
  await ana.sees('Started code', { in: 'ops' })
})

test('Starts that an outage made useless are announced together', async () => {
  const some = ['asr', 'chat', 'code']
  const ana = await begin(false, some)
  await calendar.goTo('mon 19:45')
  await ana.sees('Missed: 3 scheduled starts, which won’t be made now:', { in: 'ops' })
  for (const name of some)
    await ana.sees(new RegExp(`${name}: today at 00:00, 10 h 4\\d min ago, to run until`), { in: 'ops' })
  expect(rows()).toHaveLength(1)
  await presses(ana, 'Start chat', 'Started chat')
})

test('A freeze says why nothing was stopped, and the stops after it share one message too', async () => {
  const ana = await begin(true, ['asr', 'chat', 'code'])
  await calendar.goTo('mon 19:51')
  await ana.chooses('Keep one running…', 'code: Keep tonight (+$6.50)', { in: 'ops' })
  await ana.sees('Left alone until', { in: 'ops' })
  await asks(
    ana,
    'freeze until 13:00 because=release',
    /No endpoint was stopped by this\..*asr and chat · all automation is paused/s,
  )
  const before = rows().length
  await calendar.goTo('mon 22:01')
  await ana.sees('🌙 2 endpoints stop today at 13:', { in: 'ops' })
  expect(rows()).toHaveLength(before + 1)
})
