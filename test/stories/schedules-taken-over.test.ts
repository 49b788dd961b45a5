import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar, timesSaid } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { proposeTo, tokenOf } from '../support/programs.ts'
import { policyOf, type TownOptions } from '../support/town.ts'

/* A person's request ends a waiting notice, and nothing else does (design rule 8). Times are in Seoul. */

let calendar: Calendar
afterEach(() => calendar.stop())

async function told(options: TownOptions = {}) {
  calendar = await startCalendar(options)
  const { town } = calendar
  await calendar.jumpTo('mon 12:00')
  const ana = town.slack.as('U0ANA')
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('mon 19:51')
  await ana.sees('🌙 my-llm stops', ops)
  return { ana, town }
}

describe('A request during a notice', () => {
  test('that is declined leaves the rule’s stop in place, and people are warned again', async () => {
    const { ana, town } = await told()
    await ana.types('ops', '/endpoint restart my-llm')
    await presses(
      ana,
      'Leave it running',
      /Stop my-llm replaced by a request from @ana\. “Restart my-llm” goes first\./,
    )
    await calendar.goTo('mon 19:53')
    await ana.sees('🌙 my-llm stops', ops)
    await calendar.goTo('mon 20:01')
    expect(effects(town)).toEqual(['stop'])
  })

  test('that nobody answers delays the stop, which is then announced with a full notice', async () => {
    const { ana, town } = await told()
    await asks(ana, 'restart my-llm', '[Restart my-llm]')
    for (const when of ['mon 19:55', 'mon 20:01']) await calendar.goTo(when)
    expect(timesSaid(calendar, 'because “Restart my-llm” hadn’t ended yet')).toBe(1)
    for (const when of ['mon 20:22', 'mon 20:23']) await calendar.goTo(when)
    await ana.sees('🌙 my-llm stops', ops)
    expect(effects(town)).toEqual([])
    await calendar.goTo('mon 20:34')
    expect(effects(town)).toEqual(['stop'])
  })

  test('to stop leaves the rule’s stop at its time if nobody answers', async () => {
    const { ana, town } = await told()
    await asks(ana, 'stop my-llm', '“Stop my-llm” was announced and goes ahead unless this is confirmed first')
    await asks(ana, 'list', /stops in [89] min \(schedule\)/)
    await calendar.goTo('mon 20:01')
    expect(effects(town)).toEqual(['stop'])
    await calendar.goTo('mon 20:04')
    await ana.sees(/Stop my-llm\?.*already stopped/s, ops)
    expect(timesSaid(calendar, 'replaced by')).toBe(0)
  })

  test('that is repeated three times leaves the stop in place and doesn’t count as a failed attempt', async () => {
    const { ana, town } = await told()
    for (const [replicas, when] of [
      [2, 'mon 19:53'],
      [3, 'mon 19:55'],
      [2, 'mon 19:57'],
    ] as const) {
      await ana.types('ops', `/endpoint scale my-llm to ${replicas}`)
      await presses(ana, 'Scale my-llm', `Scaled my-llm to ${replicas}`)
      await calendar.goTo(when)
      await ana.sees('🌙 my-llm stops', ops)
    }
    await calendar.goTo('mon 20:01')
    expect(effects(town)).toEqual(['scale', 'scale', 'scale', 'stop'])
    expect(timesSaid(calendar, 'Gave up after')).toBe(0)
  })

  test('does not bring back a stop that is skipped afterwards', async () => {
    const { ana, town } = await told()
    await ana.types('ops', '/endpoint restart my-llm')
    await ana.presses('Leave it running', ops)
    await calendar.goTo('mon 19:53')
    await ana.presses('Keep tonight', ops)
    await expect.poll(() => timesSaid(calendar, '[Keep ')).toBe(0)
    for (const when of ['mon 20:01', 'mon 20:30']) await calendar.goTo(when)
    expect(effects(town)).toEqual([])
  })

  test('from a program does not replace the stop before people have confirmed it', async () => {
    const { ana, town } = await told({
      policy: policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA] }
    tokens: [user:U0ANA]
`),
      roles: ['worker', 'bot', 'api'],
      env: { LAMPLIGHTER_KEY: randomBytes(32).toString('base64') },
    })
    const token = await tokenOf(town, 'U0ANA', 'token new agent')
    expect((await proposeTo(town, token, 'restart my-llm')).body).toMatchObject({ status: 'awaiting' })
    await ana.sees('was announced and goes ahead unless this is confirmed first', ops)
    await calendar.goTo('mon 20:01')
    expect(effects(town)).toEqual(['stop'])
    expect(timesSaid(calendar, 'taken over')).toBe(0)
  })
})
