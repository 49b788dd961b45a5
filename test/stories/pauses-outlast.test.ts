import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'

/* A pause that somebody asked for outlasts what is done by hand. Times of the story are in Seoul, those of ana in UTC. */

let calendar: Calendar
afterEach(() => calendar.stop())

test.each(['undo my-llm', 'start my-llm'])(
  'A pause is still in force after another person stops the endpoint and “%s” starts it again',
  async (line) => {
    calendar = await startCalendar()
    const { town } = calendar
    const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
    await calendar.jumpTo('mon 12:00')
    await schedule(calendar, ana, 'my-llm')
    await calendar.goTo('mon 19:30')
    await asks(ana, 'keep my-llm 3h', 'Paused automation for my-llm until today at 13:30')
    await ben.types('ops', '/endpoint stop my-llm')
    await presses(ben, 'Stop my-llm', 'Stopped my-llm')
    await calendar.rest()
    await asks(ben, line, /Started my-llm.*it’s serving/)
    await calendar.rest()
    for (const when of ['mon 19:52', 'mon 20:03', 'mon 20:20']) await calendar.goTo(when)
    // Nobody was asked whether ana's pause may end, and nobody was told that it did.
    expect(effects(town)).toEqual(['stop', 'start'])
    await asks(ana, 'schedules my-llm', /automation paused until today at 13:30.+@ana/s)
  },
)

/** Without rules of its own, the endpoint's pause does outlast both. */
test('A pause of an endpoint without hours outlasts them too', async () => {
  calendar = await startCalendar()
  const { town } = calendar
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await calendar.jumpTo('mon 12:00')
  await ana.types('ops', '/endpoint stop my-llm at 5h')
  await presses(ana, 'Schedule stop', 'Scheduled')
  await asks(ana, 'keep my-llm 8h', 'Paused automation for my-llm')
  await ben.types('ops', '/endpoint stop my-llm')
  await presses(ben, 'Stop my-llm', 'Stopped my-llm')
  await calendar.rest()
  await asks(ben, 'start my-llm', /Started my-llm.*it’s serving/)
  await calendar.goTo('mon 17:20')
  await asks(ana, 'schedules my-llm', /automation paused until .+@ana/s)
})

test('A person’s own stop, taken back by undo, leaves their pause as it was', async () => {
  calendar = await startCalendar()
  const { town } = calendar
  const ana = town.slack.as('U0ANA')
  await calendar.jumpTo('mon 12:00')
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('mon 19:30')
  await asks(ana, 'keep my-llm 3h', 'Paused automation for my-llm until today at 13:30')
  await ana.types('ops', '/endpoint stop my-llm')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  await calendar.rest()
  await asks(ana, 'undo my-llm', /Started my-llm.*it’s serving/)
  await calendar.rest()
  for (const when of ['mon 19:52', 'mon 20:03', 'mon 20:20']) await calendar.goTo(when)
  expect(effects(town)).toEqual(['stop', 'start'])
})

async function stoppedInAPause(length = '3h') {
  calendar = await startCalendar()
  const { town } = calendar
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await calendar.jumpTo('mon 12:00')
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('mon 19:30')
  await asks(ana, `keep my-llm ${length}`, 'Paused automation for my-llm until today at 13:30')
  await ben.types('ops', '/endpoint stop my-llm')
  await presses(ben, 'Stop my-llm', 'Stopped my-llm')
  await calendar.rest()
  return { town, ben }
}

test('A planned stop at the end of a pause, taken back after a stop by hand, leaves the pause as it was', async () => {
  const { ben } = await stoppedInAPause('until 13:30')
  await ben.types('ops', '/endpoint stop my-llm at 13:30')
  await presses(ben, 'Schedule stop', 'Scheduled a stop of my-llm')
  await asks(ben, 'undo my-llm', 'Removed: stop once today at 13:30')
  await calendar.rest()
  await calendar.goTo('mon 20:30')
  await asks(ben, 'schedules my-llm', /left alone until today at 13:30/)
})

test('A run after another person’s stop does not end inside a pause that somebody asked for', async () => {
  const { town, ben } = await stoppedInAPause()
  await ben.types('ops', '/endpoint start my-llm for 1h')
  await calendar.rest()
  for (const when of ['mon 20:25', 'mon 20:35', 'mon 21:00']) await calendar.goTo(when)
  expect(['stop', 'stop,start']).toContain(effects(town).join())
})

async function startedInAPause() {
  calendar = await startCalendar()
  const { town } = calendar
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await calendar.jumpTo('mon 20:20')
  await schedule(calendar, ana, 'my-tts')
  await asks(ana, 'keep my-tts 3h', 'Paused automation for my-tts until today at 14:20')
  await asks(ben, 'start my-tts', 'Started my-tts')
  await calendar.rest()
  return ben
}

test.each([
  ['stop my-tts at 40m', 'Schedule stop'],
  ['stop my-tts at 4h', 'Schedule stop'],
  ['start my-tts for 1h', 'Schedule stop'],
])('“%s” after a start by hand in a pause is confirmed with one press, and the pause lasts', async (line, button) => {
  const ben = await startedInAPause()
  await ben.types('ops', `/endpoint ${line}`)
  await calendar.town.minutesPass(1)
  await ben.presses(button, { in: 'ops' })
  await calendar.rest()
  await calendar.goTo('mon 20:25')
  expect(timesSaid(calendar, 'Please answer again')).toBe(0)
  expect(calendar.town.slack.transcript('ops')).toContain('Scheduled a stop of my-tts')
  for (const at of ['mon 21:03', 'mon 21:12', 'mon 21:40']) await calendar.goTo(at)
  expect(effects(calendar.town)).toEqual(['start'])
})

test('A question about a planned stop is not asked again while nobody answers', async () => {
  const ben = await startedInAPause()
  await ben.types('ops', '/endpoint stop my-tts at 40m')
  await calendar.rest()
  for (const at of ['mon 20:22', 'mon 20:24', 'mon 20:26', 'mon 20:28', 'mon 20:30']) await calendar.goTo(at)
  expect([timesSaid(calendar, 'Please answer again'), timesSaid(calendar, 'keeps changing')]).toEqual([0, 0])
})

test('A pause outlasts a stop by hand before its rule’s hours end and a start by hand after that', async () => {
  const { town, ben } = await stoppedInAPause()
  await calendar.goTo('mon 20:05')
  await asks(ben, 'start my-llm', /Started my-llm.*it’s serving/)
  await calendar.rest()
  await ben.types('ops', '/endpoint resume my-llm')
  await calendar.rest()
  for (const when of ['mon 20:20', 'mon 20:40', 'mon 21:00']) await calendar.goTo(when)
  // Either ana's pause goes on, or somebody confirmed its end and she was told.
  const told = town.slack.transcript('U0ANA')
  expect([effects(town).join(), /pause of automation for my-llm/.test(told)]).toEqual(['stop,start', false])
})

test('Who takes back the end of a pause after a start by hand leaves the earlier pause to its owner', async () => {
  const ben = await startedInAPause()
  await ben.types('ops', '/endpoint resume my-tts')
  await presses(ben, 'Resume automation', 'Resumed automation for my-tts')
  await asks(ben, 'undo my-tts', 'Paused automation for my-tts')
  await calendar.rest()
  await asks(ben, 'stop my-tts', /^Stop my-tts\?.*@ana paused its automation until/s)
})
