import { afterEach, expect, test } from 'vitest'
import { asks, presses } from '../support/ops.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0BEN]
      admin: []
    prices:
      currency: USD
      per_hour: { "RTX 4090": 0.5 }
`)

let town: Town
async function begin(): Promise<Town> {
  town = await startTown({
    listed: true,
    policy,
    endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true, replicas: 3, gpu: 'RTX 4090' }],
  })
  return town
}
afterEach(() => town.stop())

async function stops(): Promise<void> {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm.')
  await town.calm()
}

function charts(): number {
  return town.slack.transcript('ops').split('[chart: Replica-hours saved per ').length - 1
}

test('Manual stops are shown apart, in hours and money, with a chart that can be posted too', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await stops()
  await town.minutesPass(125)
  await asks(ana, 'start my-llm', 'Started my-llm')
  await town.minutesPass(60)
  const answer = await asks(ana, 'savings 7d', 'Saved by schedules and idle stops in the last 7 days: 0 replica-hours')
  expect(answer.ephemeralTo).toBe('U0ANA')
  // Two hours of three replicas at $0.50; the five minutes are not counted.
  expect(town.slack.transcript('ops')).toContain('By manual stops, not in this total: $3.00 (6 replica-hours)')
  expect(town.slack.transcript('ops')).toMatch(/my-llm\n.*\$3\.00 \(6 replica-hours\) manually/)
  expect(town.slack.transcript('ops')).toContain('[chart: Replica-hours saved per day]')
  expect(charts()).toBe(1)
  await ana.presses('Post to channel', { in: 'ops' })
  await town.slack.as('U0BEN').sees('[chart: Replica-hours saved per day]', { in: 'ops' })
  expect(charts()).toBe(2)
})

test('An endpoint’s menu shows the next stop and the cost, as the list does', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm at 23:00')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await ana.types('ops', '/endpoint list')
  await ana.presses('More…', { in: 'ops' })
  const { blocks } = await ana.opens('Lamplighter')
  expect(JSON.stringify(blocks)).toMatch(/running · stops in \d+ (h|min)\b.* · 3 replicas · RTX 4090 · \$1\.50 an hour/)
})

test('Without chart support in Slack the same answer comes without a chart', async () => {
  await begin()
  town.slack.workspace.unknownBlocks.add('data_visualization')
  const ana = town.slack.as('U0ANA')
  await stops()
  await town.minutesPass(65)
  await asks(ana, 'savings', 'Replica-hours per week (starting Monday)')
  await ana.presses('Post to channel', { in: 'ops' })
  await town.slack.as('U0BEN').sees('Replica-hours per week (starting Monday)', { in: 'ops' })
  expect(charts()).toBe(0)
})

test('A start at the console limits the savings to the time that was seen as stopped', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await stops()
  await town.minutesPass(120)
  town.platform.console.start('ep-llm')
  await town.minutesPass(120)
  await asks(ana, 'savings', '1 stop may have saved more')
})

test('On Monday at nine the operations channel gets last week’s savings once', async () => {
  await begin()
  await stops()
  // Pass time until the next Monday 09:00 UTC that is at least a day away, and a few minutes more.
  const day = 24 * 60
  const now = Math.floor(town.clock.now() / 60_000)
  const next = 7 * day - ((now - 4 * day - 9 * 60) % (7 * day))
  const left = next < day ? next + 7 * day : next
  await town.minutesPass(left - 1)
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('Saved by schedules')
  await town.begin('worker')
  await town.minutesPass(3)
  const ben = town.slack.as('U0BEN')
  const report = await ben.sees('Saved by schedules and idle stops last week', { in: 'ops' })
  expect(report.ephemeralTo).toBeUndefined()
  expect(charts()).toBe(1)
  await town.minutesPass(600)
  await town.calm()
  expect(
    town.slack.transcript('ops').split('Saved by schedules and idle stops last week').length - 1,
  ).toBeLessThanOrEqual(2)
  expect(charts()).toBe(1)
})

test('Savings use the platform’s prices if the policy has none', async () => {
  town = await startTown({
    listed: true,
    policy: policy.replace(/ {4}prices:[\s\S]*/, ''),
    platform: { prices: { 'RTX 4090': 744 } },
    endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true, replicas: 3, gpu: 'RTX 4090' }],
  })
  const ana = town.slack.as('U0ANA')
  await stops()
  await town.minutesPass(120)
  await asks(ana, 'savings 7d', /₩4,464/)
  await asks(ana, 'doctor', '0 from the policy file, 3 from the platform’s list of instance types.')
})
