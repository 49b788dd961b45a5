import { afterEach, describe, expect, test } from 'vitest'
import { endWatch, llm, startWatchtower } from '../support/idle.ts'

afterEach(endWatch)

const ops = { in: 'ops' } as const

/** Two nights of quiet, of which the first ended half an hour after it would have been stopped for an hour of it. */
async function lookedAt() {
  const { town, looks } = await startWatchtower({ endpoints: [llm] })
  const { platform } = town
  platform.traffic('ep-llm', { perMinute: 5 })
  await looks(1, 4)
  platform.traffic('ep-llm', { perMinute: 0 })
  await looks(1, 90)
  platform.traffic('ep-llm', { perMinute: 5 })
  await looks(2)
  platform.traffic('ep-llm', { perMinute: 0 })
  await looks(1, 6 * 60)
  return { ana: town.slack.as('U0ANA'), town, looks }
}

describe('Before an endpoint is watched', () => {
  test('people are asked with what it would have done', async () => {
    const { ana } = await lookedAt()
    await ana.types('ops', '/endpoint idle my-llm after 60m')
    await ana.sees('Last 7 h: 2 stops, 5 h saved, 1 would have hurt.', ops)
  })

  test('somebody who only tries is told so, and whoever asks for an explanation', async () => {
    const { ana } = await lookedAt()
    await ana.types('ops', '/endpoint idle my-llm try after 2h')
    await ana.sees('Last 7 h: 1 stop, 4 h saved, none would have hurt.', ops)
    await ana.types('ops', '/endpoint explain idle my-llm after 60m')
    await ana.sees('Last 7 h: 2 stops, 5 h saved, 1 would have hurt.', ops)
  })

  test('nothing is made up about what nobody has seen', async () => {
    const { town, looks } = await startWatchtower({ endpoints: [{ ...llm, servingKey: 'a-key' }] })
    await looks(60)
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint idle my-llm after 60m')
    await ana.sees('it would not have been stopped. Of 100 % of that time nothing is known.', ops)
    expect(town.slack.transcript('ops')).not.toContain('saved')
  })
})
