import { describe, expect, test } from 'vitest'
import type { Progress } from '../../src/core/model/plan.ts'
import type { ClaimedRequest, Services, Store } from '../../src/core/ports/services.ts'
import { type Breaking, play } from './execution.ts'
import { type Explored, explore } from './explore.ts'
import { scenes } from './scenes.ts'

/** What to type to see each again. */
function broken({ findings }: Explored): readonly string[] {
  return findings.map(({ says, times, repeat }) => `${times} × ${says}: npm run test:faults -- --repeat '${repeat}'`)
}

const counts: number[] = []

test.each(scenes)(
  'whatever goes wrong at $name, each call is applied once, there is one end, it is true, and nothing is left',
  async (scene) => {
    const explored = await explore([scene], { faults: 1, most: 2_600 })
    counts.push(explored.executions)
    expect(broken(explored)).toEqual([])
  },
  300_000,
)

test('these were at least 20,000 executions', () => {
  expect(counts.reduce((all, count) => all + count, 0)).toBeGreaterThanOrEqual(20_000)
})

test('an execution can be had again from its line', async () => {
  const restart = scenes.find(({ name }) => name === 'restart')!
  const course = [[12, 1]] as const
  const [one, other] = [await play(restart, course, { telling: true }), await play(restart, course, { telling: true })]
  expect(one.story.length).toBeGreaterThan(10)
  expect(other.story).toEqual(one.story)
})

/** A worker whose store does something otherwise. */
function storing(services: Services, otherwise: Partial<Store>): Services {
  return { ...services, store: Object.assign(Object.create(services.store) as Store, otherwise) }
}

/** A worker whose requests are not as they were stored. */
function holding(services: Services, change: (held: ClaimedRequest) => Partial<ClaimedRequest>): Services {
  return storing(services, {
    async claim(id) {
      const held = await services.store.claim(id)
      return held === null ? null : (Object.create(held, descriptors(change(held))) as ClaimedRequest)
    },
  })
}

function descriptors(change: Partial<ClaimedRequest>): PropertyDescriptorMap {
  return Object.fromEntries(
    Object.entries(Object.getOwnPropertyDescriptors(change)).map(([name, one]) => [
      name,
      { ...one, configurable: true },
    ]),
  )
}

/** As if it had not been written down that a call was about to be made. */
function unsent({ sends, ...rest }: Progress): Progress {
  return { ...rest, sends: sends.filter(({ outcome }) => outcome !== undefined) }
}

const faulty: readonly (readonly [string, string, string, Breaking])[] = [
  [
    'forgets its journal',
    'patch-stopped',
    '“change settings” was carried out 2 times',
    (services) =>
      holding(services, (held) => ({
        get request() {
          const { progress } = held.request
          return { ...held.request, ...(progress && { progress: progress.map(unsent) }) }
        },
      })),
  ],
  [
    'sends what was not answered once more',
    'patch',
    '“change settings” was carried out 2 times',
    (services) => {
      const { platform } = services
      return {
        ...services,
        platform: {
          ...platform,
          async send(call) {
            const outcome = await platform.send(call)
            return outcome.kind === 'unknown' && call.method !== 'get' ? platform.send(call) : outcome
          },
        },
      }
    },
  ],
  [
    'takes an unclear answer for a no',
    'restart',
    'left down',
    (services) => {
      const { platform } = services
      return {
        ...services,
        platform: {
          ...platform,
          async send(call) {
            const outcome = await platform.send(call)
            if (outcome.kind !== 'unknown' || !call.path.endsWith('/start')) return outcome
            return { kind: 'refused', status: 400, says: outcome.says }
          },
        },
      }
    },
  ],
  [
    'keeps the lock',
    'stop',
    'a lock is left',
    (services) => holding(services, (held) => ({ move: (next, events) => held.move(next, events, { lock: 'take' }) })),
  ],
  [
    'believes that what is active serves',
    'start',
    'untrue',
    (services) => {
      const { platform } = services
      return {
        ...services,
        platform: {
          ...platform,
          async send(call) {
            const outcome = await platform.send(call)
            if (call.method !== 'get' || outcome.kind !== 'answered') return outcome
            return { ...outcome, answer: { ...outcome.answer, status: 'RUNNING' } }
          },
        },
      }
    },
  ],
  [
    'shows nothing',
    'stop',
    'people were not shown',
    (services) => ({ ...services, notifier: { ...services.notifier, show: async () => ({ again: null }) } }),
  ],
  [
    'never looks again',
    'start',
    'left open',
    (services, { shelf }) => {
      async function due(): Promise<readonly string[]> {
        shelf.wake.clear()
        return []
      }
      return storing(services, { due })
    },
  ],
]

describe('A worker is found out that', () => {
  test.each(faulty)('%s', async (_, name, law, breaking) => {
    const explored = await explore(
      scenes.filter((scene) => scene.name === name),
      { faults: 1, most: 1_000, breaking, until: law },
    )
    expect(explored.findings.filter(({ says }) => says.includes(law))).not.toEqual([])
  })
})
