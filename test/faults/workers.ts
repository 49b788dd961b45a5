import type { Services } from '../../src/core/ports/services.ts'
import { advance, sweep } from '../../src/lifecycle/advance.ts'
import type { MemoryServices } from '../support/memory/services.ts'
import type { Choices } from './choices.ts'
import type { VirtualTime } from './time.ts'

/** A process that carries out requests. It can die at any moment or freeze for longer than its lease. */
export interface Worker {
  readonly name: string
  alive: boolean
  /** Frozen until then, in monotonic ms. */
  frozenUntil: number
  /** Each lease by its token, with the monotonic ms until which it is renewed. */
  readonly leases: Map<string, { readonly request: string; until: number }>
  readonly services: Services
}

/** Faults of the worker itself, which can follow any operation. */
export type WorkerFault = 'the worker dies after it' | 'the worker stands still after it'
export const workerFaults: readonly WorkerFault[] = ['the worker dies after it', 'the worker stands still after it']

/** Longer than a lease and a call together, in ms. */
const standstill = 45_000
/** How often the worker's sweep timer fires, in ms. */
const sweepEvery = 5_000
const leaseMs = 20_000

export interface Fleet {
  readonly workers: readonly Worker[]
  /** Runs one operation at a port: chooses a fault, waits `ms`, then calls `act` with the fault. */
  operate<Fault extends string, Result>(
    worker: Worker,
    kind: string,
    ms: number,
    faults: readonly (Fault | WorkerFault)[],
    act: (fault: Fault | WorkerFault | null) => Promise<Result> | Result,
  ): Promise<Result>
  /** Has one worker take up a request, or both at the same moment. */
  ring(request: string, twice: boolean): void
  die(worker: Worker): void
  /** The next sweep, or null if no request waits for one. */
  nextSweep(): { readonly moment: number; readonly act: () => void } | null
}

export interface FleetOptions {
  readonly town: MemoryServices
  readonly time: () => VirtualTime
  readonly choices: Choices
  readonly furnish: (worker: Worker, fleet: Fleet) => Services
  readonly tell: (says: () => string) => void
}

/** A dead worker waits for this for ever. */
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

  /** Renews the leases, as a plain timer does while the process runs. */
  function renew({ leases }: Worker): void {
    const now = clock.monotonic()
    for (const [token, lease] of leases) {
      const stored = shelf.requests.get(lease.request)?.lease
      if (stored?.token !== token || stored.until <= now) continue
      lease.until = now + leaseMs
      // Usually it was already renewed at this moment, because the clock rarely moves.
      if (stored.until === lease.until) continue
      shelf.requests.get(lease.request)!.lease = { token, until: lease.until }
    }
  }

  /** Never resolves if the worker dies first. Returns undefined if the worker is awake. */
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

  /** Returns a worker, by turns; passes over a frozen one. */
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
