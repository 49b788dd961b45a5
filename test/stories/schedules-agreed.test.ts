import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import type { Town } from '../support/town.ts'

/* People confirm what they were shown (design rule 14). Times are in Seoul. */

let calendar: Calendar
let town: Town
afterEach(() => calendar.stop())

async function begin() {
  calendar = await startCalendar()
  town = calendar.town
  await calendar.jumpTo('tue 12:00')
  return town.slack.as('U0ANA')
}

describe('The question about a new rule', () => {
  test('is asked again if a rule in its preview was removed, and then mentions the immediate stop', async () => {
    const ana = await begin()
    await ana.types('ops', '/endpoint schedule my-llm up daily 08:00-22:00 Asia/Seoul')
    await presses(ana, 'Save schedule', 'Scheduled my-llm')
    await asks(
      ana,
      'schedule my-llm up mon 09:00-10:00 Asia/Seoul',
      'This adds to its other rules (running daily 08:00–22:00 Seoul time); at all other times, my-llm is stopped.',
    )
    expect(timesSaid(calendar, 'would stop')).toBe(0)
    await asks(ana, 'unschedule my-llm', 'Removed the schedule of my-llm')
    await presses(ana, 'Save schedule', 'what this would do has changed in the meantime')
    await ana.sees('my-llm is running now and would stop after a warning of 10 min', ops)
    await calendar.goTo('tue 12:15')
    expect(timesSaid(calendar, '🌙 my-llm stops')).toBe(0)
    await presses(ana, 'Save schedule', 'Scheduled my-llm: running mon 09:00–10:00')
    await calendar.rest()
    await ana.sees('🌙 my-llm stops', ops)
    await asks(ana, 'schedules my-llm', /Tue +\d+ \w+ +running until 12:\d\d/)
    expect(effects(town)).toEqual([])
  })

  test('of a stop is asked again for another planned stop only if it shows that', async () => {
    const ana = await begin()
    const questions = new Map<string, Awaited<ReturnType<typeof ana.remembers>>>()
    for (const time of ['07:00', '08:00', '09:00', '10:00']) {
      await asks(ana, `stop my-llm at ${time}`, new RegExp(`Stop my-llm today at ${time}\\?.*\\[Schedule stop\\]`, 's'))
      questions.set(time, await ana.remembers('Schedule stop', ops))
    }
    const confirms = async (time: string, seen: RegExp | string) => {
      const button = questions.get(time)
      if (button !== undefined) await ana.pressesRaw(button)
      await ana.sees(seen, ops)
    }
    await confirms('10:00', 'Scheduled a stop of my-llm today at 10:00.')
    await confirms('07:00', 'Scheduled a stop of my-llm today at 07:00.')
    expect(timesSaid(calendar, 'Please answer again')).toBe(0)
    for (const time of ['09:00', '08:00']) {
      const again = `Stop my-llm today at ${time}\\?.*It stops before that: today at 07:00.*\\[Schedule stop\\]`
      await confirms(time, new RegExp(again, 's'))
      questions.set(time, await ana.remembers('Schedule stop', ops))
    }
    await confirms('08:00', 'Scheduled a stop of my-llm today at 08:00.')
    await confirms('09:00', 'Scheduled a stop of my-llm today at 09:00.')
  })

  test('is not asked again merely because a window began or a hold ended', async () => {
    const ana = await begin()
    await asks(ana, 'keep my-llm 10m', 'Paused automation for my-llm')
    await asks(ana, 'schedule my-llm up daily 12:15-22:00 Asia/Seoul', '[Save schedule]')
    await calendar.goTo('tue 12:20')
    await presses(ana, 'Save schedule', 'Scheduled my-llm: running daily 12:15–22:00')
    expect(timesSaid(calendar, 'has changed in the meantime')).toBe(0)
  })
})
