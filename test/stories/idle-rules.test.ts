import { afterEach, describe, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { endWatch, llm, startWatchtower, warned, watched, watchedPolicy } from '../support/idle.ts'
import { asks, ops, policyApplied, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import type { Town } from '../support/town.ts'

afterEach(endWatch)

describe('A start soon after an idle stop', () => {
  test('makes the idle time half as long again, and people are told', async () => {
    const { ana, looks, told, town } = await warned()
    await town.minutesPass(11)
    await ana.sees('Stopped my-llm', ops)
    await asks(ana, 'start my-llm', 'so that stop came too early. From now on it has to be idle for 1 h 30 min')
    await asks(ana, 'schedules my-llm', /idle stop after 1 h 30 min, warning.*Set to 1 h; longer now/s)
    await asks(ana, 'idle my-llm after 60m', 'my-llm already has this rule. For now it has to be idle for 1 h 30 min')
    await looks(1, 20, 20, 20, 20)
    expect(told()).not.toContain('💤 my-llm stops')
    await looks(20, 6)
    await ana.sees('Its idle time is now 1 h 30 min, because it was started again soon after an idle stop', ops)
  })

  test('does so at the console too', async () => {
    const { ana, looks, platform, town, told } = await warned()
    await town.minutesPass(11)
    await ana.sees('Stopped my-llm', ops)
    await town.minutesPass(5)
    platform.console.start('ep-llm')
    await looks(1, 1)
    const says =
      'my-llm was started again outside Lamplighter. It had been stopped for being idle less than an hour earlier, so that stop came too early.'
    await ana.sees(`${says} From now on it has to be idle for 1 h 30 min.`, ops)
    await looks(1, 20)
    expect(told().split('started again outside')).toHaveLength(2)
  })

  test('is not reported as made outside Lamplighter while it is still under way', async () => {
    const { ana, looks, told, town } = await warned({ platform: { startDelayMs: 6 * 60_000 } })
    await town.minutesPass(11)
    await ana.sees('Stopped my-llm', ops)
    await asks(ana, 'start my-llm', 'Starting my-llm…')
    await looks(2, 2, 1, 2)
    await ana.sees('Started my-llm', ops)
    await looks(1, 1)
    expect(told()).not.toContain('outside Lamplighter')
  })

  test('changes nothing if somebody pressed Stop now, which stops at once even while it is in use', async () => {
    const { ana, platform, told, town } = await warned()
    platform.traffic('ep-llm', { running: 1 })
    await presses(ana, 'Stop now', 'Stopped my-llm')
    expect(effects(town)).toEqual(['stop'])
    await asks(ana, 'start my-llm', 'Started my-llm')
    expect(told()).not.toContain('too early')
  })

  test('changes nothing after more than an hour', async () => {
    const { ana, town } = await warned()
    await town.minutesPass(11)
    await ana.sees('Stopped my-llm', ops)
    await town.minutesPass(61)
    await asks(ana, 'start my-llm', 'Started my-llm')
    expect(town.slack.transcript('ops')).not.toContain('too early')
  })
})

test('An idle rule that already exists is not asked about again', async () => {
  const { ana, town } = await watched()
  await asks(ana, 'idle my-llm after 1h', 'my-llm already has this rule.')
  const ben = town.slack.as('U0BEN')
  await ben.types('ops', '/endpoint idle my-llm')
  await ben.opens('Idle stop')
  expect((await ben.submits()).errors).toEqual({ after: 'my-llm already has this rule.' })
  await asks(ana, 'idle my-llm after 2h', 'Change idle stop for my-llm?')
  await ana.sees(/Before: idle time 1 h, warning 10 min before the stop\. After 2 h without requests/, ops)
  await presses(ana, 'Change idle stop', 'Changed idle stop for my-llm')
  // Settings that the line leaves out stay as they are.
  await asks(ana, 'idle my-llm on warn=20m', 'After 2 h without requests a warning is posted; 20 min later')
})

test('An idle rule that the policy file already has is not asked about', async () => {
  const policy = `${watchedPolicy}    endpoints: [{ match: ["my-*"], idle: 60m }]\n`
  const { ana } = await startWatchtower({ policy, endpoints: [llm] })
  await asks(ana, 'idle my-llm after 60m', 'my-llm already has this rule.')
})

test('Turning off idle stop without a rule says that it is already off', async () => {
  const { ana } = await startWatchtower({ endpoints: [llm] })
  await asks(ana, 'idle my-llm off', 'Idle stop is already off for my-llm.')
})

describe('An idle dry run', () => {
  test('says once per idle period what it would stop, and stops nothing', async () => {
    const { ana, looks, told, town } = await watched('try after 60m')
    await looks(20, 20, 21)
    await ana.sees('my-llm would be stopped now: no requests for 1 h 1 min', ops)
    await looks(20, 20, 20, 20)
    expect(told().split('would be stopped now')).toHaveLength(2)
    expect(effects(town)).toEqual([])
    await asks(ana, 'idle my-llm off', 'I no longer watch my-llm for being idle.')
    await asks(ana, 'undo', '[Undo turning off idle stop for my-llm]')
  })
})

describe('Idle stop never stops', () => {
  test('an endpoint that its schedule keeps running', async () => {
    const { ana, looks, told, town } = await watched()
    await ana.types('ops', '/endpoint schedule my-llm up daily 00:00-24:00 UTC')
    await presses(ana, 'Save schedule', 'At all other times, my-llm is stopped.')
    await town.calm()
    await looks(20, 20, 20, 20, 20)
    expect(told()).not.toContain('💤 my-llm stops')
    await asks(ana, 'schedules my-llm', /idle stop after 1 h.*Idle stop is paused: scheduled to run now\./s)
  })

  test('an endpoint that somebody asked to run until later', async () => {
    const { ana, looks, told } = await watched()
    await ana.types('ops', '/endpoint start my-llm for 8h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await looks(20, 20, 20, 20, 20)
    expect(told()).not.toContain('💤 my-llm stops')
    await asks(ana, 'schedules my-llm', /Idle stop is paused: a run until .* at \d\d:\d\d was requested\./)
  })

  test('an endpoint that the policy excludes from a rule for all others', async () => {
    const policy = `${watchedPolicy}    endpoints:\n      - match: [my-llm]\n        idle: off\n      - match: ["*"]\n        idle: 60m\n`
    const { ana, looks, town } = await startWatchtower({
      policy,
      endpoints: [llm, { ...llm, id: 'ep-b', name: 'my-b' }],
    })
    await looks(20, 20, 21)
    await ana.sees('💤 my-b stops', ops)
    expect(town.slack.transcript('ops')).not.toContain('💤 my-llm stops')
  })
})

describe('A stop that comes before the warning of an idle stop ends', () => {
  /** "10:14", some minutes from now. */
  const inMinutes = (town: Town, minutes: number) =>
    new Date(town.clock.now() + minutes * 60_000).toISOString().slice(11, 16)

  test('is announced in its place', async () => {
    const { ana, looks, told, town } = await watched('after 60m warn=20m')
    await ana.types('ops', `/endpoint stop my-llm at ${inMinutes(town, 75)}`)
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await looks(20, 20, 21, 5)
    await ana.sees('🌙 my-llm stops', ops)
    await looks(10)
    await ana.sees('Stopped my-llm', ops)
    expect(told()).not.toContain('💤')
  })

  test('and is set during it does not withdraw the idle stop', async () => {
    const { ana, looks, told, town } = await watched('after 60m warn=20m')
    await looks(20, 20, 21)
    await ana.types('ops', `/endpoint stop my-llm at ${inMinutes(town, 5)}`)
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await looks(6, 6, 6, 4)
    await ana.sees('Stopped my-llm', ops)
    expect([effects(town), told().includes('keeps running:')]).toEqual([['stop'], false])
  })

  test('is said to come next if somebody puts the idle stop off until after it', async () => {
    const { ana, town } = await warned()
    await ana.types('ops', `/endpoint schedule my-llm down daily ${inMinutes(town, 20)}-${inMinutes(town, 300)} UTC`)
    await presses(ana, 'Save schedule', 'Scheduled my-llm')
    await presses(ana, 'Keep 1 h', /Kept my-llm running until .*; you’ll be warned again before it stops\./)
  })
})

describe('An idle warning that Slack does not take', () => {
  test('postpones the stop by the warning time, at most twice', async () => {
    const { ana, looks, slack, town } = await watched()
    const fault = slack.fault('chat.postMessage', { kind: 'status', status: 503 })
    await looks(20, 20, 21, 11)
    await expect.poll(() => fault.hits()).toBeGreaterThan(0)
    expect(effects(town)).toEqual([])
    await looks(10)
    expect(effects(town)).toEqual([])
    fault.clear()
    await timePassesUntil(town, ana.sees('Stopped my-llm', ops), 1)
  })

  test('still gives people time once it is posted', async () => {
    const { ana, looks, slack, town } = await watched()
    const fault = slack.fault('chat.postMessage', { kind: 'status', status: 503 })
    await looks(20, 20, 21, 11, 8)
    fault.clear()
    await looks(1)
    await ana.sees('💤 my-llm stops', ops)
    await looks(2)
    await town.calm()
    expect(slack.transcript('ops')).toMatch(/💤 my-llm stops (?:today|tomorrow) at \d\d:\d\d\./)
    expect(effects(town)).toEqual([])
    await ana.sees('Stop now', ops)
    await timePassesUntil(town, ana.sees('Stopped my-llm', ops), 1)
  })

  test('leads to no stop after that, and people are told why later', async () => {
    const { ana, looks, slack, town } = await watched()
    const fault = slack.fault('chat.postMessage', { kind: 'status', status: 503 })
    await looks(20, 20, 21, 11, 11, 11)
    expect(effects(town)).toEqual([])
    fault.clear()
    await timePassesUntil(town, ana.sees('my-llm keeps running: the warning couldn’t be delivered in time.', ops), 1)
    await looks(20)
    expect(effects(town)).toEqual([])
  })
})

test('An idle stop that the policy refuses names its endpoint to the owner of the rule', async () => {
  const { ana, looks, town } = await watched()
  await policyApplied(town, `${watchedPolicy}    matrix: { disruptive: { active: refusal } }\n`)
  await looks(20, 20, 21)
  const says = /^🚫 Stop my-llm refused\. The policy doesn’t allow this\./
  await ana.sees(says, ops)
  expect(effects(town)).toEqual([])
})
