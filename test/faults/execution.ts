import type { Request } from '../../src/core/model/request.ts'
import type { ClaimedRequest, Services } from '../../src/core/ports/services.ts'
import { receive, receivePress } from '../../src/core/requests/receive.ts'
import { peopled } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'
import type { MemoryServices } from '../support/memory/services.ts'
import { english } from '../support/words.ts'
import { type Choice, type Course, createChoices } from './choices.ts'
import { createLaw } from './law.ts'
import { furnish, queueFor } from './ports.ts'
import type { Scene } from './scenes.ts'
import { createTime, type VirtualTime } from './time.ts'
import { createFleet, type Fleet } from './workers.ts'

/** One run of a scene. */
export interface Execution {
  readonly scene: Scene
  readonly course: Course
  /** Every choice at which a fault was possible, in order. */
  readonly made: readonly Choice[]
  readonly violations: readonly string[]
  /** The status and sentence with which each request ended. */
  readonly ends: readonly string[]
  /** What happened, one line per event; empty unless `telling` is set. */
  readonly story: readonly string[]
}

/** How long the platform's status goes on showing a stop, and how long a start takes to serve, in ms. */
const settling = { stopMs: 2_500, startMs: 3_000 }
/** The longest that an execution may take, in ms. */
const limit = 3 * 3_600_000

/** Puts a defect into a worker's services. */
export type Breaking = (services: Services, town: MemoryServices) => Services

export interface Playing {
  /** Records the story of what happened. */
  readonly telling?: boolean
  readonly breaking?: Breaking
}

/** Plays a scene along a course. Deterministic: the same course always runs the same way. */
export async function play(scene: Scene, course: Course, { telling, breaking }: Playing = {}): Promise<Execution> {
  const town = peopled(scene.policy)
  const { clock, platform, shelf } = town
  Object.assign(platform, settling)
  const began = clock.now()
  const choices = createChoices(course)
  const endpoint = [...platform.endpoints.values()].find(({ name }) => scene.line.includes(name))!
  const law = createLaw(town, endpoint)
  shelf.onMove = ({ events }) => {
    if (events.length > 0) choices.nextPhase()
  }
  const story: string[] = []
  function tell(says: () => string): void {
    if (telling !== true) return
    const state = `${endpoint.active ? 'up' : 'down'} × ${endpoint.replicas}`
    story.push(`${((clock.now() - began) / 1_000).toFixed(3).padStart(9)} s  [${state}] ${says()}`)
  }

  const time: VirtualTime = createTime(clock, () => fleet.nextSweep())
  const console = { isIdle: true }
  const furnishing = { town, time: () => time, law: () => law, show, console }
  const fleet: Fleet = createFleet({
    town,
    time: () => time,
    choices,
    furnish(worker, all) {
      const services = furnish(furnishing, worker, all)
      return breaking === undefined ? services : breaking(services, town)
    },
    tell,
  })
  const doors = {
    store: town.services.store,
    queue: queueFor(
      furnishing,
      async (at, faults, act) => {
        const fault = choices.take('ring', faults)
        tell(() => `door: ${at}${fault === null ? '' : ` — ${fault}`}`)
        await act(fault)
      },
      fleet,
    ),
  }
  const asked = new Set<number>()

  /** Answers each new question after three seconds. */
  function show({ request }: ClaimedRequest): void {
    law.shown(request)
    const { ask, status } = request
    if (status !== 'awaiting' || ask === undefined || asked.has(ask.n)) return
    asked.add(ask.n)
    time.at(clock.now() + 3_000, () => {
      const id = `${request.id}-${ask.n}`
      const actor = { team: homeTeam, user: 'U0BEN' }
      const press = { id, request: request.id, ask: ask.n, yes: true, actor, channel: 'C0OPS', at: clock.now() }
      void receivePress(doors, press)
    })
  }

  const request: Request = {
    id: 'r000000000000000000000',
    project: 'default',
    kind: 'operation',
    line: scene.line,
    actor: { team: homeTeam, user: 'U0ANA' },
    place: { channel: 'C0OPS' },
    receivedAt: began,
    status: 'received',
    notes: [],
    nextAt: began,
  }
  time.at(began, () => void receive(doors, request))
  const isOver = await time.run(began + limit)
  law.atRest(course.length === 0)
  const violations = isOver ? law.violations : [...law.violations, 'it never comes to rest']
  const ends = [...shelf.requests.values()].map(
    ({ request: { status, ending } }) => `${status}: ${english(ending?.says ?? '')}`,
  )
  for (const end of ends) tell(() => end)
  return { scene, course, made: choices.made, violations, ends, story }
}
