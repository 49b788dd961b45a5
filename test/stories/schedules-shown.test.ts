import { afterEach, describe, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

async function begin(options: TownOptions = {}): Promise<Town> {
  const people = [
    { id: 'U0ANA', name: 'ana', tz: 'Asia/Seoul' },
    { id: 'U0BEN', name: 'ben', tz: 'Europe/Berlin' },
  ]
  const members = people.map(({ id }) => id)
  const channels = [{ id: 'C0OPS', name: 'ops', members }]
  town = await startTown({ listed: true, slack: { people, channels, usergroups: [] }, ...options })
  return town
}

const week = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [ \d]\d \w{3} {2}(up|down|left)/g

describe('A rule that is being made', () => {
  test('is asked about with the week it comes to, by the clocks of the rule and of whoever asks', async () => {
    await begin()
    const ben = town.slack.as('U0BEN')
    await ben.types('ops', '/endpoint schedule my-llm up weekdays 09:00-20:00 Asia/Seoul')
    await ben.sees('The next 7 days, by the clocks of Europe/Berlin:', { in: 'ops' })
    const read = town.slack.transcript('C0OPS')
    expect(read).toContain('The next 7 days, by the clocks of Asia/Seoul:')
    expect(read.match(week)).toHaveLength(14)
    expect(effects(town)).toEqual([])
  })

  test('in a form is shown with its week before it is asked for, and is one request', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint schedule')
    await ana.opens('Schedule an endpoint')
    await ana.chooses('Endpoint', 'my-llm')
    await ana.chooses('Direction', 'up')
    await ana.chooses('Times', 'weekdays 09:00-20:00')
    expect(await ana.submits()).toMatchObject({ outcome: 'pushed' })
    const { given } = await ana.opens('What it comes to')
    const shown = JSON.stringify(given)
    expect(shown).toContain('The rule: up weekdays 09:00-20:00 Asia/Seoul; down at all other times.')
    expect(shown.match(week)).toHaveLength(7)
    expect(town.slack.transcript('C0OPS')).not.toContain('Schedule my-llm')
    expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
    await ana.presses('Schedule my-llm', { in: 'ops' })
    await ana.sees('Scheduled my-llm up weekdays 09:00-20:00.', { in: 'ops' })
  })

  test('in a form that makes no sense is told at its times, and nothing is asked', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint start')
    await ana.opens('Start an endpoint')
    await ana.chooses('Endpoint', 'my-tts')
    await ana.chooses('For', '500d')
    const { outcome, errors } = await ana.submits()
    expect([outcome, errors]).toEqual(['errors', { for: expect.stringContaining('more than a year away') as string }])
  })
})
