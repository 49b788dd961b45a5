import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects, keepHour, labelIn } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { policyOf, type Town, type TownOptions } from '../support/town.ts'

/* How people postpone what rules do. Times are in Seoul; ana's are in UTC. */

let calendar: Calendar
let town: Town
const keptShortly = policyOf(`
    bounds: { keep: 1h }
    roles: { viewer: [everyone], operator: ["user:U0ANA"], approver: [], admin: [] }
`)
async function begin(when: string, options: TownOptions = {}) {
  calendar = await startCalendar(options)
  town = calendar.town
  await calendar.jumpTo(when)
  return town.slack.as('U0ANA')
}
afterEach(() => calendar.stop())

describe('Keeping an endpoint', () => {
  test('for a shorter time says until when it was kept and whose pause that ends, and leaves that if it passes unanswered', async () => {
    const ana = await begin('mon 12:00')
    await asks(ana, 'keep my-llm 4h', 'Paused automation')
    await asks(ana, 'keep my-llm 2h', /until today at 05:00\. .*The pause was to last until today at 07:00\./)
    const ben = town.slack.as('U0BEN')
    await asks(
      ben,
      'keep my-llm 10m',
      /This ends @ana’s pause, which lasts until today at 05:00\..*\[Pause automation\]/s,
    )
    await calendar.goTo('mon 12:20')
    await ben.sees(/Pause automation for my-llm until .+ cancelled\. That time has passed/, ops)
    await asks(ana, 'status my-llm', 'Left alone until today at 05:00 (@ana paused its automation)')
  })

  test('until a time that another person undoes restores the earlier pause in the name of its owner', async () => {
    const ana = await begin('mon 12:00')
    const ben = town.slack.as('U0BEN')
    await asks(ana, 'keep my-llm 2h', 'Paused automation')
    await asks(ben, 'keep my-llm 5h', 'Paused automation for my-llm until today at 08:00')
    await asks(ben, 'undo my-llm', 'undo by @ben')
    await calendar.rest()
    await asks(ana, 'status my-llm', 'Left alone until today at 05:00 (@ana paused its automation)')
    await ben.types('ops', '/endpoint resume my-llm')
    await presses(ben, 'Resume automation', 'Resumed automation for my-llm')
    await ben.types('ops', '/endpoint undo my-llm')
    await calendar.rest()
    await asks(ben, 'stop my-llm', /^Stop my-llm\?(?!.*@ben paused).*@ana paused its automation until/s)
  })

  test('ends no start or stop by hand early, which would undo it', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ana, 'Stop my-llm', 'It stays stopped until today at 11:00')
    await calendar.goTo('mon 13:00')
    await asks(town.slack.as('U0BEN'), 'keep my-llm 1h', 'my-llm is already left alone until today at 11:00.')
    for (const when of ['mon 14:01', 'mon 14:11']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop'])
  })

  test('does not start an endpoint again that was stopped by hand meanwhile', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await asks(town.slack.as('U0BEN'), 'keep my-llm 4h', 'Paused automation for my-llm')
    await calendar.goTo('mon 13:00')
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ana, 'Stop my-llm', 'It stays stopped until today at 11:00')
    for (const when of ['mon 15:56', 'mon 16:05']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop'])
    await calendar.goTo('tue 09:01')
    expect(effects(town)).toEqual(['stop', 'start'])
  })

  test('for an hour stops it an hour after its time, whenever the button was pressed', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await ana.presses('Keep 1 h', ops)
    const after = 'you’ll be warned again before it stops. @ana paused its automation.'
    await ana.sees(`Kept my-llm running until today at 12:00; ${after}`, ops)
    await ana.sees('[Resume automation]', ops)
    // The notice says so itself, so nothing else is posted.
    expect(town.slack.transcript('ops')).not.toContain('Paused automation')
    await calendar.goTo('mon 20:51')
    await ana.sees('Stop now', ops)
    await expect.poll(() => town.slack.transcript('ops')).not.toContain('[Resume automation]')
    expect(town.slack.transcript('ops')).toContain(`Kept my-llm running until today at 12:00; ${after}`)
    await calendar.goTo('mon 20:58')
    expect(effects(town)).toEqual([])
    await calendar.goTo('mon 21:01')
    expect(effects(town)).toEqual(['stop'])
  })

  test('for an hour does not shorten what another person pressed in the same moment', async () => {
    const ana = await begin('mon 12:00')
    const ben = town.slack.as('U0BEN')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    const night = labelIn(town, /tonight/)
    await Promise.all([ana.presses('Keep 1 h', ops), ben.presses(night, ops)])
    await calendar.goTo('mon 19:53')
    await asks(ana, 'status my-llm', /Left alone until tomorrow at 00:00 .*paused by @ben/s)
    for (const when of ['mon 20:51', 'mon 21:01']) await calendar.goTo(when)
    expect(effects(town)).toEqual([])
  })

  test('is put off, not skipped, if automation is resumed before its end', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await presses(ana, 'Keep 1 h', 'Kept my-llm running until')
    await calendar.rest()
    await ana.presses('Resume automation', ops)
    await calendar.goTo('mon 19:54')
    await ana.sees('🌙 Stop my-llm postponed by @ana. You’ll be warned again before it happens.', ops)
    const { text } = await asks(ana, 'history my-llm', /Resumed automation.*Details.*Paused automation.*Details/s)
    expect(text).not.toContain('Stop my-llm')
  })

  test('that is stopped says so and offers the start', async () => {
    const ana = await begin('mon 12:00')
    await asks(
      ana,
      'keep my-tts up until tomorrow',
      /Paused automation for my-tts until .*\. my-tts was already stopped\./,
    )
    await presses(ana, 'Start my-tts', 'Started my-tts')
    for (const line of ['history my-tts', 'status my-tts']) {
      const { text } = await asks(ana, line, /Started my-tts.*Details.*Paused automation for my-tts.*Details/s)
      expect(text).not.toMatch(/my-tts (is|was) stopped/)
    }
  })

  test('tonight lasts over the coming night, even if it is typed before 09:00', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    // 08:30 where ana is.
    await calendar.goTo('mon 17:30')
    await asks(ana, 'keep my-llm tonight', 'Paused automation for my-llm until tomorrow at 09:00')
    for (const when of ['mon 18:01', 'mon 19:51', 'mon 20:01']) await calendar.goTo(when)
    expect(effects(town)).toEqual([])
  })

  test('for less time than is left keeps the announced stop and does not announce it again', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await asks(
      ana,
      'keep my-llm 5m',
      /until today at .+\. The stop today at 11:00 comes after this pause and isn’t skipped\./,
    )
    for (const when of ['mon 19:53', 'mon 19:58']) await calendar.goTo(when)
    expect([timesSaid(calendar, 'my-llm stops'), timesSaid(calendar, '[Stop now]')]).toEqual([1, 1])
    await calendar.goTo('mon 20:01')
    expect(effects(town)).toEqual(['stop'])
  })

  test('makes its stop no late one if it is resumed before its end', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await asks(ana, 'keep my-llm 12h', 'Paused automation for my-llm')
    await calendar.goTo('mon 22:56')
    await ana.types('ops', '/endpoint resume my-llm')
    await calendar.goTo('mon 22:58')
    await ana.sees(/🌙 my-llm stops today at 14:0\d/, ops)
    expect(town.slack.transcript('ops')).not.toMatch(/ late\b/)
  })

  test('makes its stop no late one either if a request holds it back after that', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await asks(ana, 'keep my-llm 12h', 'Paused automation for my-llm')
    await calendar.goTo('mon 22:50')
    await asks(ana, 'stop my-llm', 'or any operator can confirm')
    await ana.types('ops', '/endpoint resume my-llm')
    await calendar.goTo('mon 22:52')
    await asks(ana, 'cancel my-llm', 'Stop my-llm cancelled')
    await calendar.goTo('mon 22:54')
    await ana.sees(/🌙 my-llm stops today at 14:0\d/, ops)
    expect(town.slack.transcript('ops')).not.toMatch(/ late\b/)
  })

  test('and resuming it while the stop after the pause is announced explains the new warning', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await presses(ana, 'Keep 1 h', 'Kept my-llm running until')
    await calendar.goTo('mon 20:51')
    await ana.sees('Stop now', ops)
    await asks(ana, 'resume my-llm', 'Resumed automation')
    await calendar.goTo('mon 20:53')
    await ana.sees('my-llm should be stopped now; you’ll be warned again before it stops', ops)
    expect(town.slack.transcript('ops')).not.toMatch(/ late\b/)
  })

  test('lasts as long as the policy allows if that ends within an hour after the stop', async () => {
    const ana = await begin('mon 12:00', { policy: keptShortly })
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    expect(timesSaid(calendar, 'Keep 1 h')).toBe(0)
    // Skipping is still offered.
    expect(timesSaid(calendar, '[Skip this one]')).toBe(1)
    await presses(ana, labelIn(town, /^Keep 5\d min/), '@ana paused its automation.')
    await calendar.goTo('mon 20:46')
    await ana.sees('Stop now', ops)
    expect(effects(town)).toEqual([])
    await calendar.goTo('mon 20:53')
    expect(effects(town)).toEqual(['stop'])
  })

  test('until tomorrow stops it in the morning of the rule’s zone, whoever pressed', async () => {
    const ana = await begin('fri 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('fri 19:51')
    await presses(ana, 'Keep tonight', '@ana paused its automation.')
    await calendar.goTo('sat 08:51')
    expect(effects(town)).toEqual([])
    await calendar.goTo('sat 09:01')
    expect(effects(town)).toEqual(['stop'])
  })

  test('until right before its next start leaves it running, and announces no stop', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await asks(
      ana,
      'keep my-llm until 23:55',
      /Kept my-llm running until today at 23:55\. @ana paused its automation\./,
    )
    const { text } = await asks(ana, 'status my-llm', 'Left alone until tomorrow at 00:00')
    expect(text).not.toContain('then stops')
    for (const when of ['tue 08:46', 'tue 08:55', 'tue 08:58', 'tue 09:01']) await calendar.goTo(when)
    expect([timesSaid(calendar, '[Stop now]'), effects(town)]).toEqual([0, []])
  })

  test('by a freeze that ends right before its next start leaves it running too', async () => {
    const ana = await begin('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:40')
    await asks(ana, 'freeze until 23:55 reason="a drill"', 'Paused all automation')
    for (const when of ['tue 08:46', 'tue 08:56', 'tue 09:01']) await calendar.goTo(when)
    expect([timesSaid(calendar, '[Stop now]'), effects(town)]).toEqual([0, []])
  })

  test('and then skipping its only stop leaves it running', async () => {
    const ana = await begin('mon 08:00')
    await ana.types('ops', '/endpoint stop my-llm at 1h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop')
    await calendar.goTo('mon 08:52')
    await presses(ana, labelIn(town, keepHour), 'Kept my-llm running until')
    await calendar.goTo('mon 09:53')
    await ana.presses(labelIn(town, /^Keep (?:tonight|until)/), ops)
    await expect.poll(() => timesSaid(calendar, '[Keep ')).toBe(0)
    for (const when of ['mon 10:01', 'mon 10:15', 'mon 11:00', 'mon 20:00']) await calendar.goTo(when)
    expect(effects(town)).toEqual([])
  })

  test('that its schedule has stopped still starts it in the morning with its replicas', async () => {
    const ana = await begin('mon 12:00', { platform: { mostAfterStart: 1 } })
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:51')
    await calendar.goTo('mon 20:01')
    await asks(ana, 'keep my-llm 1h', 'Paused automation for my-llm')
    await calendar.goTo('tue 09:00')
    expect(effects(town)).toEqual(['stop', 'start', 'scale'])
    expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')).toMatchObject({ active: true, replicas: 3 })
  })
})

test('Undo of an end given to an endpoint that was started by hand leaves it running as before', async () => {
  const ana = await begin('mon 12:00')
  await schedule(calendar, ana, 'my-llm')
  for (const when of ['mon 19:51', 'mon 20:01', 'mon 21:00']) await calendar.goTo(when)
  await asks(ana, 'start my-llm', 'It stays running until tomorrow at 00:00')
  await ana.types('ops', '/endpoint start my-llm for 1h')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await asks(ana, 'undo my-llm', 'undo by @ana')
  for (const when of ['mon 21:15', 'mon 22:15']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop', 'start'])
})

test('Undo of a start for a while that was not sent yet leaves the endpoint stopped, as it was left by hand', async () => {
  const ana = await begin('mon 12:00')
  await schedule(calendar, ana, 'my-llm')
  await ana.types('ops', '/endpoint stop my-llm')
  await presses(ana, 'Stop my-llm', 'It stays stopped until today at 11:00')
  // The question holds the endpoint, so the start waits.
  await asks(ana, 'patch my-llm command="serve 2"', /^Patch my-llm/)
  await asks(ana, 'start my-llm for 1h', 'Starting my-llm. Its schedule keeps it running')
  await asks(
    ana,
    'undo my-llm',
    /Removed: .+ It stays stopped until today at 11:00; its rules apply again after that\..*undo by @ana/s,
  )
  await asks(ana, 'cancel my-llm', /^Patch my-llm .*cancelled/)
  for (const when of ['mon 12:15', 'mon 12:30']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop'])
})

test('An end right before its hours that a start by hand is given is kept', async () => {
  const ana = await begin('mon 07:00', { endpoints: [{ id: 'ep-llm', name: 'my-llm', active: false, replicas: 1 }] })
  await schedule(calendar, ana, 'my-llm')
  await asks(ana, 'start my-llm', 'Started my-llm')
  await calendar.goTo('mon 07:30')
  await ana.types('ops', '/endpoint start my-llm for 85m')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  for (const when of ['mon 08:46', 'mon 08:56', 'mon 08:58']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['start', 'stop'])
})

test('A schedule starts an endpoint that was patched while stopped with its replicas', async () => {
  const ana = await begin('mon 12:00', { platform: { mostAfterStart: 1 } })
  await schedule(calendar, ana, 'my-llm')
  for (const when of ['mon 19:51', 'mon 20:01']) await calendar.goTo(when)
  await asks(ana, 'patch my-llm port=8081', 'Patched my-llm')
  await calendar.goTo('tue 09:01')
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')).toMatchObject({ active: true, replicas: 3 })
})

test('A change at the console is reported as such whatever else has been set since', async () => {
  const ana = await begin('mon 08:30')
  await schedule(calendar, ana, 'my-tts')
  await calendar.goTo('mon 09:00')
  expect(effects(town)).toEqual(['start'])
  await asks(ana, 'idle my-tts off', 'my-tts')
  await calendar.goTo('mon 09:30')
  town.platform.console.stop('ep-tts')
  await calendar.goTo('mon 10:00')
  await ana.sees('[Return to schedule] [Leave it until morning]', ops)
  expect(timesSaid(calendar, 'outside Lamplighter')).toBe(1)
  await presses(ana, 'Leave it until morning', 'Paused automation for my-tts')
  for (const when of ['mon 20:01', 'tue 09:01']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['start', 'stop', 'start'])
})

test('A start after a run has ended during a pause names no stop, since none comes', async () => {
  const ana = await begin('mon 10:00')
  await asks(ana, 'start my-tts for 1h', 'Started my-tts to run until')
  await calendar.goTo('mon 10:51')
  await asks(ana, 'keep my-tts 20m', 'Paused automation for my-tts')
  town.platform.console.stop('ep-tts')
  await calendar.goTo('mon 11:03')
  await asks(
    ana,
    'start my-tts',
    /^✅ Started my-tts; it’s serving\. It stays running until tomorrow at \S+ its rules apply again/,
  )
  await calendar.goTo('mon 11:20')
  expect(timesSaid(calendar, 'as planned')).toBe(0)
  expect(effects(town)).toEqual(['start', 'stop', 'start'])
})

test('A planned stop that somebody else runs at once has no reason of theirs', async () => {
  const ana = await begin('mon 12:00')
  const ben = town.slack.as('U0BEN')
  await asks(ana, 'stop my-llm in 30 minutes reason="the test is over"', '[Schedule stop]')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await calendar.goTo('mon 12:25')
  await presses(ben, 'Stop now', /Stopped my-llm\..*confirmed by @ben/s)
  await calendar.rest()
  await asks(ana, 'why is my-llm stopped?', /last stopped my-llm .*, requested by @ben\. No schedule/)
})

test('A planned stop that somebody runs at once is over, so a later start is not stopped then', async () => {
  const ana = await begin('mon 12:00')
  const ben = town.slack.as('U0BEN')
  await asks(ana, 'stop my-llm in 30 minutes', '[Schedule stop]')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await calendar.goTo('mon 12:25')
  await presses(ben, 'Stop now', /Stopped my-llm\..*confirmed by @ben/s)
  await calendar.rest()
  await asks(ana, 'schedules my-llm', 'my-llm is stopped and has no schedule')
  await asks(ana, 'undo my-llm', 'Started my-llm')
  for (const when of ['mon 12:31', 'mon 12:41']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop', 'start'])
})

test('After a pause has ended, undo says so and offers to undo what came before it', async () => {
  const ana = await begin('mon 12:00')
  const ben = town.slack.as('U0BEN')
  await schedule(calendar, ana, 'my-llm')
  await asks(ben, 'keep my-llm 10m', 'Paused automation for my-llm')
  await calendar.goTo('mon 12:12')
  await asks(
    ben,
    'undo my-llm',
    /^“Pause automation for my-llm until .*” is over already.*before it was “Schedule my-llm: /,
  )
  await presses(ben, 'Undo the schedule of my-llm', 'Removed the schedule of my-llm')
})

test('The end of a run that waits for an unanswered stop is said to be put off', async () => {
  const ana = await begin('mon 12:00')
  const ben = town.slack.as('U0BEN')
  await asks(ana, 'start my-tts for 20m', 'Started my-tts to run until')
  await asks(ana, 'cancel the stop of my-tts', /runs until today at 03:20 \(one-time request\)\s+\[Cancel this stop\]/)
  await asks(ben, 'stop my-tts', '[Stop my-tts]')
  await calendar.goTo('mon 12:21')
  await ana.sees('I put off stopping my-tts, because “Stop my-tts” hadn’t ended yet.', ops)
  await asks(ana, 'status my-tts', 'It should have been stopped today at 03:20, but is still running.')
  await presses(ben, 'Stop my-tts', 'Stopped my-tts')
})

test('A start for a while that is answered after a stop names only the stops to come', async () => {
  const ana = await begin('mon 19:45')
  await schedule(calendar, ana, 'my-llm')
  await asks(ana, 'start my-llm until 11:30', /The stop scheduled for today at 11:00 is skipped\./)
  await calendar.pass(25, 5)
  await ana.sees(/^Start my-llm until today at 11:30\?(?!.*is skipped)/s, ops)
})
