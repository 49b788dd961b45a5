import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops, policyApplied, presses } from '../support/ops.ts'
import { policyOf, type Town, type TownOptions } from '../support/town.ts'

/* Deleted endpoints, and owners who are no longer operators. */

let calendar: Calendar
let town: Town
async function begin(options: TownOptions = {}) {
  calendar = await startCalendar({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }, ...options })
  town = calendar.town
  await calendar.jumpTo('mon 12:00')
  return town.slack.as('U0ANA')
}
afterEach(() => calendar.stop())

describe('A deleted endpoint with rules', () => {
  test('is reported under its last name, and a button removes its rules', async () => {
    const ana = await begin()
    await schedule(calendar, ana, 'my-llm')
    town.platform.remove('ep-llm')
    await calendar.goTo('mon 13:00')
    expect(timesSaid(calendar, 'The platform no longer has my-llm, so its rules are paused.')).toBe(1)
    await asks(ana, 'schedules', 'The platform no longer has it, so its rules are paused.')
    await presses(ana, 'Remove the schedule of my-llm', 'Removed the schedule of my-llm')
    expect(await calendar.records()).toBe(0)
    await calendar.goTo('mon 20:15')
    expect(effects(town)).toEqual([])
    expect(timesSaid(calendar, 'The platform no longer has my-llm')).toBe(1)
  })

  test('lets people remove its records but accepts no new ones', async () => {
    const ana = await begin()
    for (const line of ['protect my-llm', 'keep my-tts 4h', 'idle my-tts try after 60m']) {
      await ana.types('ops', `/endpoint ${line}`)
      await calendar.rest()
    }
    expect(await calendar.records()).toBe(3)
    for (const id of ['ep-llm', 'ep-tts']) town.platform.remove(id)
    await asks(ana, 'keep ep-tts 2h', /^The platform’s answer about my-tts: “Endpoint not found”$/)
    await asks(ana, 'stop ep-tts', /^The platform’s answer about my-tts: “Endpoint not found”$/)
    await ana.types('ops', '/endpoint resume ep-tts')
    await calendar.rest()
    expect(await calendar.records()).toBe(2)
    await asks(ana, 'unprotect ep-llm', 'Unprotect my-llm')
  })
})

test('A one-off of an owner who is no longer an operator is listed with its time and can be taken over', async () => {
  const ana = await begin()
  await ana.types('ops', '/endpoint stop my-llm at 5h')
  await presses(ana, 'Schedule stop', 'Scheduled a stop')
  await policyApplied(town, operatedBy('U0BEN'))
  await calendar.goTo('mon 13:00')
  await ana.sees(
    /@ana is no longer an operator here, so these rules are paused:\s+stop once today at 08:0[01] \(my-llm\)\s+\[Take over my-llm: stop once .*08:0[01] UTC\]/,
    ops,
  )
  const ben = town.slack.as('U0BEN')
  const [label = ''] = /Take over my-llm[^\]]*/.exec(town.slack.transcript('ops')) ?? []
  await presses(ben, label, /my-llm today at 08:0[01]/)
  expect(town.slack.transcript('ops')).not.toMatch(/\d+t\d\d:\d\dz/i)
  await presses(ben, 'Schedule stop', /Scheduled a stop of .*\s+requested by @ben/)
  for (const when of ['mon 16:53', 'mon 17:03']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
})

test('An idle stop whose owner is no longer an operator is paused, says so, and can be taken over', async () => {
  const ana = await begin()
  await asks(ana, 'idle my-llm after 60m', '[Turn on idle stop]')
  await presses(ana, 'Turn on idle stop', 'Turned on idle stop')
  await policyApplied(town, operatedBy('U0BEN'))
  await calendar.goTo('mon 13:00')
  await ana.sees(
    /@ana is no longer an operator here, so these rules are paused:\s+idle stop after 1 h \(my-llm\)\s+\[Take over my-llm: idle stop after 1 h\]/,
    ops,
  )
  const paused = /idle stop after 1 h, warning .*\s+paused: Slack doesn’t confirm that its owner is an operator here/
  const ben = town.slack.as('U0BEN')
  await asks(ben, 'schedules', paused)
  await presses(ben, 'Take over my-llm: idle stop after 1 h', '[Change idle stop]')
  await presses(ben, 'Change idle stop', /Changed idle stop .*requested by @ben/s)
  await calendar.goTo('mon 13:10')
  await asks(ben, 'schedules my-llm', 'idle stop after 1 h, warning')
  expect(timesSaid(calendar, 'these rules are paused')).toBe(1)
})

function operatedBy(user: string): string {
  return policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:${user}]
`)
}

/** The team's schedule of an endpoint. */
const team = (operator: string, name: string) =>
  policyOf(`
    roles:
      viewer: [everyone]
      operator: [${operator}]
    endpoints: [{ match: ["${name}"], schedule: ["up weekdays 09:00-18:00 Asia/Seoul"] }]
`)

test('While Slack can’t say whether the owner of a rule is still an operator, its endpoint is left alone', async () => {
  const ana = await begin({ policy: team('user:U0ANA', 'my-tts') })
  await calendar.jumpTo('tue 08:00')
  await ana.types('ops', '/endpoint schedule my-tts down daily')
  await presses(ana, 'Save schedule', 'Scheduled my-tts')
  await calendar.rest()
  await calendar.goTo('tue 12:00')
  const fault = town.slack.fault('users.info', { kind: 'status', status: 503 }, 1)
  await calendar.goTo('tue 12:02')
  expect(fault.hits()).toBe(1)
  expect(effects(town)).toEqual([])
})

test('An owner who operates through a group is called no former operator while groups can’t be read', async () => {
  await begin()
  await schedule(calendar, town.slack.as('U0DORA'), 'my-llm')
  const [listing] = ['usergroups.list', 'usergroups.users.list'].map((method) =>
    town.slack.fault(method, { kind: 'status', status: 503 }),
  )
  await calendar.goTo('mon 12:05')
  expect(listing?.hits()).toBeGreaterThan(0)
  expect(timesSaid(calendar, 'is no longer an operator here')).toBe(0)
})

test.each([[['users.info']], [['usergroups.list', 'usergroups.users.list']]])(
  'A stop that was announced is made a little later if its owner can’t be looked up at its time: %s',
  async (methods) => {
    await begin()
    await schedule(calendar, town.slack.as('U0DORA'), 'my-llm')
    await calendar.goTo('mon 19:58')
    const faults = methods.map((method) => town.slack.fault(method, { kind: 'status', status: 503 }))
    await calendar.goTo('mon 20:01')
    expect(effects(town)).toEqual([])
    for (const fault of faults) fault.clear()
    for (const when of ['mon 20:02', 'mon 20:03']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop'])
    expect(town.slack.transcript('ops')).not.toContain('refused')
  },
)

test('A private operations channel lets its members own rules while groups can’t be read', async () => {
  const roles = policyOf(`
    roles:
      viewer: [everyone]
      operator: [channel:C0OPS]
      approver: [group:S0OPS]
`)
  const ana = await begin({ policy: roles, slack: { channels: [{ id: 'C0OPS', name: 'ops', private: true }] } })
  for (const method of ['usergroups.list', 'usergroups.users.list'])
    town.slack.fault(method, { kind: 'status', status: 503 })
  await ana.types('ops', '/endpoint start my-tts for 4h')
  await ana.sees(/^Started my-tts/, ops)
  for (const when of ['mon 15:52', 'mon 16:05']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['start', 'stop'])
})

test('The team’s schedule stops an endpoint while the rule of a former operator is paused', async () => {
  const ana = await begin({ policy: team('user:U0ANA, user:U0BEN', 'my-llm') })
  await ana.types('ops', '/endpoint schedule my-llm up weekdays 09:00-22:00 Asia/Seoul')
  await presses(ana, 'Save schedule', 'Scheduled my-llm')
  await calendar.rest()
  await policyApplied(town, team('user:U0BEN', 'my-llm'))
  for (const when of ['mon 13:00', 'mon 17:52', 'mon 18:02', 'mon 22:02']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
})

test('The rule of a member of a private operations channel whose members are operators is carried out', async () => {
  const roles = policyOf(`
    roles:
      viewer: [everyone]
      operator: [channel:C0OPS]
`)
  const ana = await begin({ policy: roles, slack: { channels: [{ id: 'C0OPS', name: 'ops', private: true }] } })
  await ana.types('ops', '/endpoint start my-tts for 4h')
  await ana.sees(/^Started my-tts/, ops)
  for (const when of ['mon 15:52', 'mon 16:05']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['start', 'stop'])
})

test('A schedule starts an endpoint with as many replicas as the policy allows now', async () => {
  const bounds = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA]
    bounds: { replicas: 4 }
`)
  const ana = await begin({ policy: bounds, endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true, replicas: 8 }] })
  await schedule(calendar, ana, 'my-llm')
  for (const when of ['mon 19:52', 'mon 20:02', 'tue 09:00', 'tue 09:05']) await calendar.goTo(when)
  expect(effects(town).slice(0, 2)).toEqual(['stop', 'start'])
  expect(timesSaid(calendar, 'at most 4')).toBe(0)
})

test('A schedule can be saved again for an endpoint that is autoscaled since', async () => {
  const ana = await begin()
  await schedule(calendar, ana, 'my-llm')
  town.platform.remove('ep-llm')
  await town.platform.add({ id: 'ep-llm', name: 'my-llm', active: true, replicas: 3, autoscaled: true })
  await asks(ana, 'schedule my-llm up weekdays 09:00-20:00 Asia/Seoul autoscaled=yes', '[Save schedule]')
})

test('An operations channel that can’t be looked up pauses no rule of a person whom the policy names', async () => {
  const roles = policyOf(`
    roles:
      viewer: [channel:C0OPS]
      operator: [user:U0ANA]
`)
  const ana = await begin({ policy: roles })
  await ana.types('ops', '/endpoint start my-tts for 4h')
  await ana.sees(/^Started my-tts/, ops)
  town.slack.fault('conversations.info', { kind: 'status', status: 503 })
  for (const when of ['mon 15:52', 'mon 16:05']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['start', 'stop'])
})

test('An operator by another channel than the operations channel is refused a rule that would only be paused', async () => {
  const roles = policyOf(`
    roles:
      viewer: [everyone]
      operator: [channel:C0ML]
`)
  const channels = [
    { id: 'C0OPS', name: 'ops' },
    { id: 'C0ML', name: 'ml', private: true },
  ]
  const ana = await begin({ policy: roles, slack: { channels } })
  await ana.types('ml', '/endpoint start my-tts for 4h')
  await ana.sees(/^You’re an operator only in this channel/, { in: 'ml' })
  expect(effects(town)).toEqual([])
  await ana.types('ml', '/endpoint start my-tts')
  await ana.sees(/^Started my-tts/, { in: 'ml' })
})

test('A schedule’s stop is made although two reads fail and the next one does not find the endpoint', async () => {
  const ana = await begin()
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('mon 19:51')
  await ana.sees('🌙 my-llm stops', ops)
  await calendar.goTo('mon 19:59')
  const answers = [500, 500, 404].map((status) => ({ kind: 'answer', status, body: { detail: 'No answer' } }) as const)
  for (const answer of answers) town.platform.faults.add('getEndpointStatus', answer, 1)
  for (const when of ['mon 20:01', 'mon 20:03', 'mon 20:05', 'mon 20:20']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
})
