import { expect, test } from 'vitest'
import { isEnded, type Press, type Request } from '../../src/core/model/request.ts'
import type { ClaimedRequest, Services, Store } from '../../src/core/ports/services.ts'
import { advance } from '../../src/lifecycle/advance.ts'
import { openStore } from '../adapters/redis/support.ts'
import { type Dice, diceOf } from '../support/dice.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'
import { type MemoryServices, survived } from '../support/memory/services.ts'
import { tries } from '../support/search.ts'

/** The setting of a race: the services, its workers, and a function that passes time for all of them. */
interface Track {
  readonly town: MemoryServices
  readonly workers: readonly Services[]
  readonly pass: (ms: number) => void
}

const asker = { team: homeTeam, user: 'U0ANA' }

function requested(id: string, at: number): Request {
  return {
    id,
    project: 'default',
    kind: 'operation',
    line: 'stop my-llm',
    actor: asker,
    place: { channel: 'C0OPS' },
    receivedAt: at,
    status: 'received',
    notes: [],
    nextAt: at,
  }
}

/** Presses from 2 to 20 people, up to three each: some decline, some may not answer, some press twice at once. */
function pressesOf(dice: Dice, town: MemoryServices, request: string): readonly Press[] {
  const count = 2 + Math.floor(dice.next() * 19)
  const against = dice.pick([0, 0, 0.1, 0.5])
  return Array.from({ length: count }, (_, nth) => {
    const actor = { ...asker, user: nth === 0 ? asker.user : `U0P${nth}` }
    const groups = dice.next() < 0.8 ? ['S0APP'] : []
    if (nth > 0) town.people.persons.set(actor.user, { membership: 'full', groups: new Set(groups), known: true })
    return Array.from({ length: dice.pick([1, 1, 2, 3]) }, (_none, time): Press => {
      const yes = dice.next() >= against
      return { id: `${request}-${nth}-${time}`, request, ask: 1, yes, actor, channel: 'C0OPS', at: town.clock.now() }
    })
  })
    .flat()
    .map((press) => ({ press, at: dice.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ press }) => press)
}

/** Waits for `count` microtasks, in which others run. */
async function moments(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) await Promise.resolve()
}

/** Returns the same services with random delays. */
function dawdling(services: Services, dice: Dice): Services {
  const store: Store = {
    ...services.store,
    async claim(id) {
      await moments(dice.next() * 20)
      const claim = await services.store.claim(id)
      return claim === null ? null : slow(claim)
    },
  }
  function slow(claim: ClaimedRequest): ClaimedRequest {
    return Object.create(claim, {
      move: {
        value: async (...what: Parameters<ClaimedRequest['move']>) => {
          await moments(dice.next() * 10)
          return claim.move(...what)
        },
      },
    }) as ClaimedRequest
  }
  const people = {
    ...services.people,
    who: async (...whom: Parameters<Services['people']['who']>) => {
      await moments(dice.next() * 10)
      return services.people.who(...whom)
    },
  }
  return { ...services, store, people }
}

/** Everyone presses at once, and each press advances the request; then the request is advanced until it settles. */
async function race(dice: Dice, { town, workers, pass }: Track, needed: number, id: string): Promise<void> {
  const [first] = workers
  if (first === undefined) throw new Error('A race takes a worker.')
  const { store } = first
  await store.receive(requested(id, town.clock.now()), undefined)
  await advance(first, id)
  expect(await store.load(id)).toMatchObject({ status: 'awaiting' })

  const presses = pressesOf(dice, town, id)
  await Promise.all(
    presses.map(async (press) => {
      await moments(dice.next() * 60)
      const worker = dice.pick(workers)
      await worker.store.press(press, undefined)
      // Slack delivers some presses twice.
      if (dice.next() < 0.2) await dice.pick(workers).store.press(press, undefined)
      await survived(advance(worker, id))
    }),
  )
  for (let times = 0; times < 10; times += 1) {
    pass(2_000)
    await advance(dice.pick(workers), id)
  }

  const end = await store.load(id)
  const events = await store.eventsOf(id)
  const decided = events.filter(({ what }) => ['agreed', 'declined', 'cancelled'].includes(what))
  const counted = events.filter(({ what }) => what === 'approved').length + decided.length
  const calls = town.platform.made.filter(({ call }) => call.path.endsWith('/stop'))
  const isOver = end !== null && isEnded(end.status)
  expect(decided).toHaveLength(isOver ? 1 : 0)
  expect(calls).toHaveLength(end?.status === 'succeeded' ? 1 : 0)
  expect(end?.votes ?? []).toHaveLength(new Set(end?.votes?.map(({ by }) => by.user)).size)
  expect(end?.votes?.length ?? 0).toBeLessThanOrEqual(needed)
  if (end?.status === 'succeeded' && needed > 0) expect(end.votes).toHaveLength(needed)
  // Each press either counted or was answered once, only to the person who pressed.
  const notes = end?.notes ?? []
  expect(notes).toHaveLength(presses.length - counted)
  expect(new Set(notes.map((note) => note.id)).size).toBe(notes.length)
  const pressers = new Map(presses.map((press) => [press.id, press.actor]))
  for (const note of notes) {
    expect(note.to).toEqual(pressers.get(note.id))
    expect(note.says).not.toBe('')
  }
  expect(town.complaints).toEqual([])
}

/** `needed`: the number of approvals, or 0 for a confirmation. */
function trackFor(needed: number): MemoryServices {
  const town = peopled(policyWith({ stop: needed === 0 ? 'confirmation' : 'approval', asking: { needed } }))
  town.people.persons.get('U0ANA')?.groups.add('S0APP')
  return town
}

const races = tries(250)

test.each([0, 1, 2, 3])(
  `each of ${races} races for %d approvals (0: a confirmation) is decided once; the others get a note`,
  async (needed) => {
    for (let seed = 0; seed < races; seed += 1) {
      const dice = diceOf(seed)
      const town = trackFor(needed)
      const workers = [dawdling(town.services, dice), dawdling(town.services, dice)]
      await race(dice, { town, workers, pass: (ms) => town.clock.pass(ms) }, needed, 'a'.repeat(22))
    }
  },
)

test.each([0, 1, 2, 3])(
  'each of five races for %d approvals in Redis with two workers is decided once',
  async (needed) => {
    for (let seed = 0; seed < 5; seed += 1) {
      const dice = diceOf(1_000 * needed + seed)
      const town = trackFor(needed)
      const redis = openStore()
      redis.now = town.clock.now()
      const clock = { now: () => redis.now, monotonic: () => performance.now() }
      const workers = [redis.store(), redis.store()].map((store) => dawdling({ ...town.services, store, clock }, dice))
      function pass(ms: number): void {
        town.clock.pass(ms)
        redis.now += ms
      }
      await race(dice, { town, workers, pass }, needed, 'b'.repeat(22))
    }
  },
)
