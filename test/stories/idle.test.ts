import { afterEach, describe, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { endWatch, warned, watched, watchedPolicy } from '../support/idle.ts'
import { asks, ops, presses } from '../support/ops.ts'

afterEach(endWatch)

describe('An idle endpoint', () => {
  test('is stopped after a warning that shows the evidence and the price of each choice', async () => {
    const policy = `${watchedPolicy}    prices: { per_hour: { "RTX 4090": 0.75 } }\n`
    const { ana, town, looks } = await watched('after 60m', { policy })
    await looks(20, 20)
    expect(effects(town)).toEqual([])
    await looks(21)
    await ana.sees('no requests for 1 h 1 min on both replicas (from vLLM metrics)', ops)
    await ana.sees(
      /\[Keep 1 h \(\+\$1\.50 an hour\)\] \[Keep (?:tonight|until \w+) \(\+\$1\.50 an hour\)\] \[Stop now\] \[⋯ Skip this one \(\+\$1\.50 an hour\) \| Turn off idle stop\]/,
      ops,
    )
    await asks(ana, 'why is my-llm running?', /^my-llm is running now\..* A stop is announced for today at /)
    await looks(5)
    expect(effects(town)).toEqual([])
    await town.minutesPass(6)
    // The outcome shows the last reading, not the figure from the warning.
    await ana.sees(/💤 Stopped my-llm\.[^/]*\sno requests for 1 h 1\d min · idle stop by @/, ops)
    expect(effects(town)).toEqual(['stop'])
    await asks(ana, 'status my-llm', 'Idle stop: once it’s running, a warning is posted after 1 h without requests.')
    await town.minutesPass(10)
    town.platform.console.start('ep-llm')
    await looks(2)
    town.platform.console.stop('ep-llm')
    await asks(
      ana,
      'why did my-llm stop?',
      /^Lamplighter last stopped my-llm .* It’s stopped again; that was done outside Lamplighter\./,
    )
    await presses(ana, 'Start my-llm again', 'Started my-llm with 2 replicas')
    await ana.types('ops', '/endpoint why did my-llm stop?')
    // Every message gives the same figure.
    const [quiet = ''] = /no requests for 1 h 1\d min/.exec(town.slack.transcript('ops')) ?? []
    await ana.sees(`It had ${quiet} on both replicas (from vLLM metrics).`, ops)
  })

  test('keeps running when it is used during the notice, and its idle time starts again', async () => {
    const { ana, town, platform, looks } = await warned()
    platform.traffic('ep-llm', { perMinute: 4 })
    // The first check of the rules may come before the first reading.
    await looks(1, 1)
    await ana.sees('my-llm keeps running: in use again (4 requests ended since the last check)', ops)
    platform.traffic('ep-llm', { perMinute: 0 })
    await looks(20, 20, 10)
    expect(effects(town)).toEqual([])
    await looks(12)
    await ana.sees('no requests for 1 h 2 min', ops)
  })

  test('keeps running after a single request right before the call', async () => {
    const { ana, town, platform, looks } = await warned()
    await looks(9)
    platform.traffic('ep-llm', { perMinute: 1 })
    await looks(2)
    await ana.sees('my-llm keeps running: in use again', ops)
    expect(effects(town)).toEqual([])
  })

  test('keeps running when the last reading fails', async () => {
    const { ana, town, platform, looks } = await warned()
    await looks(9)
    platform.scrapes('ep-llm', 'page')
    await looks(2)
    await ana.sees('my-llm keeps running: usage unknown', ops)
    expect(effects(town)).toEqual([])
  })

  test.each([
    ['protect my-llm', 'my-llm keeps running: protection is on'],
    ['keep my-llm 2h', 'Kept my-llm running until'],
    ['idle my-llm try after 60m', 'my-llm keeps running: idle stop is only a dry run'],
    ['freeze because="a demo"', 'my-llm keeps running: all automation is paused'],
  ])('keeps running after %s, and the withdrawn warning says so once', async (line, why) => {
    const { ana, looks, told } = await warned()
    await asks(ana, `${line}`, why)
    await looks(1)
    expect(told().split(why).length).toBeLessThanOrEqual(3)
  })
})
