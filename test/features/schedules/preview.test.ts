import { expect, test } from 'vitest'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import { keyOf, type Records } from '../../../src/core/model/records.ts'
import type { OneOff } from '../../../src/core/model/rules.ts'
import type { BotServices } from '../../../src/core/ports/services.ts'
import { comingWithin } from '../../../src/features/schedules/preview.ts'
import { policyWith } from '../../support/memory/cast.ts'

const [minute, hour] = [60_000, 3_600_000]
const start = 1_800_000_000_000

/** The coming changes within a day of `count` endpoints, the last of which changes first. */
async function comingOf(count: number, want: OneOff['want'] = 'up') {
  const endpoints = Array.from(
    { length: count },
    (_, nth): Endpoint => ({ id: `ep-${nth}`, name: `n${nth}`, active: false }),
  )
  const rules = endpoints.map(({ id }, nth): OneOff => {
    const at = start + (count - nth) * minute
    return { kind: 'once', id, endpoint: id, want, at, until: at + hour, owner: { team: 'T0', user: 'U0' } }
  })
  const records: Records = new Map(rules.map((rule) => [keyOf(rule), rule]))
  return comingWithin(
    {
      policy: () => policyWith({ stop: 'confirmation' }),
      clock: { now: () => start, monotonic: () => 0 },
      store: {
        records: async () => records,
        reconcileStates: async () => new Map(),
        names: async () => ({ at: start, endpoints }),
      },
    } as unknown as BotServices,
    24 * hour,
  )
}

test('The nearest changes come first: all within a day, then the next one of each endpoint', async () => {
  const coming = await comingOf(2_000)
  const soon = coming.filter(({ at }) => at < start + 24 * hour)
  // Each start is followed by a stop an hour later.
  expect(soon.filter(({ want }) => want === 'up')).toHaveLength(24 * 60 - 1)
  expect(soon.filter(({ want }) => want === 'down')).toHaveLength(23 * 60 - 1)
  const later = coming.slice(soon.length)
  expect(later).toHaveLength(2_000 - (24 * 60 - 1))
  expect(later[0]).toMatchObject({ want: 'up', at: start + 24 * hour })
  expect(coming.slice(0, 2).map(({ endpoint, at, want }) => [endpoint.name, at - start, want])).toEqual([
    ['n1999', minute, 'up'],
    ['n1998', 2 * minute, 'up'],
  ])
})

test('Stops are included, and without rules there is nothing', async () => {
  const [first] = await comingOf(1, 'down')
  expect(first).toMatchObject({ want: 'down', at: start + minute })
  expect(await comingOf(0)).toEqual([])
})
