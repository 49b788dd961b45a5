import type { Policy } from '../../../src/core/model/policy.ts'
import { LeaseLost, type Seals, type Services } from '../../../src/core/ports/services.ts'
import { createLeftToNewer } from '../../../src/core/requests/claim-other.ts'
import { advance } from '../../../src/lifecycle/advance.ts'
import { english } from '../words.ts'
import { createMemoryClock, type MemoryClock } from './clock.ts'
import { commands } from './lines.ts'
import { createMortal, type Mortal } from './mortal.ts'
import { createMemoryPeople, type MemoryPeople } from './people.ts'
import { createMemoryPlatform, type MemoryPlatform } from './platform.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { createMemoryStore } from './store.ts'

export interface MemoryServices {
  readonly services: Services
  readonly shelf: Shelf
  readonly clock: MemoryClock
  readonly platform: MemoryPlatform
  readonly people: MemoryPeople
  readonly mortal: Mortal
  readonly announced: string[]
  /** All warnings and errors of the log. */
  readonly complaints: string[]
  /** Replaces the policy. */
  rule(policy: Policy): void
  /** Lets the worker process its wake-ups until none are left. It may die meanwhile. */
  work(): Promise<void>
}

export interface MemoryHouseOptions {
  readonly policy: Policy
  /** Drops all wake-ups, so that only a sweep finds new requests. */
  readonly drops?: boolean
}

/** Creates all services in memory: nothing takes time, and nothing happens by itself. */
export function createMemoryServices({ policy: first, drops = false }: MemoryHouseOptions): MemoryServices {
  let policy = first
  const [clock, shelf, mortal, people] = [createMemoryClock(), createShelf(), createMortal(), createMemoryPeople()]
  const platform = createMemoryPlatform({ clock, mortal })
  const rung = new Set<string>()
  const announced: string[] = []
  const complaints: string[] = []
  function complain(fields: object, message: string): void {
    const why: unknown = Reflect.get(fields, 'err')
    complaints.push(why instanceof Error ? `${message}: ${why.stack}` : message)
  }
  const log = { info: () => undefined, warn: complain, error: complain }
  const services: Services = {
    project: 'default',
    commands,
    policy: () => policy,
    operationsChannel: () => 'C0OPS',
    reading: async () => null,
    soon: () => undefined,
    watch: { look: () => Promise.reject(new Error('Nobody watches here.')) },
    store: createMemoryStore({ clock, shelf, mortal }),
    queue: {
      async wake({ id }, _attempt, delayMs = 0) {
        // The sweep takes up delayed requests.
        if (!drops && delayMs === 0) rung.add(id)
      },
    },
    seals: createMemorySeals(),
    tokens: { secretOf: (id) => `lamp_${id}`, digestOf: (id) => `digest of ${id}` },
    platform,
    people,
    notifier: { show: async () => ({ again: null }), toldAt: () => 0 },
    announce: async (says) => void announced.push(says.map(english).join('\n')),
    checks: async () => [],
    clock,
    log,
    left: createLeftToNewer(clock, log),
  }
  return {
    services,
    shelf,
    clock,
    platform,
    people,
    mortal,
    announced,
    complaints,
    rule(next) {
      policy = next
    },
    async work() {
      for (const id of rung) {
        rung.delete(id)
        await survived(advance(services, id))
      }
    },
  }
}

/** Resolves even if the worker died during its work. */
export async function survived(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
  }
}

function createMemorySeals(): Seals {
  const kept = new Map<string, Parameters<Seals['seal']>[1]>()
  return {
    async seal(of, entries) {
      if (kept.has(JSON.stringify(of))) return false
      kept.set(JSON.stringify(of), entries)
      return true
    },
    open: async (of) => kept.get(JSON.stringify(of)) ?? null,
    async forget(request, field) {
      for (const key of kept.keys()) if (key.includes(`"${request}"`) && key.includes(`"${field}"`)) kept.delete(key)
    },
    known: async () => () => false,
  }
}
