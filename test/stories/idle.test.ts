import { afterEach, describe, expect, test } from 'vitest'
import { effects, keepHour, labelIn } from '../support/ends.ts'
import { endWatch, warned, watched, watchedPolicy } from '../support/idle.ts'
import { asks, presses } from '../support/ops.ts'

afterEach(endWatch)

const ops = { in: 'ops' } as const

describe('An idle endpoint', () => {
  test('is stopped after a warning that shows the evidence', async () => {
    const { ana, town, looks } = await watched()
    await looks(20, 20)
    expect(effects(town)).toEqual([])
    await looks(21)
    await ana.sees('no requests for 1 h 1 min on both replicas (from vLLM metrics)', ops)
    for (const choice of [
      'Skip this one',
      /\[Keep 1 h\] \[Keep (?:tonight|until morning|until tomorrow)\]/,
      'Stop now',
      'Turn off idle stop',
    ])
      await ana.sees(choice, ops)
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
    town.platform.consoleStop('ep-llm')
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

  test('gets a warning with the price of each choice and the other choices behind ⋯', async () => {
    const { ana } = await warned({ policy: `${watchedPolicy}    prices: { per_hour: { "RTX 4090": 0.75 } }\n` })
    await ana.sees(
      /\[Keep 1 h \(\+\$1\.50 an hour\)\] \[Keep (?:tonight|until \w+) \(\+\$1\.50 an hour\)\] \[Stop now\] \[⋯ Skip this one \(\+\$1\.50 an hour\) \| Turn off idle stop\]/,
      ops,
    )
  })

  test('keeps running when it is used during the notice, and its idle time starts again', async () => {
    const { ana, town, platform, looks } = await warned()
    platform.traffic('ep-llm', { perMinute: 4 })
    await looks(1)
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

  test('is stopped at once by Stop now even while it is in use', async () => {
    const { ana, town, platform } = await warned()
    platform.traffic('ep-llm', { running: 1 })
    await presses(ana, 'Stop now', 'Stopped my-llm')
    expect(effects(town)).toEqual(['stop'])
  })

  test('keeps running for another idle time after Skip this one', async () => {
    const { ana, town, looks } = await warned()
    await presses(
      ana,
      'Skip this one',
      'skipped by @ana. Left my-llm running; its idle time starts over, and you’ll be warned again before it stops',
    )
    await looks(20, 20, 15)
    expect(effects(town)).toEqual([])
    await looks(10)
    await ana.sees('💤 my-llm stops', ops)
  })

  test.each([
    [keepHour, '@ana paused its automation.', 'Kept my-llm running until'],
    ['Turn off idle stop', 'my-llm is no longer stopped for being idle', 'my-llm keeps running: idle stop is off'],
  ])('keeps running after %s', async (choice, done, why) => {
    const { ana, town, looks } = await warned()
    await presses(ana, typeof choice === 'string' ? choice : labelIn(town, choice), done)
    await ana.sees(why, ops)
    await looks(20, 20)
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
