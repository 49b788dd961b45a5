import type { Call } from '../../src/core/commands/call.ts'
import type { Step } from '../../src/core/model/plan.ts'
import { isEnded, type Request } from '../../src/core/model/request.ts'
import type { Outcome } from '../../src/core/ports/platform.ts'
import type { MemoryEndpoint } from '../support/memory/platform.ts'
import type { MemoryServices } from '../support/memory/services.ts'
import { english } from '../support/words.ts'
import type { Worker } from './workers.ts'

/*
 * What must hold in every execution. It sees the platform's log and state and what people are told, but knows
 * nothing of how the product works.
 */

/** An endpoint's state at one moment. */
export interface Sight {
  readonly at: number
  readonly active: boolean
  readonly replicas: number
  readonly isAtRest: boolean
  /** How many changes the platform had carried out by then. */
  readonly effects: number
}

export interface Law {
  /** One sentence for each broken law; empty if all hold. */
  readonly violations: readonly string[]
  look(endpoint: string): Sight
  /** Records that a worker has the answer to a read. */
  read(worker: Worker, sight: Sight): void
  /** Records that a worker is about to send a change. */
  sends(worker: Worker, call: Call): void
  /** Records that the call has arrived. */
  arrived(call: Call, outcome: Outcome<unknown>): void
  moved(worker: Worker, before: Request, after: Request): void
  shown(request: Request): void
  /** Whether people already see the request's current state. */
  isShown(request: Request): boolean
  /** Checks the laws once nothing is left to happen. `calm`: no fault was injected. */
  atRest(calm: boolean): void
}

/** The laws for one endpoint, which only the watched requests and one person at the console change. */
export function createLaw({ platform, shelf, clock, complaints }: MemoryServices, endpoint: MemoryEndpoint): Law {
  const violations: string[] = []
  const first: Sight = look(endpoint.id)
  const ends = new Map<string, Request[]>()
  const shows = new Map<string, Request>()
  const sights = new Map<Worker, Sight>()
  let lastSight = first
  /** How many replicas were read before our first stop. */
  let stoppedAt = 0
  /** The steps that the platform definitely refused. */
  const refused = new Set<string>()

  function must(holds: boolean, says: string): void {
    if (!holds && !violations.includes(says)) violations.push(says)
  }

  function look(id: string): Sight {
    const { active, replicas, restsAt } = platform.endpoints.get(id)!
    const at = clock.now()
    return { at, active, replicas, isAtRest: at >= restsAt, effects: platform.effects.length }
  }

  function done(by: 'us' | 'console', what?: string): number {
    return platform.effects.filter((one) => one.by === by && one.moved && (what === undefined || one.what === what))
      .length
  }

  /** Whether our change is the last: a later change at the console hides it from every read. */
  function stands(what: string): boolean {
    const { effects } = platform
    const at = effects.findLastIndex((one) => one.by === 'us' && one.moved && one.what === what)
    return at !== -1 && !effects.slice(at + 1).some(({ by, moved }) => by === 'console' && moved)
  }

  /** A sentence must match the last read, and also the current state unless somebody has changed it since. */
  function checkState(worker: Worker, says: string, holds: (sight: Sight) => boolean): void {
    const seen = sights.get(worker) ?? lastSight
    const now = look(endpoint.id)
    must(holds(seen), `untrue when it was last read: ${says}`)
    if (now.effects === seen.effects) must(holds(now), `untrue: ${says}`)
  }

  function ended(worker: Worker, request: Request): void {
    const { status, ending, plan = [] } = request
    const says = english(ending?.says ?? '')
    const said = `“${status}: ${says}”`
    if (status === 'succeeded') succeeded(worker, request, said)
    if (status !== 'succeeded' && /It’s stopped\./.test(says)) checkState(worker, said, ({ active }) => !active)
    if (status !== 'succeeded' && /It’s (up \(|running\.)/.test(says)) checkState(worker, said, ({ active }) => active)
    if (/It’s running again/.test(says)) checkState(worker, said, ({ active }) => active)
    if (/again as before/.test(says)) must(done('us', 'change settings') === 0, `the settings are others: ${said}`)
    if (/Someone else/.test(says)) must(done('console') > 0, `nobody else was there: ${said}`)
    if (/[Nn]othing was done/.test(says)) must(done('us') === 0, `something was done: ${said}`)
    for (const step of failedIn(says, plan))
      must(!stands(step.says), `the platform did carry out “${step.says}”: ${said}`)
  }

  /** "Stop my-llm: failed." means its only step; "Restart my-llm: “stop” failed." means the step that it names. */
  function failedIn(says: string, plan: readonly Step[]): readonly Step[] {
    if (plan.length === 1) return says.includes(': failed.') ? plan : []
    return plan.filter((step) => says.includes(`“${step.says}” failed`))
  }

  function succeeded(worker: Worker, { line, plan = [], ending }: Request, said: string): void {
    const [verb] = line.split(' ')
    const count = Number(/ to (\d+)/.exec(line)?.[1])
    if (verb === 'stop') checkState(worker, said, ({ active }) => !active)
    if (verb === 'start') checkState(worker, said, ({ active }) => active)
    if (verb === 'scale') checkState(worker, said, ({ active, replicas }) => active && replicas === count)
    if (/it’s serving/.test(english(ending?.says ?? ''))) checkState(worker, said, ({ isAtRest }) => isAtRest)
    if (verb === 'restart' || (verb === 'patch' && plan.length > 1)) {
      checkState(worker, said, ({ active, replicas }) => active && replicas >= stoppedAt)
      must(
        platform.effects.some(({ what, moved }) => what === 'stop' && moved),
        `it never was down: ${said}`,
      )
    }
    if (verb === 'patch') must(done('us', 'change settings') === 1, `the settings are as they were: ${said}`)
  }

  /** Each step may take effect once, plus once for each time somebody else reversed it. */
  function appliedOnce(): void {
    const flips = platform.effects.filter(({ by, moved }) => by === 'console' && moved).length
    const counts = new Map<string, number>()
    for (const { by, what, moved } of platform.effects) {
      const counted = by === 'us' && (moved || what === 'change settings')
      if (counted) counts.set(what, (counts.get(what) ?? 0) + 1)
    }
    for (const [what, count] of counts) {
      const most = what === 'change settings' ? 1 : 1 + flips
      must(count <= most, `“${what}” was carried out ${count} times`)
    }
  }

  function leftUp(): void {
    const last = platform.effects.findLast(({ what, moved }) => moved && (what === 'stop' || what === 'start'))
    if (!first.active || endpoint.active || last?.by !== 'us') return
    // While our own stop is on its way, nobody can tell somebody else's stop from ours, which may still follow.
    const isTheirs = platform.effects.some(({ by, what, at }) => by === 'console' && what === 'stop' && at <= last.at)
    if (isTheirs) return
    const asked = [...ends.values()].flat()
    if (asked.some(({ line, status }) => line.startsWith('stop ') && status === 'succeeded')) return
    for (const { line, status, ending } of asked) {
      if (line.startsWith('stop ')) continue
      const isLoud = status === 'failed' || status === 'attention'
      const offers = ending?.offers?.some((offer) => offer.line.startsWith('start ')) === true
      must(refused.has('start') && isLoud && offers, `left down: “${status}: ${english(ending?.says ?? '')}”`)
    }
  }

  return {
    violations,
    look,
    read(worker, sight) {
      sights.set(worker, sight)
      if (sight.at >= lastSight.at) lastSight = sight
    },
    sends(worker, { path }) {
      const { name, leases } = worker
      if (path.endsWith('/stop') && stoppedAt === 0) stoppedAt = (sights.get(worker) ?? lastSight).replicas
      const holder = shelf.locks.get(endpoint.id)
      const token = shelf.requests.get(holder ?? '')?.lease?.token
      must(holder !== undefined, `${path} is called and nobody holds the endpoint`)
      must(token !== undefined && leases.has(token), `${name} calls ${path} for a request that it does not hold`)
    },
    arrived({ path }, outcome) {
      // A 500 means that the platform tried and failed.
      if (outcome.kind === 'refused' || outcome.kind === 'failed') refused.add(path.endsWith('/start') ? 'start' : path)
    },
    moved(worker, before, after) {
      if (!isEnded(after.status)) return
      if (isEnded(before.status)) return
      const known = ends.get(after.id) ?? []
      ends.set(after.id, [...known, after])
      ended(worker, after)
    },
    shown: (request) => void shows.set(request.id, request),
    isShown({ id, status, ask, ending }) {
      const before = shows.get(id)
      return before?.status === status && before.ask?.n === ask?.n && before.ending === ending
    },
    atRest(calm) {
      for (const [id, { request, lease }] of shelf.requests) {
        const all = ends.get(id) ?? []
        must(isEnded(request.status), `left open as ${request.status}: ${request.line}`)
        must(
          all.length <= 1,
          `ended ${all.length} times: ${all.map(({ ending }) => english(ending?.says ?? '')).join(' / ')}`,
        )
        must(
          english(shows.get(id)?.ending?.says ?? '') === english(request.ending?.says ?? ''),
          `people were not shown “${english(request.ending?.says ?? '')}”`,
        )
        must(lease === null || lease.until <= clock.monotonic(), 'a lease is left')
        if (calm)
          must(
            request.status === 'succeeded',
            `nothing went wrong, and it ${request.status}: ${english(request.ending?.says ?? '')}`,
          )
      }
      must(shelf.locks.size === 0, 'a lock is left')
      must(shelf.wake.size === 0, 'somebody would still look at it')
      appliedOnce()
      leftUp()
      for (const complaint of complaints)
        must(
          expected.some((one) => complaint.startsWith(one)),
          `the log says: ${complaint.split('\n')[0]}`,
        )
    },
  }
}

/** The log lines that injected faults may cause. */
const expected = [
  'could not show a request in Slack',
  'a request failed with an internal error: Error: A fault of ours.',
  'could not end a request after an internal error: LeaseLost',
]
