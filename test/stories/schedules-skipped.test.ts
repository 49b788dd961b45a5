import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { policyOf, type Town } from '../support/town.ts'

/* Skipped stops are shown and can be undone. Times are in Seoul; ana's are in UTC. */

let calendar: Calendar
let town: Town
afterEach(() => calendar.stop())

/** ana kept my-llm for an hour earlier and now skips its stop at 20:00. */
async function skip() {
  calendar = await startCalendar()
  town = calendar.town
  await calendar.jumpTo('mon 12:00')
  const ana = town.slack.as('U0ANA')
  await schedule(calendar, ana, 'my-llm')
  await asks(ana, 'keep my-llm 1h', 'Paused automation for my-llm')
  await calendar.goTo('mon 19:51')
  await presses(ana, 'Keep tonight', 'skipped by @ana')
  await calendar.rest()
  return ana
}

describe('A skipped stop', () => {
  test('is shown by schedules and status with person and end, and ends by itself', async () => {
    const ana = await skip()
    const { text } = await asks(
      ana,
      'schedules my-llm',
      /stop today at 11:00 skipped: left alone until tomorrow at 00:00.+@ana/s,
    )
    expect(text).toContain('my-llm: running · stops in ')
    expect(text).not.toContain('Left alone')
    await asks(ana, 'status my-llm', '(the stop today at 11:00 is skipped)')
    for (const when of ['mon 20:01', 'tue 09:01', 'tue 19:51']) await calendar.goTo(when)
    expect(effects(town)).toEqual([])
    await ana.sees('🌙 my-llm stops', ops)
    await calendar.goTo('tue 20:01')
    expect(effects(town)).toEqual(['stop'])
  })

  test('is restored by undo, which undoes nothing older, and people are warned again', async () => {
    const ana = await skip()
    expect(await ana.types('ops', '/endpoint undo')).toContain('[Undo skipping the stop of my-llm]')
    await asks(ana, 'undo my-llm', 'Resumed automation for my-llm. Schedules and idle stops apply to my-llm again.')
    await calendar.goTo('mon 19:54')
    await ana.sees('🌙 my-llm stops', ops)
    await ana.sees('skipped by @ana. You’ll be warned again before it happens.', ops)
    await calendar.goTo('mon 20:01')
    expect(effects(town)).toEqual(['stop'])
  })

  test('may also be skipped by cancel, and undo then concerns the skip, not the schedule', async () => {
    calendar = await startCalendar()
    town = calendar.town
    await calendar.jumpTo('mon 12:00')
    const ana = town.slack.as('U0ANA')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await asks(
      town.slack.as('U0BEN'),
      'cancel my-llm',
      /^Cancelled: Stop my-llm\. Left my-llm as it is; automation paused until /,
    )
    await calendar.rest()
    await asks(ana, 'schedules my-llm', 'stop today at 11:00 skipped')
    await asks(ana, 'undo my-llm', 'This undoes “Skip the stop of my-llm”')
  })

  test('can be resumed after its time, with a warning first', async () => {
    const ana = await skip()
    await calendar.goTo('mon 21:00')
    await ana.types('ops', '/endpoint schedules my-llm')
    await ana.presses('Resume automation')
    await ana.sees('Resumed automation for my-llm', ops)
    await calendar.goTo('mon 21:02')
    await ana.sees('🌙 my-llm stops', ops)
    expect(effects(town)).toEqual([])
    await calendar.goTo('mon 21:15')
    expect(effects(town)).toEqual(['stop'])
  })
})

describe('A planned stop in a run of ana that ben skips', () => {
  async function skipped() {
    calendar = await startCalendar()
    town = calendar.town
    const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
    await calendar.jumpTo('mon 12:00')
    for (const [line, at] of [
      ['start my-llm for 5h', 'today at 08:00'],
      ['stop my-llm at 2h', 'today at 05:00'],
    ] as const) {
      await asks(ana, line, `Stop my-llm ${at}?`)
      await presses(ana, 'Schedule stop', `Scheduled a stop of my-llm ${at}`)
    }
    await ana.sees('It was to run until today at 08:00, as @ana requested.', ops)
    await calendar.goTo('mon 13:51')
    await presses(ben, 'Skip this one', /skipped by @ben\. Left my-llm as it is\.(?!.*automation paused)/s)
    await calendar.rest()
    return ben
  }

  test('pauses nothing, and the run ends at its time', async () => {
    const ben = await skipped()
    await asks(ben, 'status my-llm', 'Running until today at 08:00 (one-time request), then stops.')
    await calendar.goTo('mon 14:01')
    expect(effects(town)).toEqual([])
    for (const when of ['mon 16:51', 'mon 17:02']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop'])
  })

  test('is planned again by undo, and after its time undo stops the endpoint', async () => {
    const ben = await skipped()
    await asks(ben, 'undo my-llm', /Stop my-llm today at 05:00\?.*This undoes “Skip the stop of my-llm”/s)
    await presses(ben, 'Don’t schedule it', 'Stop my-llm today at 05:00 cancelled. Nothing changed.')
    await calendar.goTo('mon 14:01')
    await asks(ben, 'undo my-llm', /Stop my-llm\?.*This undoes “Skip the stop of my-llm”/s)
  })
})

test.each([
  ['keep my-llm 5m', 'isn’t skipped'],
  ['freeze until 10:56 reason="a drill"', 'Paused all automation'],
])('A stop that was skipped while “%s” paused it is not made', async (line, done) => {
  calendar = await startCalendar()
  town = calendar.town
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await calendar.jumpTo('mon 12:00')
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('mon 19:51')
  await asks(ben, line, done)
  await calendar.rest()
  await presses(ana, 'Keep tonight', 'automation paused until tomorrow at 00:00')
  for (const when of ['mon 19:57', 'mon 20:01', 'mon 20:11']) await calendar.goTo(when)
  expect(effects(town)).toEqual([])
})

test('“Stop now” on a warning is refused if a stop needs an approval', async () => {
  const policy = policyOf(`
    matrix: { disruptive: { active: approval } }
    roles: { viewer: [everyone], operator: ["user:U0ANA"], approver: ["user:U0BEN"] }
`)
  calendar = await startCalendar({ policy, env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
  town = calendar.town
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await calendar.jumpTo('mon 12:00')
  await asks(ana, 'stop my-llm at 2h', 'Stop my-llm today at 05:00?')
  await presses(ben, 'Approve: Schedule stop', 'Scheduled a stop of my-llm today at 05:00')
  await calendar.goTo('mon 13:51')
  await presses(ana, 'Stop now', 'Stopping my-llm before that time needs an approval.')
  expect(effects(town)).toEqual([])
  await calendar.goTo('mon 14:01')
  expect(effects(town)).toEqual(['stop'])
})

describe('“Stop now” on a warning', () => {
  /** ana schedules my-llm at a time and stops it from the warning of the evening. */
  async function stopNow(made: string) {
    calendar = await startCalendar()
    town = calendar.town
    const ana = town.slack.as('U0ANA')
    await calendar.jumpTo(made)
    await schedule(calendar, ana, 'my-llm')
    if (made !== 'mon 19:52') await calendar.goTo('mon 19:51')
    await presses(ana, 'Stop now', 'It stays stopped until today at 11:00')
    return ana
  }

  test.each(['mon 12:00', 'mon 19:52'])('leaves the endpoint stopped that is scheduled since %s', async (made) => {
    await stopNow(made)
    for (const when of ['mon 19:54', 'mon 19:58', 'mon 20:01']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop'])
    await calendar.goTo('tue 09:01')
    expect(effects(town)).toEqual(['stop', 'start'])
  })

  test('is not taken for a change elsewhere after a freeze', async () => {
    const ana = await stopNow('mon 12:00')
    await asks(ana, 'freeze until 10:54 reason="a drill"', 'Paused all automation')
    for (const when of ['mon 19:53', 'mon 19:55', 'mon 20:01']) await calendar.goTo(when)
    expect(town.slack.transcript('ops')).not.toContain('outside Lamplighter')
    expect(effects(town)).toEqual(['stop'])
  })
})

test('A skipped start is shown as a pause, and undo concerns the skip, not the schedule', async () => {
  const policy = policyOf(`
    matrix: { reversible: { dormant: confirmation } }
    roles: { viewer: [everyone], operator: ["user:U0ANA", "user:U0BEN"], approver: [], admin: [] }
`)
  calendar = await startCalendar({ policy })
  town = calendar.town
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await calendar.jumpTo('mon 08:00')
  await schedule(calendar, ana, 'my-tts')
  await calendar.goTo('mon 09:00')
  await ana.sees(/my-tts starts .*\n *\[Skip this one\] \[Start now\]$/m, ops)
  await presses(ben, 'Skip this one', 'Start my-tts skipped by @ben')
  await calendar.rest()
  await asks(ana, 'schedules my-tts', /automation paused until today at 11:00\s+by @ben/)
  await calendar.goTo('mon 09:10')
  await asks(ana, 'undo my-tts', /^Resume automation for my-tts\?.*This undoes “Skip the start of my-tts”/s)
  expect(await ben.types('ops', '/endpoint undo')).toContain('[Undo skipping the start of my-tts]')
  await asks(ben, 'undo my-tts', 'Resumed automation for my-tts')
  for (const when of ['mon 09:12', 'mon 09:14']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['start'])
})
