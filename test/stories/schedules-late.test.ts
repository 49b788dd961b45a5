import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, office, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects, labelIn } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { policyOf, type Town, type TownOptions } from '../support/town.ts'

/* What delays a rule: other requests, the platform, or missing workers. Times are in Seoul. */

let calendar: Calendar
let town: Town
async function begin(options: TownOptions = {}, when = 'mon 08:00') {
  calendar = await startCalendar(options)
  town = calendar.town
  await calendar.jumpTo(when)
  return town.slack.as('U0ANA')
}
afterEach(() => calendar.stop())

describe('A rule’s request', () => {
  test('waits for a person’s request, says so once when its time has come, and goes on after it', async () => {
    const ana = await begin({}, 'mon 19:45')
    await schedule(calendar, ana, 'my-llm')
    await asks(ana, 'scale my-llm to 2', 'Scale my-llm')
    for (const [when, times] of [
      ['mon 19:51', 0],
      ['mon 20:01', 1],
      ['mon 20:03', 1],
    ] as const) {
      await calendar.goTo(when)
      expect(timesSaid(calendar, 'hadn’t ended yet')).toBe(times)
    }
    expect(effects(town)).toEqual([])
    await ana.presses('Leave it as it is', { in: 'ops' })
    await calendar.goTo('mon 20:06')
    await ana.sees('Stop now', { in: 'ops' })
    await calendar.goTo('mon 20:18')
    expect(effects(town)).toEqual(['stop'])
  })

  test('is not repeated when its outcome is unknown', async () => {
    const ana = await begin({}, 'mon 08:30')
    await schedule(calendar, ana, 'my-tts')
    town.platform.faults.add('startEndpoint', { kind: 'contradict' })
    await calendar.goTo('mon 09:00')
    for (const when of ['mon 09:05', 'mon 09:30', 'mon 10:30', 'mon 12:00']) await calendar.goTo(when)
    expect(town.platform.calls().filter(({ operation }) => operation === 'startEndpoint')).toHaveLength(1)
  })

  test('is tried three times at growing intervals when the platform refuses, then given up', async () => {
    const ana = await begin({}, 'mon 08:30')
    await schedule(calendar, ana, 'my-tts')
    const fault = { kind: 'answer', status: 402, body: { detail: 'Not enough credit' } } as const
    town.platform.faults.add('startEndpoint', fault)
    await calendar.goTo('mon 09:00')
    await ana.sees(/Start my-tts: failed\..*Platform: “Not enough credit”.*\[Try again\]/s, { in: 'ops' })
    for (const minute of ['01', '02', '03', '04', '05', '06', '08', '10', '12', '20', '40'])
      await calendar.goTo(`mon 09:${minute}`)
    const tries = town.platform.calls().filter(({ operation }) => operation === 'startEndpoint')
    expect(tries).toHaveLength(3)
    expect(timesSaid(calendar, 'Start my-tts: failed')).toBe(1)
    const [first = 0, second = 0, third = 0] = tries.map(({ at }) => at)
    expect(third - second).toBeGreaterThan(second - first)
    expect(town.slack.transcript('ops')).not.toContain('/endpoint unschedule')
    await ana.sees(/Gave up after 3 attempts.*, though its schedule wants it running\. I’ll try .* @ana/, { in: 'ops' })
    await asks(
      ana,
      'why is my-tts stopped?',
      /^my-tts is stopped now\. Should be running until .*❌ Start my-tts: failed\..*Try again.*Not enough credit/s,
    )
  })
})

describe('A start by the policy file', () => {
  test('that fails is said wherever its schedule is, and named for nobody when it is given up', async () => {
    const roles = 'roles: { viewer: [everyone], operator: [everyone] }'
    const endpoints = `endpoints: [{ match: ["my-tts"], schedule: ["${office}"] }]`
    const policy = policyOf(`\n    ${roles}\n    ${endpoints}\n`)
    // A Sunday: on a weekday the endpoint might be started before the clock is moved.
    const ana = await begin({ policy, listed: true, at: '2026-11-22T10:00:00Z' }, 'mon 08:30')
    const fault = { kind: 'answer', status: 422, body: { detail: 'No capacity' } } as const
    town.platform.faults.add('startEndpoint', fault)
    for (const time of ['09:00', '09:01']) await calendar.goTo(`mon ${time}`)
    for (const [line, row] of [
      ['list', /my-tts\s+stopped · start failed; I’ll try again in \d+ min · /],
      ['status my-tts', /stopped · start failed; I’ll try again in \d+ min · /],
      ['schedules my-tts', /Should be running .+\. Its start failed; I’ll try again in \d+ min\./],
    ] as const) {
      await asks(ana, line, row)
    }
    await ana.opensHome()
    await expect
      .poll(() => JSON.stringify(town.slack.workspace.homes.get('U0ANA')?.blocks ?? []))
      .toMatch(/" starts ".*" starts ".*start failed; I’ll try again in \d+ min/)
    for (const time of ['09:04', '09:10', '09:12', '09:20']) await calendar.goTo(`mon ${time}`)
    await ana.sees(/Gave up after .+ I’ll try again at the next scheduled change\.\s+\[/, { in: 'ops' })
    await asks(ana, 'list', /my-tts\s+stopped · start failed · /)
  })
})

describe('A stop at the end of a run', () => {
  test('is said to have failed when nobody knows what its call did', async () => {
    const ana = await begin({}, 'mon 08:30')
    await asks(ana, 'start my-tts for 30m', 'Started my-tts to run until')
    town.platform.faults.add('stopEndpoint', { kind: 'answer', status: 503 })
    for (const time of ['08:55', '09:01', '09:10', '09:20']) await calendar.goTo(`mon ${time}`)
    await ana.sees('I can’t tell whether', { in: 'ops' })
    await asks(ana, 'list', /my-tts\s+running · stop failed · /)
  })

  test('is tried three times when the platform refuses, then given up with no later change in sight', async () => {
    const ana = await begin({}, 'mon 08:30')
    await asks(ana, 'start my-tts for 30m', 'Started my-tts to run until')
    const fault = { kind: 'answer', status: 422, body: { detail: 'Locked' } } as const
    town.platform.faults.add('stopEndpoint', fault)
    for (const time of ['08:55', '09:01']) await calendar.goTo(`mon ${time}`)
    const again = /should have been stopped .+, but is still running\. Its stop failed; a new warning comes in \d/
    for (const line of ['status', 'schedules']) {
      await asks(ana, `${line} my-tts`, again)
    }
    for (const time of ['09:04', '09:15', '09:20', '09:31', '09:40']) await calendar.goTo(`mon ${time}`)
    await ana.sees(/Gave up .* still running, though a one-time request wants it stopped\. @ana/, { in: 'ops' })
    await asks(ana, 'list', /my-tts\s+running · stop failed · /)
  })
})

describe('While no worker runs,', () => {
  /** Stops the worker, moves the clock, and starts another one. */
  async function outage(until: string): Promise<void> {
    const worker = workers.pop()
    await worker?.stop()
    await calendar.jumpTo(until)
    workers.push(await town.begin('worker'))
    await calendar.rest()
  }
  let workers: { stop(): Promise<void> }[] = []
  async function beginApart(when: string): ReturnType<typeof begin> {
    const ana = await begin({ roles: ['bot'] }, when)
    workers = [await town.begin('worker')]
    return ana
  }

  test('a missed stop is announced first, says how late it is, and happens after its notice', async () => {
    const ana = await beginApart('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await outage('mon 20:40')
    await ana.sees('Stop now', { in: 'ops' })
    await ana.sees(/my-llm stops today at 11:50\..*50 min later than planned/s, { in: 'ops' })
    expect(effects(town)).toEqual([])
    await calendar.goTo('mon 20:52')
    expect(effects(town)).toEqual(['stop'])
  })

  test.each([
    ['announced late', 'mon 12:00'],
    ['announced before', 'mon 19:51'],
  ])('a stop that was %s and then missed is said to be late since its planned time', async (_, before) => {
    const ana = await beginApart('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo(before)
    await outage('mon 20:40')
    await ana.sees(/my-llm stops today at 11:50\..*\b50 min later than planned/s, { in: 'ops' })
    await outage('mon 21:30')
    await ana.sees(/my-llm stops today at 12:40\..* 1 h 40 min later than planned/s, { in: 'ops' })
  })

  test('a missed stop that was planned by hand is not said to be made as planned', async () => {
    const ana = await beginApart('mon 12:00')
    await ana.types('ops', '/endpoint stop my-llm at 1h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop')
    await calendar.rest()
    await outage('mon 13:40')
    await calendar.goTo('mon 13:52')
    await ana.sees(/Stopped my-llm\./, { in: 'ops' })
    expect(timesSaid(calendar, 'as planned')).toBe(0)
  })

  test('an announced stop is announced again with current choices, and a press on an expired choice shows them', async () => {
    const ana = await beginApart('fri 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('fri 19:51')
    const night = await ana.remembers(labelIn(town, /^Keep tonight/), { in: 'ops' })
    await outage('sat 12:10')
    await ana.sees(
      /16 h 20 min later than planned.*Keep 1 h: until today at 04:20 · Keep until tomorrow: until tomorrow at 00:00/s,
      {
        in: 'ops',
      },
    )
    await ana.pressesRaw(night)
    await ana.sees(/That time has passed: today at 00:00.*\[Keep 1 h\] \[Keep until tomorrow\] \[Skip this one\]/s, {
      in: 'ops',
    })
    await presses(ana, 'Skip this one', 'Stop my-llm skipped by @ana.')
  })

  test('an announced stop that a start would follow at once is dropped as too late', async () => {
    const ana = await beginApart('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await ana.sees('Stop now', { in: 'ops' })
    await outage('tue 08:51')
    await ana.sees(/It was already 12 h 51 min late, so nothing was done\./, { in: 'ops' })
    for (const when of ['tue 08:57', 'tue 09:02']) await calendar.goTo(when)
    expect([timesSaid(calendar, 'Stop now'), effects(town)]).toEqual([0, []])
  })

  test('a missed start that is still worthwhile is made, and the channel and history say how late', async () => {
    const ana = await beginApart('mon 08:00')
    await schedule(calendar, ana, 'my-tts')
    await outage('mon 15:00')
    await ana.sees('Started my-tts, 6 h late; it’s serving.', { in: 'ops' })
    expect(effects(town)).toEqual(['start'])
    await asks(ana, 'history my-tts', /Started my-tts, 6 h late.*\[⋯ Details \| Stop my-tts\]/s)
  })

  test('a missed start that is no longer worthwhile is only reported', async () => {
    const ana = await beginApart('mon 08:00')
    await schedule(calendar, ana, 'my-tts')
    await outage('mon 19:45')
    await ana.sees('Missed: my-tts', { in: 'ops' })
    await calendar.goTo('mon 20:30')
    expect(effects(town)).toEqual([])
  })

  test('a missed stop whose time is over is only reported', async () => {
    const ana = await beginApart('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await outage('wed 10:00')
    await ana.sees('my-llm should have been stopped', { in: 'ops' })
    await calendar.goTo('wed 12:00')
    expect(timesSaid(calendar, 'should have been stopped')).toBe(1)
    expect(effects(town)).toEqual([])
  })

  test.each([
    ['a one-time stop', 'stop my-llm at=20:00', 'mon 12:00'],
    ['the end of a run', 'start my-tts for 17h', 'mon 12:00'],
    ['an announced stop', 'stop my-llm at=20:00', 'tue 04:51'],
  ])('%s that is a day late is only reported', async (_, line, lastLook) => {
    const ana = await beginApart('mon 12:00')
    await ana.types('ops', `/endpoint ${line}`)
    if (line.startsWith('stop')) await presses(ana, 'Schedule stop', 'Scheduled')
    else await ana.sees('Started my-tts', { in: 'ops' })
    const before = effects(town)
    await calendar.goTo(lastLook)
    await outage('wed 10:00')
    await ana.sees(
      /is still running\. Its stop planned for .* at 20:00 was missed, since I couldn’t check .* for a day,.*\[Stop my-/s,
      { in: 'ops' },
    )
    await calendar.goTo('wed 12:00')
    expect([timesSaid(calendar, 'is still running'), effects(town)]).toEqual([1, before])
  })

  test('several boundaries lead to one decision', async () => {
    const ana = await beginApart('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await outage('thu 22:00')
    await calendar.goTo('thu 22:20')
    await calendar.goTo('fri 09:00')
    expect(effects(town)).toEqual(['stop', 'start'])
  })

  test('an announced stop passes to the next worker, even at the minute of the stop', async () => {
    const ana = await beginApart('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:52')
    await ana.sees('Stop now', { in: 'ops' })
    await calendar.jumpTo('mon 20:00')
    const [old] = workers
    workers = [await town.begin('worker')]
    await old?.stop()
    await calendar.rest()
    await calendar.goTo('mon 20:03')
    expect(effects(town)).toEqual(['stop'])
    expect(timesSaid(calendar, 'Stopped my-llm')).toBeLessThanOrEqual(2)
  })
})

test('A stop is not repeated when the clock goes back into its window', async () => {
  const ana = await begin({}, 'mon 19:30')
  await ana.types('ops', '/endpoint schedule my-llm down daily 20:00-20:30 Asia/Seoul')
  await presses(ana, 'Save schedule', 'Scheduled')
  await calendar.rest()
  for (const when of ['mon 19:55', 'mon 20:01', 'mon 20:05', 'mon 20:31', 'mon 20:32']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
  await asks(ana, 'start my-llm', 'Started my-llm')
  await calendar.goTo('mon 20:36')
  await town.minutesPass(-30)
  for (let minute = 0; minute < 30; minute += 3) {
    await town.minutesPass(3)
    await town.calm()
  }
  expect(effects(town)).toEqual(['stop', 'start'])
})
