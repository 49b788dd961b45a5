import { describe, expect, test } from 'vitest'
import type { Progress } from '../../src/core/model/plan.ts'
import type { ClaimedRequest, Services, Store } from '../../src/core/ports/services.ts'
import { type Breaking, play } from './execution.ts'
import { type Explored, explore } from './explore.ts'
import { scenes } from './scenes.ts'

/** Returns a line for each broken law, with the command that reproduces it. */
function broken({ findings }: Explored): readonly string[] {
  return findings.map(({ says, times, repeat }) => `${times} × ${says}: npm run test:faults -- --repeat '${repeat}'`)
}

const counts: number[] = []

test.each(scenes)(
  'Whatever fails, $name applies each call once, ends once and truthfully, and leaves nothing behind',
  async (scene) => {
    const explored = await explore([scene], { faults: 1, most: 1_000 })
    counts.push(explored.executions)
    expect(broken(explored)).toEqual([])
  },
  300_000,
)

// Every single fault is among them, and each defect below is found by fewer. The long search is `npm run test:faults`.
test('The explorer plays at least 8,000 executions', () => {
  expect(counts.reduce((all, count) => all + count, 0)).toBeGreaterThanOrEqual(8_000)
})

test('An execution can be replayed from its course', async () => {
  const restart = scenes.find(({ name }) => name === 'restart')!
  const course = [[12, 1]] as const
  const [one, other] = [await play(restart, course, { telling: true }), await play(restart, course, { telling: true })]
  expect(one.story.length).toBeGreaterThan(10)
  expect(other.story).toEqual(one.story)
})

/** A worker with some methods of its store replaced. */
function storing(services: Services, otherwise: Partial<Store>): Services {
  return { ...services, store: Object.assign(Object.create(services.store) as Store, otherwise) }
}

/** A worker whose claimed requests differ from the stored ones. */
function holding(services: Services, change: (claim: ClaimedRequest) => Partial<ClaimedRequest>): Services {
  return storing(services, {
    async claim(id) {
      const claim = await services.store.claim(id)
      return claim === null ? null : (Object.create(claim, descriptors(change(claim))) as ClaimedRequest)
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

/** Removes the note that a call was about to be made. */
function unsent({ sends, ...rest }: Progress): Progress {
  return { ...rest, sends: sends.filter(({ outcome }) => outcome !== undefined) }
}

const faulty: readonly (readonly [string, string, string, Breaking])[] = [
  [
    'forgets its journal',
    'patch-stopped',
    '“change settings” was carried out 2 times',
    (services) =>
      holding(services, (claim) => ({
        get request() {
          const { progress } = claim.request
          return { ...claim.request, ...(progress && { progress: progress.map(unsent) }) }
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
    (services) =>
      holding(services, (claim) => ({ move: (next, events) => claim.move(next, events, { lock: 'take' }) })),
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

describe('The explorer catches a worker that', () => {
  test.each(faulty)('%s', async (_, name, law, breaking) => {
    const explored = await explore(
      scenes.filter((scene) => scene.name === name),
      { faults: 1, most: 1_000, breaking, until: law },
    )
    expect(explored.findings.filter(({ says }) => says.includes(law))).not.toEqual([])
  })
})
