import { afterEach, describe, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { startWatchtower, type Watchtower } from '../support/idle.ts'
import type { TownOptions } from '../support/town.ts'

let tower: Watchtower
afterEach(() => tower.stop())

const twice = { id: 'ep-llm', name: 'my-llm', active: true, replicas: 2 } as const

/** ana has an endpoint watched that nobody uses. */
async function watched(line = 'my-llm after 60m', options: TownOptions = {}) {
  tower = await startWatchtower({ endpoints: [twice], ...options })
  const ana = tower.town.slack.as('U0ANA')
  await ana.types('ops', `/endpoint idle ${line}`)
  if (!line.includes('try')) await ana.presses('Set the idle watch of my-llm', { in: 'ops' })
  await ana.sees('and people are told', { in: 'ops' })
  return { ana, ...tower }
}

describe('An endpoint that nobody uses', () => {
  test('is stopped after a warning that shows its evidence', async () => {
    const { ana, town, looks } = await watched()
    await looks(20, 20, 21)
    await ana.sees('will be stopped', { in: 'ops' })
    await looks(5)
    expect(effects(town)).toEqual([])
    await looks(6)
    await ana.sees('Stopped my-llm', { in: 'ops' })
    expect(effects(town)).toEqual(['stop'])
  })
})
