import type { Services } from '../../src/core/ports/services.ts'
import { advance } from '../../src/lifecycle/advance.ts'
import { sweep } from '../../src/lifecycle/rounds.ts'
import type { MemoryServices } from '../support/memory/services.ts'
import type { Choices } from './choices.ts'
import type { VirtualTime } from './time.ts'

/** A process that carries requests out. It can die at any moment, or stand still for longer than its lease. */
export interface Worker {
  readonly name: string
  alive: boolean
  /** Monotonic ms until which it stands still. */
  frozenUntil: number
  /** What it holds: the token of each lease, and until when that is renewed, monotonic ms. */
  readonly leases: Map<string, { readonly request: string; until: number }>
  readonly services: Services
}

/** How an operation at a port can go wrong for the worker that waits for it. */
export type WorkerFault = 'the worker dies after it' | 'the worker stands still after it'
export const workerFaults: readonly WorkerFault[] = ['the worker dies after it', 'the worker stands still after it']

/** Longer than a lease and a call together, ms. */
const standstill = 45_000
/** As the worker's plain timer rings, ms. */
const sweepEvery = 5_000
const leaseMs = 20_000

export interface Fleet {
  readonly workers: readonly Worker[]
  /** Something at a port: what goes wrong is chosen, it takes `ms`, and `act` is what it comes to. */
  operate<Fault extends string, Result>(
    worker: Worker,
    kind: string,
    ms: number,
    faults: readonly (Fault | WorkerFault)[],
    act: (fault: Fault | WorkerFault | null) => Promise<Result> | Result,
  ): Promise<Result>
  /** Has a request taken up by one worker, or by two at the same moment. */
  ring(request: string, twice: boolean): void
  die(worker: Worker): void
  /** The sweep that is to come next, where there is anything to sweep. */
  nextSweep(): { readonly moment: number; readonly act: () => void } | null
}

export interface FleetOptions {
  readonly town: MemoryServices
  readonly time: () => VirtualTime
  readonly choices: Choices
  readonly furnish: (worker: Worker, fleet: Fleet) => Services
  readonly tell: (says: () => string) => void
}

/** Two workers; in the place of one that dies stands another at once. */
/** What a dead worker was waiting for. */
function never(): Promise<never> {
  return new Promise(() => undefined)
}

export function createFleet({ town, time, choices, furnish, tell }: FleetOptions): Fleet {
  const { clock, shelf } = town
  const workers: Worker[] = []
  let [born, turns, swept] = [0, 0, clock.now()]

  function bear(): Worker {
    born += 1
    const worker = { name: `worker ${born}`, alive: true, frozenUntil: 0, leases: new Map(), services: town.services }
    worker.services = furnish(worker, fleet)
    return worker
  }

  /** What a plain timer does as long as the process runs. */
  function renew({ leases }: Worker): void {
    const now = clock.monotonic()
    for (const [token, lease] of leases) {
      const stored = shelf.requests.get(lease.request)?.lease
      if (stored?.token !== token || stored.until <= now) continue
      lease.until = now + leaseMs
      // Renewed at this moment already, as nearly always: time passes seldom.
      if (stored.until === lease.until) continue
      shelf.requests.get(lease.request)!.lease = { token, until: lease.until }
    }
  }

  /** Never, where the worker dies before; nothing to wait for, where it is awake. */
  function awake(worker: Worker): Promise<void> | undefined {
    const left = worker.frozenUntil - clock.monotonic()
    if (left > 0) return asleep(worker, left)
    if (!worker.alive) return never()
    renew(worker)
    return undefined
  }

  async function asleep(worker: Worker, left: number): Promise<void> {
    await time().sleep(left)
    if (!worker.alive) await never()
  }

  /** One that is at hand, by turns. */
  function atHand(): Worker {
    turns += 1
    const [one, other] = turns % 2 === 0 ? workers : workers.toReversed()
    return one!.frozenUntil <= clock.monotonic() ? one! : other!
  }

  function begin(worker: Worker, work: (services: Services) => Promise<void>): void {
    work(worker.services).catch((error: unknown) => tell(() => `${worker.name} gives up: ${String(error)}`))
  }

  const fleet: Fleet = {
    workers,
    async operate(worker, kind, ms, faults, act) {
      await awake(worker)
      const fault = choices.take(kind, faults)
      if (ms > 0) await time().sleep(ms)
      if (!worker.alive) await never()
      let result: ReturnType<typeof act>
      try {
        result = await act(fault)
      } finally {
        tell(() => `${worker.name}: ${kind}${fault === null ? '' : ` — ${fault}`}`)
      }
      if (fault === 'the worker dies after it') fleet.die(worker)
      if (fault === 'the worker stands still after it') worker.frozenUntil = clock.monotonic() + standstill
      await awake(worker)
      return result
    },
    ring(request, twice) {
      const first = atHand()
      begin(first, (services) => advance(services, request))
      if (twice) begin(workers.find((one) => one !== first)!, (services) => advance(services, request))
    },
    die(worker) {
      worker.alive = false
      workers[workers.indexOf(worker)] = bear()
    },
    nextSweep() {
      const due = Math.min(...shelf.wake.values())
      if (due === Number.POSITIVE_INFINITY) return null
      const after = Math.max(due - swept, sweepEvery)
      const moment = swept + Math.ceil(after / sweepEvery) * sweepEvery
      return {
        moment,
        act() {
          swept = moment
          begin(atHand(), (services) => sweep(services, (id) => advance(services, id)))
        },
      }
    },
  }
  workers.push(bear(), bear())
  return fleet
}
