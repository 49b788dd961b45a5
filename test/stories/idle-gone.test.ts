import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { asks, presses } from '../support/ops.ts'

/* The idle rule of a deleted endpoint says that it is gone, under its last name. */

let calendar: Calendar
afterEach(() => calendar.stop())

async function begin() {
  calendar = await startCalendar()
  const { town } = calendar
  const ana = town.slack.as('U0ANA')
  await calendar.jumpTo('mon 12:00')
  await ana.types('ops', '/endpoint idle my-llm after 60m')
  await presses(ana, 'Turn on idle stop', 'Turned on idle stop')
  await calendar.rest()
  town.platform.remove('ep-llm')
  await calendar.goTo('mon 13:00')
  await calendar.goTo('mon 13:05')
  // The next list of names no longer has it.
  await asks(ana, 'status my-tts', 'my-tts')
  await asks(ana, 'list', 'my-tts')
  return ana
}

test('The idle stop of a deleted endpoint is listed as that of an endpoint which the platform no longer has', async () => {
  const ana = await begin()
  const { text } = await asks(ana, 'schedules', '1 endpoint with automation')
  expect(text).toContain('The platform no longer has it')
})

test('The idle stop of a deleted endpoint is turned off under its last name', async () => {
  const ana = await begin()
  await asks(ana, 'schedules', '1 endpoint with automation')
  await presses(ana, 'Turn off idle stop', 'Turned off idle stop for my-llm')
})

test('People are told once that an endpoint with an idle stop is gone, as for one with a schedule', async () => {
  await begin()
  expect(timesSaid(calendar, 'The platform no longer has my-llm')).toBe(1)
})

test('Whoever is told that a scheduled endpoint with an idle stop is gone can remove both', async () => {
  calendar = await startCalendar()
  const { town } = calendar
  const ana = town.slack.as('U0ANA')
  await calendar.jumpTo('mon 12:00')
  await schedule(calendar, ana, 'my-llm')
  await ana.types('ops', '/endpoint idle my-llm after 60m')
  await presses(ana, 'Turn on idle stop', 'Turned on idle stop')
  await calendar.rest()
  town.platform.remove('ep-llm')
  await calendar.goTo('mon 13:00')
  await presses(ana, 'Remove the schedule of my-llm', 'Removed the schedule of my-llm')
  await presses(ana, 'Turn off idle stop for my-llm', 'Turned off idle stop for my-llm')
  expect(await calendar.records()).toBe(0)
})
