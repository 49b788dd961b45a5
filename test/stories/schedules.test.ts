import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, office, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, policyApplied, presses } from '../support/ops.ts'
import { policyOf, type Town, type TownOptions } from '../support/town.ts'

/* Weeks pass in seconds here. Times are in Seoul. */

let calendar: Calendar
let town: Town
async function begin(options: TownOptions = {}, when = 'mon 08:00') {
  calendar = await startCalendar(options)
  town = calendar.town
  await calendar.jumpTo(when)
  return town.slack.as('U0ANA')
}
afterEach(() => calendar.stop())

/** Returns the effects that follow, in order. */
function since(): () => readonly string[] {
  const before = effects(town).length
  return () => effects(town).slice(before)
}

describe('A one-off', () => {
  test('stop at a time is announced ten minutes before and happens', async () => {
    const ana = await begin()
    await ana.types('ops', '/endpoint stop my-llm at 3h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await calendar.goTo('mon 10:45')
    expect(effects(town)).toEqual([])
    await calendar.goTo('mon 10:52')
    await ana.sees('Stop now', { in: 'ops' })
    await asks(ana, 'approve ben', 'No waiting request matches “ben”.')
    await asks(ana, 'approve my-llm', /^my-llm stops (today|tomorrow) at \d\d:\d\d/)
    expect(timesSaid(calendar, 'Approve: Stop my-llm')).toBe(0)
    expect(effects(town)).toEqual([])
    await calendar.goTo('mon 11:02')
    expect(effects(town)).toEqual(['stop'])
  })

  test('stop at a time is announced even if the policy asks for no confirmation', async () => {
    const ana = await begin({
      policy: policyOf(`
    matrix: { disruptive: { active: nothing } }
    roles: { viewer: [everyone], operator: ["user:U0ANA"] }
`),
    })
    await asks(ana, 'stop my-llm at 3h', 'Scheduled a stop of my-llm')
    await calendar.goTo('mon 10:52')
    await ana.sees('Stop now', { in: 'ops' })
    expect(effects(town)).toEqual([])
    await calendar.goTo('mon 11:02')
    expect(effects(town)).toEqual(['stop'])
  })

  test('stop at a time ends for good when its endpoint is protected', async () => {
    const ana = await begin()
    await ana.types('ops', '/endpoint stop my-llm at 1h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await calendar.goTo('mon 08:52')
    await asks(ana, 'protect my-llm', /stopping it needs approval\. The stop scheduled for .* is cancelled\./)
    await ana.sees('Stop my-llm cancelled. my-llm keeps running: protection is on.', { in: 'ops' })
    expect(await calendar.records()).toBe(1)
    await calendar.goTo('mon 09:02')
    expect(effects(town)).toEqual([])
  })

  test('stop at a time names its owner when another person protects its endpoint', async () => {
    const ana = await begin()
    await ana.types('ops', '/endpoint stop my-llm at 1h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await asks(town.slack.as('U0BEN'), 'protect my-llm', /The stop that @ana scheduled for .+ is cancelled\./)
  })

  test.each([
    ['mon 08:30', /The policy file protects my-llm .* The stop scheduled for .* is cancelled\./],
    ['mon 08:52', 'Stop my-llm cancelled. my-llm keeps running: protection is on.'],
  ])('stop at a time ends for good when the policy file protects its endpoint: %s', async (when, says) => {
    const ana = await begin()
    await ana.types('ops', '/endpoint stop my-llm at 1h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await calendar.goTo(when)
    await policyApplied(
      town,
      policyOf('\n    roles: { operator: [everyone] }\n    endpoints: [{ match: [my-llm], protected: true }]\n'),
    )
    await calendar.goTo('mon 08:54')
    await ana.sees(says, { in: 'ops' })
    expect(await calendar.records()).toBe(0)
    await policyApplied(town, policyOf('\n    roles: { operator: [everyone] }\n'))
    await calendar.goTo('mon 09:02')
    expect(effects(town)).toEqual([])
    expect(timesSaid(calendar, 'is cancelled.') + timesSaid(calendar, 'protection is on')).toBe(1)
  })

  test.each(['its undo', 'a start at the console'])('stop at a time ends with %s', async (how) => {
    const ana = await begin()
    await ana.types('ops', '/endpoint stop my-llm at 1h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    for (const when of ['mon 08:52', 'mon 09:02']) await calendar.goTo(when)
    await ana.sees('Stopped my-llm, as planned.', { in: 'ops' })
    if (how === 'its undo') {
      await asks(ana, 'undo my-llm', 'Started my-llm; it’s serving.')
      expect(await calendar.records()).toBe(0)
    } else town.platform.console.start('ep-llm')
    for (const when of ['mon 09:10', 'mon 09:11', 'mon 09:12']) await calendar.goTo(when)
    expect(await calendar.records()).toBe(0)
    for (const when of ['tue 12:00', 'tue 13:00']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop', 'start'])
    expect(town.slack.transcript('ops')).not.toMatch(/Left running|outside Lamplighter/)
  })

  test('is deleted when it no longer decides anything', async () => {
    const ana = await begin()
    await asks(ana, 'start my-tts for 2h', 'Started my-tts to run until')
    await ana.types('ops', '/endpoint stop my-llm at 2h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await calendar.goTo('mon 09:55')
    expect(await calendar.records()).toBe(2)
    // The record of the start goes with its stop; that of the stop stays for a day.
    for (const when of ['mon 10:05', 'tue 09:00']) {
      await calendar.goTo(when)
      expect(await calendar.records()).toBe(1)
    }
    await calendar.goTo('tue 10:30')
    expect(await calendar.records()).toBe(0)
    await calendar.goTo('tue 12:00')
    expect(effects(town)).toEqual(['start', 'stop', 'stop'])
  })
})

describe('A weekly rule', () => {
  test('keeps an endpoint running on weekdays, with its replicas, and stopped at the weekend', async () => {
    const ana = await begin({ platform: { mostAfterStart: 1 } }, 'thu 08:00')
    await schedule(calendar, ana, 'my-llm')
    await ana.sees('Stop now', { in: 'ops' })
    await calendar.goTo('thu 08:15')
    expect(effects(town)).toEqual(['stop'])
    for (const day of ['thu', 'fri']) {
      const done = since()
      await calendar.goTo(`${day} 08:59`)
      expect(done()).toEqual([])
      await calendar.goTo(`${day} 09:00`)
      expect(done()).toEqual(['start', 'scale'])
      expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')).toMatchObject({ active: true, replicas: 3 })
      await calendar.goTo(`${day} 19:50`)
      await ana.sees('Stop now', { in: 'ops' })
      expect(done()).toEqual(['start', 'scale'])
      await calendar.goTo(`${day} 20:01`)
      expect(done()).toEqual(['start', 'scale', 'stop'])
    }
    const weekend = since()
    for (const when of ['sat 09:00', 'sat 20:00', 'sun 12:00', 'mon 08:59']) await calendar.goTo(when)
    expect(weekend()).toEqual([])
    await calendar.goTo('mon 09:00')
    expect(weekend()).toEqual(['start', 'scale'])
  })

  test('stops an endpoint again that was stopped before its time and started since', async () => {
    const ana = await begin({}, 'mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await presses(ana, 'Stop now', 'Stopped my-llm')
    await asks(ana, 'start my-llm', 'Started my-llm')
    for (const when of ['mon 19:56', 'mon 20:02']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop', 'start', 'stop'])
  })

  test('is named in the warning of the stop at its end, beside another', async () => {
    const ana = await begin({}, 'mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await ana.types('ops', '/endpoint schedule my-llm up weekdays 12:00-22:00 Asia/Seoul')
    await presses(ana, 'Save schedule', '12:00–22:00')
    await calendar.rest()
    await calendar.goTo('mon 21:51')
    await ana.sees(/my-llm stops today at 13:00\..*Schedule: running weekdays 12:00–22:00 Seoul time/s, { in: 'ops' })
  })

  test('silently leaves an endpoint alone that somebody stops here within its window', async () => {
    const ana = await begin({}, 'mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ana, 'Stop my-llm', 'Stopped my-llm')
    for (const when of ['mon 12:30', 'mon 13:00', 'mon 19:55', 'mon 20:05']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop'])
    expect(timesSaid(calendar, 'Return to schedule')).toBe(0)
    expect(timesSaid(calendar, 'Missed')).toBe(0)
    await calendar.goTo('tue 09:00')
    expect(effects(town)).toEqual(['stop', 'start'])
  })

  test('applies again at once if somebody resumes automation right after a start outside its window', async () => {
    const ana = await begin({}, 'mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    for (const when of ['mon 19:51', 'mon 20:01', 'mon 22:00']) await calendar.goTo(when)
    await asks(ana, 'start my-llm', 'It stays running until')
    await asks(
      ana,
      'resume my-llm',
      /apply to my-llm again\. .+ should be stopped now; it stops after a warning of 10 min\./,
    )
    for (const when of ['mon 22:02', 'mon 22:03']) await calendar.goTo(when)
    await ana.sees(/my-llm stops today at .+\[Stop now\]/s, { in: 'ops' })
  })

  test('leaves an endpoint alone that somebody stops during its notice', async () => {
    const ana = await begin({}, 'mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ana, 'Stop my-llm', 'Stopped my-llm')
    for (const when of ['mon 19:55', 'mon 20:05']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop'])
    expect(timesSaid(calendar, 'Missed')).toBe(0)
  })

  test('does not take a restart under way for a change by somebody', async () => {
    const ana = await begin({ platform: { startDelayMs: 60_000 } }, 'mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await ana.types('ops', '/endpoint restart my-llm')
    await presses(ana, 'Restart my-llm', /Restarting my-llm/)
    await expect.poll(() => effects(town)).toContain('start')
    for (const when of ['mon 12:10', 'mon 12:20', 'mon 12:30']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop', 'start'])
    expect(timesSaid(calendar, 'Return to schedule')).toBe(0)
  })

  test('no longer applies to an endpoint protected since, and its notice is withdrawn', async () => {
    const ana = await begin({}, 'mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await asks(ana, 'protect my-llm', 'Protected my-llm')
    await calendar.goTo('mon 20:05')
    expect(effects(town)).toEqual([])
    await asks(ana, 'why is my-llm still running?', '(it’s protected).')
    await asks(ana, 'list', 'protection is on')
    await ana.opensHome()
    await expect
      .poll(() => JSON.stringify(town.slack.workspace.homes.get('U0ANA')?.blocks))
      .toContain('protection is on')
  })

  test('pauses during a freeze, warns before its end and stops at its end', async () => {
    const ana = await begin({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } }, 'mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await asks(ana, 'freeze until 9h because="a demo"', 'Paused all automation')
    for (const when of ['mon 19:55', 'mon 20:05', 'mon 20:55']) await calendar.goTo(when)
    const { text } = await ana.sees(/my-llm stops today at 12:00\..*Stop now/s, { in: 'ops' })
    expect(text).not.toContain('late')
    expect(effects(town)).toEqual([])
    await calendar.goTo('mon 21:01')
    expect(effects(town)).toEqual(['stop'])
  })
})

test('doctor says when the rules were last checked', async () => {
  const ana = await begin()
  await calendar.rest()
  await asks(ana, 'doctor', /✅ Schedules\s+Last checked \d+ s ago\./)
})

describe('An owner who is no longer an operator', () => {
  const without = (user: string) =>
    policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:${user}]
`)
  test('has their rules paused, which is reported once, and somebody else can take them over', async () => {
    const ana = await begin({}, 'mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await policyApplied(town, without('U0BEN'))
    await calendar.rest()
    await calendar.goTo('mon 20:15')
    await ana.sees('these rules are paused', { in: 'ops' })
    await calendar.goTo('mon 21:00')
    expect(timesSaid(calendar, 'these rules are paused')).toBe(1)
    expect(effects(town)).toEqual([])
    const ben = town.slack.as('U0BEN')
    await asks(ben, `schedule my-llm ${office}`, 'This rule exists already; its owner changes from @ana to @ben.')
    await presses(ben, 'Save schedule', 'Stop now')
    await calendar.goTo('mon 21:20')
    expect(effects(town)).toEqual(['stop'])
  })
})
