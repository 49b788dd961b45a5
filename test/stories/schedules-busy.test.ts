import { afterEach, describe, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { endWatch, llm, startWatchtower } from '../support/idle.ts'
import { ops, presses } from '../support/ops.ts'

afterEach(endWatch)

/** my-llm is in use and due to stop in two minutes. */
async function nearlyDue() {
  const { town, looks } = await startWatchtower({ endpoints: [llm] })
  const { platform, slack } = town
  const ana = slack.as('U0ANA')
  platform.traffic('ep-llm', { running: 1, perMinute: 5 })
  await ana.types('ops', '/endpoint stop my-llm at 1h')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await looks(51)
  await ana.sees('🌙 my-llm stops', ops)
  await looks(7)
  return { ana, town, platform, looks, told: () => slack.transcript('ops') }
}

describe('A planned stop', () => {
  test('of a busy endpoint waits 15 minutes and then stops it if it is idle', async () => {
    const { ana, town, platform, looks } = await nearlyDue()
    await looks(3)
    await ana.sees(/my-llm was due to stop .* Still in use \(.*\); stop postponed to/, ops)
    await looks(12)
    expect(effects(town)).toEqual([])
    platform.traffic('ep-llm', { running: 0, perMinute: 0 })
    await looks(1, 1)
    await town.minutesPass(2)
    await ana.sees('Stopped my-llm', ops)
  })

  test('of an endpoint that stays busy for two hours is given up, with a button to stop it', async () => {
    const { ana, town, looks, told } = await nearlyDue()
    await looks(3)
    await ana.sees('stop postponed to', ops)
    for (let times = 0; times < 6; times += 1) await looks(13, 2)
    expect(told()).not.toContain('keeps running:')
    await looks(13, 2)
    await ana.sees(/my-llm was still in use 1 h 4\d min after it was due to stop \(.*\), so it keeps running/, ops)
    await looks(20)
    expect(effects(town)).toEqual([])
    await presses(ana, 'Stop my-llm', 'or any operator can confirm')
    await presses(ana, 'Stop my-llm', 'Stopped my-llm')
    expect(effects(town)).toEqual(['stop'])
  })

  test('of an endpoint with unknown usage happens on time', async () => {
    const { ana, town, platform, looks } = await nearlyDue()
    platform.scrapes('ep-llm', 'page')
    await looks(1)
    await town.minutesPass(2)
    await ana.sees('Stopped my-llm', ops)
    expect(effects(town)).toEqual(['stop'])
  })
})
