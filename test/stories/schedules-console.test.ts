import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import type { Town } from '../support/town.ts'

/* What people are asked after a change at the console. Times are in Seoul. */

let calendar: Calendar
let town: Town
const [back, so] = ['Return to schedule', 'Leave it until morning']
afterEach(() => calendar.stop())

/** my-llm is within the window of its schedule. */
async function begun() {
  calendar = await startCalendar()
  town = calendar.town
  await calendar.jumpTo('mon 12:00')
  const ana = town.slack.as('U0ANA')
  await schedule(calendar, ana, 'my-llm')
  return ana
}

/** my-llm is stopped at the console within its window, and the announcement is posted. */
async function stoppedElsewhere() {
  const ana = await begun()
  town.platform.console.stop('ep-llm')
  await calendar.goTo('mon 12:30')
  await ana.sees(`[${back}] [${so}]`, ops)
  return ana
}

/** The announcement, which must be posted once. */
function announced(): string {
  const found = town.slack
    .channel('ops')
    .messages()
    .filter(({ text }) => text?.includes('though its schedule wants it running'))
  expect(found).toHaveLength(1)
  return JSON.stringify(found[0]?.blocks)
}

describe('The announcement of a change at the console', () => {
  test('loses its buttons and names the person who returned the endpoint to its schedule', async () => {
    const ana = await stoppedElsewhere()
    await presses(ana, back, /outside Lamplighter, .+\. @ana resumed its automation\./)
    expect(announced()).not.toContain(so)
    await ana.sees('Started my-llm', ops)
  })

  test('loses its buttons and names the person who paused automation', async () => {
    const ana = await stoppedElsewhere()
    await presses(ana, so, /outside Lamplighter, .+\. @ana paused its automation until .+\./)
    expect(announced()).not.toContain(back)
    await calendar.goTo('mon 19:00')
    // The stop at the console.
    expect(effects(town)).toEqual(['stop'])
  })

  async function stopsDuringRun() {
    calendar = await startCalendar()
    town = calendar.town
    await calendar.jumpTo('mon 12:00')
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'start my-tts for 2h', 'Started my-tts to run until')
    await calendar.goTo('mon 12:10')
    town.platform.console.stop('ep-tts')
    for (const when of ['mon 12:30', 'mon 12:31']) await calendar.goTo(when)
    return ana
  }

  test('names a one-time request, and a press starts the endpoint again', async () => {
    const ana = await stopsDuringRun()
    await ana.sees(/my-tts was stopped outside Lamplighter, though a one-time request wants it running\./, ops)
    const cleo = town.slack.as('U0CLEO')
    for (const line of ['why did my-tts stop?', 'why my-tts']) {
      await cleo.types('general', `/endpoint ${line}`)
      const told = /^my-tts is stopped now\..* Left alone until .* \(changed outside Lamplighter\).*\[Status\]/s
      await cleo.sees(told, { in: 'general' })
    }
    await presses(ana, 'Start my-tts', '@ana resumed its automation.')
    await calendar.goTo('mon 12:40')
    expect(effects(town)).toEqual(['start', 'stop', 'start'])
  })

  test('ends once a one-time run is as requested again, whose end then stops the endpoint', async () => {
    const ana = await stopsDuringRun()
    town.platform.console.start('ep-tts')
    for (const when of ['mon 12:40', 'mon 12:41', 'mon 12:42']) await calendar.goTo(when)
    await ana.sees(/outside Lamplighter, .+ It matches its rules again, so they apply\./, ops)
    for (const when of ['mon 13:55', 'mon 14:05']) await calendar.goTo(when)
    await ana.sees('Stopped my-tts, as planned.', ops)
  })

  test('offers to leave it until the morning only if it would not be left that long anyway', async () => {
    const ana = await begun()
    for (const when of ['mon 19:51', 'mon 20:01']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop'])
    town.platform.console.start('ep-llm')
    for (const when of ['mon 21:00', 'mon 21:01']) await calendar.goTo(when)
    await ana.sees(/my-llm was started outside Lamplighter, .*until [^[]*\[Return to schedule\](?! \[)/, ops)
    await asks(ana, 'schedules my-llm', /• changed outside Lamplighter: left alone until [^•]*\[Return to schedule\]/)
  })

  test('does not prevent a start for a while', async () => {
    const ana = await stoppedElsewhere()
    await asks(ana, 'start my-llm for 2h', 'Started my-llm to run until')
    expect(effects(town)).toEqual(['stop', 'start'])
  })

  test('loses its buttons when its time is over', async () => {
    const ana = await stoppedElsewhere()
    await calendar.goTo('mon 20:01')
    await ana.sees(/I left it that way until [^;]+\./, ops)
    expect(announced()).not.toContain(back)
  })

  test('says when the endpoint matches its rules again, and a later change is announced too', async () => {
    const ana = await stoppedElsewhere()
    town.platform.console.start('ep-llm')
    for (const when of ['mon 12:40', 'mon 12:41', 'mon 12:42']) await calendar.goTo(when)
    await ana.sees(/It matches its rules again, so they apply\./, ops)
    expect(announced()).not.toContain(back)
    await asks(ana, 'schedules my-llm', 'Running until today')
    town.platform.console.stop('ep-llm')
    for (const when of ['mon 13:00', 'mon 13:01']) await calendar.goTo(when)
    await presses(ana, back, '@ana resumed its automation.')
    await ana.sees('Started my-llm', ops)
    expect(timesSaid(calendar, 'though its schedule wants it running')).toBe(2)
  })

  test('names nobody who only scaled the endpoint here before', async () => {
    const ana = await begun()
    await ana.types('ops', '/endpoint scale my-llm to 4')
    await presses(ana, 'Scale my-llm', 'Scaled my-llm to 4')
    town.platform.console.stop('ep-llm')
    for (const when of ['mon 12:30', 'mon 12:31']) await calendar.goTo(when)
    await ana.sees(`[${back}] [${so}]`, ops)
    await asks(ana, 'status my-llm', /changed outside Lamplighter/)
    expect(town.slack.transcript('ops')).not.toContain('changed by @ana')
  })

  test('says when somebody starts the endpoint here', async () => {
    const ana = await stoppedElsewhere()
    await asks(ana, 'start my-llm', 'Started my-llm')
    for (const when of ['mon 12:40', 'mon 12:41', 'mon 12:42']) await calendar.goTo(when)
    await ana.sees('It matches its rules again', ops)
    expect(announced()).not.toContain(so)
    for (const when of ['mon 19:51', 'mon 20:02']) await calendar.goTo(when)
    expect(effects(town)).toEqual(['stop', 'start', 'stop'])
  })

  test('loses its buttons even if the rules have been removed', async () => {
    const ana = await stoppedElsewhere()
    await asks(ana, 'unschedule my-llm', 'Removed the schedule of my-llm')
    await presses(ana, back, '@ana resumed its automation.')
    expect(announced()).not.toContain(so)
  })
})

describe('A request that fails half-way', () => {
  test('leaves a stopped endpoint to its schedule, which starts it again', async () => {
    const ana = await begun()
    const fault = { kind: 'answer', status: 422, body: { detail: 'No capacity' } } as const
    town.platform.faults.add('startEndpoint', fault, 1)
    await ana.types('ops', '/endpoint restart my-llm')
    await presses(ana, 'Restart my-llm', 'No capacity')
    for (const when of ['mon 12:30', 'mon 12:31']) await calendar.goTo(when)
    await ana.sees('Started my-llm', ops)
    expect(effects(town)).toEqual(['stop', 'start'])
    expect(town.slack.transcript('ops')).not.toContain('outside Lamplighter')
  })

  test('leaves a failing endpoint to its schedule, which stops it after a warning', async () => {
    const ana = await begun()
    for (const when of ['mon 19:51', 'mon 20:02']) await calendar.goTo(when)
    town.platform.fate('ep-llm', 'deploy_failed')
    await asks(ana, 'start my-llm', 'DEPLOY_FAILED')
    for (const when of ['mon 20:10', 'mon 20:11']) await calendar.goTo(when)
    await ana.sees(/my-llm stops .+\. It’s failing/, ops)
    await asks(ana, 'who stopped my-llm?', /History of my-llm|last stopped my-llm/)
    expect(town.slack.transcript('ops')).not.toContain('outside Lamplighter')
    await calendar.goTo('mon 20:25')
    expect(effects(town)).toEqual(['stop', 'start', 'stop'])
  })
})

describe('A start against the schedule', () => {
  test('says how long it lasts, is not shown as a pause, and gives way to a stop at a time', async () => {
    const ana = await begun()
    for (const when of ['mon 19:51', 'mon 20:02', 'mon 20:30']) await calendar.goTo(when)
    await asks(ana, 'start my-llm', /It stays running until .+ at 00:00; its rules apply again after that\./)
    // The schedule and the hold, which the start itself writes.
    expect(await calendar.records()).toBe(2)
    await asks(ana, 'schedules my-llm', /• changed by a request: left alone until .+ at 00:00/)
    await calendar.goTo('mon 20:40')
    await asks(ana, 'status my-llm', /running · stops in 23 h \d+ min \(schedule\).*\s+changed by @ana/s)
    await asks(ana, 'stop my-llm at 19:00', /Stop my-llm today at 19:00\?[^?]*A warning is posted before the stop\./)
    expect(town.slack.transcript('ops')).not.toContain('Automation is paused')
    await asks(ana, 'start my-llm for 2h', /Stop my-llm today at 13:40\?[^?]*A warning is posted before the stop\./)
  })

  test('ends with a stop by hand, after which the schedule decides again', async () => {
    const ana = await begun()
    for (const when of ['mon 19:51', 'mon 20:02']) await calendar.goTo(when)
    await asks(ana, 'start my-llm', /It stays running until/)
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ana, 'Stop my-llm', /Stopped my-llm\.\s+requested by @ana/)
    expect(await calendar.records()).toBe(1)
  })
})
