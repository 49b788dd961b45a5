import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/platform/faults.ts'
import { callsOf, effects, over, theEnd } from '../support/ends.ts'
import { sampleOf } from '../support/search.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

/*
 * The outcome of the call is unknown. At most one of the calls may take effect, and the only outcome claims nothing
 * that a read has not shown.
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
  /**
   * How a reply is lost doesn’t depend on the call, and the tests of the client cover each way: a few stand for the
   * others, fewest for a stop.
   */
  const most = <Way extends readonly [unknown, ...unknown[]]>(
    ways: readonly Way[],
    few: readonly unknown[],
    more: readonly unknown[],
  ) => sampleOf(ways, ([way]) => few.includes(way) || (verb === 'start' && more.includes(way)))

  /** Requests the change, confirms a stop, and lets time pass until the outcome is shown. */
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
  test.each(most(acted, ['it hangs', 'it says the opposite'], ['half of it arrives', 'a gateway answers']))(
    'carried out without a clear answer (%s) is confirmed by a read and sent once',
    async (_, fault) => {
      const planned = town.platform.faults.add(operation, fault, 1)
      await ask()
      expect(planned.hits()).toBe(1)
      expect(theEnd(town)).toBe(`${done} ${unclear}`)
      expect(effects(town)).toEqual([verb])
      expect(callsOf(town, operation)).toHaveLength(1)
    },
  )

  const lost: readonly (readonly [string, Fault])[] = [
    ['it hangs', { kind: 'hang' }],
    ['the connection drops', { kind: 'drop-before' }],
    ['maintenance', { kind: 'answer', status: 503, body: '<html><title>Maintenance</title></html>' }],
  ]
  test.each(most(lost, ['the connection drops'], ['maintenance']))(
    'not carried out, without a clear answer (%s), is sent once more within 90 s after two reads',
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

  test('that never arrives is sent three times, and then the outcome says so', async () => {
    const planned = town.platform.faults.add(operation, { kind: 'drop-before' })
    await ask()
    expect(planned.hits()).toBe(3)
    const [first, second, third] = callsOf(town, operation)
    // A busy machine may take longer.
    expect(second! - first!).toBeGreaterThanOrEqual(5_000)
    expect(third! - second!).toBeGreaterThanOrEqual(10_000)
    expect(theEnd(town)).toBe(
      `I can’t tell whether “${verb}” was carried out on ${name}, after 3 attempts. The connection to the platform broke before its answer was complete. ${state} Check it before you try again.`,
    )
    expect(town.slack.transcript('ops')).toContain('[Status]')
    expect(effects(town)).toEqual([])
  })

  test.each(most([[30_000], [110_000], [200_000]], [110_000], [30_000, 200_000]))(
    'that arrives %i ms late has one effect and one outcome',
    async (ms) => {
      const planned = town.platform.faults.add(operation, { kind: 'late', ms }, 1)
      await ask()
      await town.minutesPass(10)
      await town.calm()
      expect(planned.hits()).toBe(1)
      expect(theEnd(town)).toContain(done)
      expect(effects(town)).toEqual([verb])
    },
  )

  test('is not sent again if somebody else changes the endpoint, and people are asked to check', async () => {
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
