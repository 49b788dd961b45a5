import { afterEach, describe, expect, test } from 'vitest'
import { effects, keepHour, labelIn } from '../support/ends.ts'
import { endWatch, llm, startWatchtower, warned, watched, watchedPolicy } from '../support/idle.ts'
import { asks, ops, policyApplied, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'

afterEach(endWatch)
describe('After a withdrawn idle stop', () => {
  test.each([
    [
      'Skip this one',
      'skipped by @ana. Left my-llm as it is; its idle time starts over, and you’ll be warned again before it stops',
      [20, 20, 15, 10],
    ],
    [keepHour, '@ana paused its automation.', [20, 20, 31, 20, 20, 18, 4]],
  ])('(%s), the next warning comes in time and leads to a stop', async (choice, done, minutes) => {
    const { ana, looks, told, town } = await warned()
    await presses(ana, typeof choice === 'string' ? choice : labelIn(town, choice), done)
    await looks(...minutes.slice(0, -1))
    expect(told()).not.toContain('💤 my-llm stops')
    await looks(...minutes.slice(-1))
    await ana.sees('💤 my-llm stops', ops)
    await looks(1, 1, 5)
    expect(told()).not.toContain('have changed')
    await town.minutesPass(6)
    await ana.sees('Stopped my-llm', ops)
    expect(effects(town)).toEqual(['stop'])
    expect(told()).not.toContain('[Resume automation]')
  })

  test('(kept, and automation resumed before the next look), the card says that it was only postponed', async () => {
    const { ana, town } = await warned()
    await presses(ana, labelIn(town, keepHour), '@ana paused its automation.')
    await presses(ana, 'Resume automation', 'Resumed automation for my-llm')
    await timePassesUntil(town, ana.sees('Stop my-llm postponed by @ana.', ops), 0.02)
    expect(effects(town)).toEqual([])
  })

  test('(the endpoint is scaled during a look), that look leads to no warning', async () => {
    const other = { id: 'ep-other', name: 'other', active: true, replicas: 1 }
    const { ana, looks, platform, told, town } = await warned({ endpoints: [llm, other] })
    await ana.types('ops', '/endpoint idle other after 6h')
    await ana.presses('Turn on idle stop', ops)
    await ana.types('ops', '/endpoint scale my-llm 3')
    await town.calm()
    await looks(1)
    const scaled: Promise<unknown>[] = []
    platform.onCall(async ({ endpointId, operation }) => {
      if (operation !== 'listReplicas' || endpointId !== other.id || scaled.length > 0) return
      scaled.push(ana.presses('Scale my-llm', ops).then(() => ana.sees('Scaled my-llm', ops)))
      await scaled[0]
    })
    await looks(6)
    await town.calm()
    expect(scaled).toHaveLength(1)
    expect(told()).not.toContain('💤 my-llm stops')
  })

  test('(another stop was requested and declined), people are warned again', async () => {
    const { ana, looks, told, town } = await warned()
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.presses('Leave it running', ops)
    await town.calm()
    expect(effects(town)).toEqual([])
    await looks(1, 1)
    await ana.sees('💤 my-llm stops', ops)
    expect(told().split('💤 my-llm stops')).toHaveLength(2)
    await looks(5)
    expect(effects(town)).toEqual([])
    await town.minutesPass(6)
    await ana.sees('Stopped my-llm', ops)
    expect(effects(town)).toEqual(['stop'])
  })

  test('(no worker took it up in time), people get the next warning and no message about the first', async () => {
    const { ana, looks, platform, slack, town } = await watched()
    await looks(20, 20)
    const fault = platform.faults.add('getEndpointStatus', { kind: 'answer', status: 503 }, 1)
    await looks(21)
    await expect.poll(() => fault.hits(), { interval: 10 }).toBe(1)
    await town.minutesPass(31)
    await town.calm()
    await looks(1, 1)
    await ana.sees('💤 my-llm stops', ops)
    expect(JSON.stringify([...slack.workspace.messages])).not.toContain('No worker picked this up')
  })

  test('(idle stop was off for a while), the next warning leads to a stop', async () => {
    const { ana, looks, told, town } = await warned()
    await presses(ana, 'Turn off idle stop', 'my-llm is no longer stopped for being idle')
    await ana.sees('my-llm keeps running: idle stop is off', ops)
    await asks(ana, 'idle my-llm after 60m', '[Turn on idle stop]')
    await ana.presses('Turn on idle stop', ops)
    await town.calm()
    await looks(20, 20, 21, 1, 5)
    expect(told()).not.toContain('have changed')
    await town.minutesPass(6)
    await ana.sees('Stopped my-llm', ops)
  })
})

describe('An idle warning', () => {
  test.each([
    ['', false],
    [', and nothing from before tells it', true],
  ])('stays when the platform fails once to list the replicas%s', async (_, changed) => {
    const { looks, platform, told } = await warned({ endpoints: [{ ...llm, replicas: 1 }] })
    await looks(4)
    if (changed) platform.rename('ep-llm', 'my-llm')
    const fault = platform.faults.add('listReplicas', { kind: 'answer', status: 503 }, 1)
    await looks(1, 1, 1)
    expect(fault.hits()).toBe(1)
    expect(told()).not.toContain('keeps running:')
  })
})

describe('An idle rule of the policy file', () => {
  test('counts from when it was first seen, not from earlier idle time', async () => {
    const { ana, town, looks } = await startWatchtower({ endpoints: [llm] })
    await looks(20, 20, 21, 20)
    await policyApplied(town, `${watchedPolicy}    endpoints: [{ match: ["my-*"], idle: 60m }]\n`)
    await looks(1, 20, 20, 15)
    expect(town.slack.transcript('ops')).not.toContain('💤 my-llm stops')
    await looks(6)
    await ana.sees('💤 my-llm stops', ops)
  })
})

describe('A line about our own records', () => {
  test('is asked again if it is older than another change, and undoes nothing silently', async () => {
    const { ana, town, looks } = await startWatchtower({ endpoints: [llm] })
    await looks(1)
    await ana.types('ops', '/endpoint idle my-llm after 60m')
    await presses(ana, 'Turn on idle stop', 'Turned on idle stop for my-llm')
    await ana.types('ops', '/endpoint idle my-llm after 30m')
    const older = await ana.remembers('Change idle stop', ops)
    await asks(ana, 'idle my-llm off', 'is no longer stopped for being idle.')
    await ana.pressesRaw(older)
    await ana.sees('Replaced by a newer question below.', ops)
    await looks(20, 20, 21, 5)
    expect(town.slack.transcript('ops')).not.toContain('💤 my-llm stops')
  })

  test('is not use of the endpoint, but a change at the platform is and shows by name', async () => {
    const { ana, looks } = await watched('after 6h')
    await looks(20)
    await asks(ana, 'idle my-llm try after 5h', 'would be stopped')
    await looks(1)
    await asks(ana, 'status my-llm', 'Idle for 21 min')
    await asks(ana, 'scale my-llm 3', '[Scale my-llm]')
    await looks(3)
    await presses(ana, 'Scale my-llm', 'Scaled my-llm')
    await looks(2)
    // At the time of its end, like the row below.
    const changed =
      /Counts as in use: changed (.* at \S+) by @ana \(Scale my-llm to 3\).*Scaled my-llm.*@ana \1 \(2 min ago\)/s
    await asks(ana, 'status my-llm', changed)
  })
})
