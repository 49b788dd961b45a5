import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import type { Town } from '../support/town.ts'

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
