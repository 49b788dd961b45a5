import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/platform/faults.ts'
import { callsOf, effects, over, theEnd } from '../support/ends.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

/*
 * Nobody sees what became of the call. Whatever happens, at most one of the calls may take effect, there is one end,
 * and it claims only what a read has shown.
 */

let town: Town
beforeEach(async () => {
  town = await startTown({ env: { PLATFORM_TIMEOUT_MS: '300' } })
})
afterEach(() => town.stop())

const orders = [
  {
    verb: 'start',
    name: 'my-tts',
    operation: 'startEndpoint',
    done: 'Started my-tts; it’s serving.',
    state: 'It’s stopped.',
  },
  {
    verb: 'stop',
    name: 'my-llm',
    operation: 'stopEndpoint',
    done: 'Stopped my-llm.',
    state: 'It’s running (3 of 3 replicas running).',
  },
] as const

const unclear = 'The platform’s reply was lost; its status confirms this.'

describe.each(orders)('$verb', ({ verb, name, operation, done, state }) => {
  /** Asks, agrees where that is needed, and lets time pass until the end is shown. */
  async function ask(): Promise<void> {
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', `/endpoint ${verb} ${name}`)
    if (verb === 'stop') await ana.presses(`Stop ${name}`, { in: 'ops' })
    await timePassesUntil(town, ana.sees(over, { in: 'ops' }))
    await timePassesUntil(town, town.calm())
  }

  const acted: readonly (readonly [string, Fault])[] = [
    ['it hangs', { kind: 'hang-after' }],
    ['the connection drops', { kind: 'drop-after' }],
    ['half of it arrives', { kind: 'half' }],
    ['it is a 500', { kind: 'answer-after', status: 500, body: { detail: 'Internal error' } }],
    ['a gateway answers', { kind: 'answer-after', status: 504, body: '<html><title>504</title></html>' }],
    ['it is not JSON', { kind: 'answer-after', status: 200, body: 'OK' }],
    ['it says the opposite', { kind: 'contradict' }],
  ]
  test.each(acted)('acted on without a clear answer (%s): a read shows it, and it is sent once', async (_, fault) => {
    const planned = town.platform.faults.add(operation, fault, 1)
    await ask()
    expect(planned.hits()).toBe(1)
    expect(theEnd(town)).toBe(`${done} ${unclear}`)
    expect(effects(town)).toEqual([verb])
    expect(callsOf(town, operation)).toHaveLength(1)
  })

  const lost: readonly (readonly [string, Fault])[] = [
    ['it hangs', { kind: 'hang' }],
    ['the connection drops', { kind: 'drop-before' }],
    ['maintenance', { kind: 'answer', status: 503, body: '<html><title>Maintenance</title></html>' }],
  ]
  test.each(lost)(
    'not acted on and nobody knows (%s): once two reads show no effect it is sent once more, within 90 s',
    async (_, fault) => {
      const planned = town.platform.faults.add(operation, fault, 1)
      await ask()
      expect(planned.hits()).toBe(1)
      expect(theEnd(town)).toContain(done)
      expect(effects(town)).toEqual([verb])
      const [first, second, ...more] = callsOf(town, operation)
      expect(second! - first!).toBeGreaterThanOrEqual(5_000)
      expect(second! - first!).toBeLessThan(90_000)
      expect(more).toEqual([])
    },
  )

  test('never arrives: it is asked three times, and then that is said', async () => {
    const planned = town.platform.faults.add(operation, { kind: 'drop-before' })
    await ask()
    expect(planned.hits()).toBe(3)
    const [first, second, third] = callsOf(town, operation)
    // However long a busy machine takes in between.
    expect(second! - first!).toBeGreaterThanOrEqual(5_000)
    expect(third! - second!).toBeGreaterThanOrEqual(10_000)
    expect(theEnd(town)).toBe(
      `I can’t tell whether “${verb}” was carried out on ${name}, after 3 attempts. The connection to the platform broke before its answer was complete. ${state} Check it before you try again.`,
    )
    expect(effects(town)).toEqual([])
  })

  test.each([30_000, 110_000, 200_000])('arrives %i ms late: one effect, one end', async (ms) => {
    const planned = town.platform.faults.add(operation, { kind: 'late', ms }, 1)
    await ask()
    await town.minutesPass(10)
    await town.calm()
    expect(planned.hits()).toBe(1)
    expect(theEnd(town)).toContain(done)
    expect(effects(town)).toEqual([verb])
  })

  test('somebody else changes it while nobody knows: it is not sent again, and people are asked to look', async () => {
    const planned = town.platform.faults.add(operation, { kind: 'drop-before' }, 1)
    town.platform.onCall((call) => {
      if (call.operation === operation && call.when === 'before acting') town.platform.rename(call.endpointId!, name)
    })
    await ask()
    expect(planned.hits()).toBe(1)
    expect(theEnd(town)).toBe(
      `I can’t tell whether “${verb}” was carried out on ${name}. The connection to the platform broke before its answer was complete. ${state} Check it before you try again.`,
    )
    expect(effects(town)).toEqual([])
    expect(callsOf(town, operation)).toHaveLength(1)
  })
})
