import { outcomeOfStatus, outcomeOfThrown } from '../../src/adapters/platform/errors.ts'
import type { Call } from '../../src/core/commands/call.ts'
import type { Outcome, Platform } from '../../src/core/ports/platform.ts'
import { type ClaimedRequest, LeaseLost, type Queue, type Services, type Store } from '../../src/core/ports/services.ts'
import type { MemoryServices } from '../support/memory/services.ts'
import type { Law } from './law.ts'
import type { VirtualTime } from './time.ts'
import { type Fleet, type Worker, type WorkerFault, workerFaults } from './workers.ts'

/** How long an operation takes, in ms. */
const [storage, network] = [0, 50]
const leaseMs = 20_000

export interface Furnishing {
  readonly town: MemoryServices
  readonly time: () => VirtualTime
  readonly law: () => Law
  /** Shows a request to people. */
  readonly show: (claim: ClaimedRequest) => void
  /** Whether the person at the console has yet to change something. */
  readonly console: { isIdle: boolean }
}

/** Gives one worker the ports of the town: every operation takes its time, and any can fail. */
export function furnish(of: Furnishing, worker: Worker, fleet: Fleet): Services {
  const { town, law } = of
  return {
    ...town.services,
    store: storeFor(of, worker, fleet),
    queue: queueFor(of, (at, faults, act) => fleet.operate(worker, at, 0, faults, act), fleet),
    platform: platformFor(of, worker, fleet),
    people: {
      ...town.people,
      who: (...whom) =>
        fleet.operate(worker, 'who is it?', network, ['not found out'], (fault) =>
          fault === null ? town.people.who(...whom) : null,
        ),
    },
    notifier: {
      ...town.services.notifier,
      show: (claim) => {
        // Most moves change nothing that people see, so they need no choice.
        if (law().isShown(claim.request)) return Promise.resolve({ again: null })
        return fleet.operate(worker, 'show', network, ['fails'], (fault) => {
          if (fault !== null) throw new Error('The chat is not there.')
          // Like the real notifier, which must not overwrite newer words with older ones.
          if (claim.until() <= town.clock.monotonic()) throw new LeaseLost('Somebody else may be showing this by now.')
          of.show(claim)
          return { again: null }
        })
      },
    },
  }
}

type Write = 'refused'
type Fault = 'refused' | 'breaks'
const askFaults = ['refused', 'breaks'] as const
const writeFaults = [...workerFaults, 'refused'] as const

function storeFor({ town, law }: Furnishing, worker: Worker, fleet: Fleet): Store {
  const { store } = town.services

  function write<Result>(at: string, act: () => Promise<Result>): Promise<Result> {
    return fleet.operate<Write, Result>(worker, at, storage, writeFaults, (fault) => {
      if (fault === 'refused') throw new LeaseLost('The storage refused it.')
      return act()
    })
  }

  /** Either the connection is down, or our own code breaks on the answer. */
  function ask<Result>(at: string, act: () => Promise<Result>): Promise<Result> {
    return fleet.operate<Fault, Result>(worker, at, storage, askFaults, (fault) => {
      if (fault === 'refused') throw new LeaseLost('The storage did not answer.')
      if (fault === 'breaks') throw new Error('A fault of ours.')
      return act()
    })
  }

  /** Changes the object in place, because an exploration claims hundreds of thousands of requests. */
  function claimAs(token: string, claim: ClaimedRequest): ClaimedRequest {
    const plain = { ...claim }
    return Object.assign(claim, {
      until: () => worker.leases.get(token)?.until ?? Number.NEGATIVE_INFINITY,
      move: (next, events, options) =>
        write(events.length === 0 ? 'keep' : `write “${events.at(-1)?.what}”`, async () => {
          const before = claim.request
          const moved = await plain.move(next, events, options)
          if (moved.kind === 'moved') law().moved(worker, before, next)
          return moved
        }),
      savePosts: (posts, when) =>
        when === 'later' ? plain.savePosts(posts, when) : write('keep posts', () => plain.savePosts(posts)),
      async release(at) {
        const isDown = await write('put down', () => plain.release(at))
        if (isDown) worker.leases.delete(token)
        return isDown
      },
      refresh: () => write('look again', () => plain.refresh()),
      leave() {
        worker.leases.delete(token)
        return plain.leave()
      },
      abandon() {
        worker.leases.delete(token)
        plain.abandon()
      },
    } satisfies Partial<ClaimedRequest>)
  }

  // Copied, because a prototype lives until the next full collection and keeps the whole execution alive.
  return {
    ...store,
    claim: (id) =>
      fleet.operate(worker, 'take up', storage, workerFaults, async () => {
        const claim = await store.claim(id)
        const token = town.shelf.requests.get(id)?.lease?.token
        if (claim === null || token === undefined) return null
        worker.leases.set(token, { request: id, until: town.clock.monotonic() + leaseMs })
        return claimAs(token, claim)
      }),
    records: (all) => ask('records', () => store.records(all)),
    load: (id) => ask('a request', () => store.load(id)),
    holderOf: (id) => ask('the holder', () => store.holderOf(id)),
    lastDone: (id) => ask('what was done', () => store.lastDone(id)),
    settingsOf: (id) => ask('settings', () => store.settingsOf(id)),
    rememberSettings: (settings) => ask('keep settings', () => store.rememberSettings(settings)),
    forgetSettings: (id) => ask('forget settings', () => store.forgetSettings(id)),
    lateOf: (id) => ask('late calls', () => store.lateOf(id)),
    rememberLate: (id, late) => ask('keep a late call', () => store.rememberLate(id, late)),
    due: (now, most) => fleet.operate(worker, 'sweep', storage, [], () => store.due(now, most)),
  }
}

type Act<Fault, Result> = (fault: Fault | null) => Promise<Result> | Result

/** `operate` is the worker's own, or a door's, which worker faults do not touch. */
export function queueFor(
  { time, town }: Pick<Furnishing, 'time' | 'town'>,
  operate: (at: string, faults: readonly ('lost' | 'twice')[], act: Act<string, void>) => Promise<void>,
  fleet: Pick<Fleet, 'ring'>,
): Queue {
  return {
    wake: ({ id }, _attempt, delayMs = 0) =>
      operate('wake', ['lost', 'twice'], (fault) => {
        if (fault !== 'lost') time().at(town.clock.now() + delayMs, () => fleet.ring(id, fault === 'twice'))
      }),
  }
}

/** What happens to a change: whether the call arrives, when, and what its sender gets back. */
const callFaults = [
  'not connected',
  '429, not carried out',
  '503 with a time, not carried out',
  '500, not carried out',
  '500, carried out',
  '502, not carried out',
  '502, carried out',
  'no answer, not carried out',
  'no answer, carried out',
  'no answer, carried out after 45 s',
  'no answer, carried out after 100 s',
  'refused',
  'the worker dies before it',
  'the worker dies, carried out after 45 s',
] as const
type CallFault = (typeof callFaults)[number]
const silence = outcomeOfThrown(new DOMException('', 'TimeoutError'), '', 10_000)
const unconnected = outcomeOfThrown(Object.assign(new Error(), { code: 'ECONNREFUSED' }), '', 10_000)
const readFaults = ['503', 'no answer'] as const
type ConsoleFault = `then somebody else: ${string}`

function platformFor(of: Furnishing, worker: Worker, fleet: Fleet): Platform {
  const { town, time, law } = of
  const { platform, clock } = town

  /** The person at the console is as fast as our next operation. */
  function elsewhere(id: string): readonly ConsoleFault[] {
    const endpoint = platform.endpoints.get(id)
    if (endpoint === undefined || !of.console.isIdle) return []
    const changes = endpoint.active ? ['stop', `scale to ${endpoint.replicas + 1}`] : ['start']
    return changes.map((what): ConsoleFault => `then somebody else: ${what}`)
  }

  function atConsole(id: string, fault: string | null): void {
    if (fault === null || !fault.startsWith('then somebody else')) return
    of.console.isIdle = false
    platform.atConsole(id, fault.replace(/^.*: /, ''))
  }

  async function read(call: Call, id: string): Promise<Outcome<unknown>> {
    const faults = [...readFaults, ...elsewhere(id), workerFaults[1]!] as const
    let seen: ReturnType<Law['look']> | null = null
    const outcome = await fleet.operate<(typeof readFaults)[number] | ConsoleFault, Outcome<unknown>>(
      worker,
      'read',
      network,
      faults,
      async (fault) => {
        if (fault === '503') return outcomeOfStatus(503, '')
        if (fault === 'no answer') return slept(silence)
        seen = law().look(id)
        const answer = platform.arrive(call)
        atConsole(id, fault)
        return answer
      },
    )
    if (seen !== null) law().read(worker, seen)
    return outcome
  }

  async function slept(outcome: Outcome<never>): Promise<Outcome<never>> {
    await time().sleep(platform.timeoutMs)
    return outcome
  }

  function later(call: Call, ms: number): void {
    time().at(clock.now() + ms, () => law().arrived(call, platform.arrive(call)))
  }

  function change(call: Call, id: string): Promise<Outcome<unknown>> {
    law().sends(worker, call)
    function carriedOut(): Outcome<unknown> {
      const outcome = platform.arrive(call)
      law().arrived(call, outcome)
      return outcome
    }
    async function act(fault: CallFault | ConsoleFault | WorkerFault | null): Promise<Outcome<unknown>> {
      switch (fault) {
        case 'not connected':
          return unconnected
        case '429, not carried out':
          return outcomeOfStatus(429, '', 2_000)
        case '503 with a time, not carried out':
          return outcomeOfStatus(503, '', 2_000)
        case '500, carried out':
          carriedOut()
          return outcomeOfStatus(500, '')
        case '502, carried out':
          carriedOut()
          return outcomeOfStatus(502, '')
        case '502, not carried out':
          return outcomeOfStatus(502, '')
        case 'no answer, carried out':
          carriedOut()
          return slept(silence)
        case 'no answer, not carried out':
          return slept(silence)
        case 'no answer, carried out after 45 s':
          later(call, 45_000)
          return slept(silence)
        case 'no answer, carried out after 100 s':
          later(call, 100_000)
          return slept(silence)
        case '500, not carried out':
        case 'refused': {
          const outcome = outcomeOfStatus(fault === 'refused' ? 403 : 500, '')
          law().arrived(call, outcome)
          return outcome
        }
        case 'the worker dies before it':
          fleet.die(worker)
          return silence
        case 'the worker dies, carried out after 45 s':
          later(call, 45_000)
          fleet.die(worker)
          return silence
        default: {
          const outcome = carriedOut()
          atConsole(id, fault)
          return outcome
        }
      }
    }
    const faults = [...callFaults, ...elsewhere(id), ...workerFaults] as const
    const { method, path } = call
    return fleet.operate(worker, `${method} ${path.slice(path.indexOf('}') + 1)}`, network, faults, act)
  }

  return {
    timeoutMs: platform.timeoutMs,
    instanceTypes: () => platform.instanceTypes(),
    list: () => fleet.operate(worker, 'list', network, [], () => platform.list()),
    async send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
      const id = call.params?.path?.['endpoint_id'] ?? ''
      const outcome = await (call.method === 'get' ? read(call, id) : change(call, id))
      return outcome as Outcome<Answer>
    },
  }
}
