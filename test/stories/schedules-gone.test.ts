import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import type { Town } from '../support/town.ts'

/* Endpoints that the platform has no more. */

let calendar: Calendar
let town: Town
const ops = { in: 'ops' } as const
async function begin() {
  calendar = await startCalendar({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
  town = calendar.town
  await calendar.jumpTo('mon 12:00')
  return town.slack.as('U0ANA')
}
afterEach(() => calendar.stop())

describe('An endpoint with rules that is gone', () => {
  test('is told of by the name it had, and its rules are taken away by the button', async () => {
    const ana = await begin()
    await schedule(calendar, ana, 'my-llm')
    town.platform.remove('ep-llm')
    await calendar.goTo('mon 13:00')
    expect(timesSaid(calendar, 'The platform has no my-llm any more: its rules rest.')).toBe(1)
    await ana.types('ops', '/endpoint schedules')
    await ana.sees('my-llm: the platform has it no more, so that its rules rest.', ops)
    await ana.presses('Take the rules of my-llm away', ops)
    await ana.sees('Unscheduled my-llm', ops)
    expect(await calendar.records()).toBe(0)
    await calendar.goTo('mon 20:15')
    expect(effects(town)).toEqual([])
    expect(timesSaid(calendar, 'any more: its rules rest.')).toBe(1)
  })

  test('lets go of whatever was laid down about it, and takes nothing new', async () => {
    const ana = await begin()
    for (const line of ['protect my-llm', 'keep my-tts 4h', 'idle my-tts off']) {
      await ana.types('ops', `/endpoint ${line}`)
      await calendar.rest()
    }
    expect(await calendar.records()).toBe(3)
    for (const id of ['ep-llm', 'ep-tts']) town.platform.remove(id)
    await ana.types('ops', '/endpoint keep ep-tts 2h')
    await ana.sees(/my-tts: .*Nothing was done/, ops)
    await ana.types('ops', '/endpoint stop ep-tts')
    await ana.sees(/my-tts: .*Nothing was done/, ops)
    await ana.types('ops', '/endpoint keep ep-tts off')
    await calendar.rest()
    expect(await calendar.records()).toBe(2)
    await ana.types('ops', '/endpoint unprotect ep-llm')
    await ana.sees('Unprotect my-llm', ops)
  })
})
