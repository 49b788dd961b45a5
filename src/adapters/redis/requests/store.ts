import type { Redis } from 'ioredis'
import type { Head } from '../../../core/ports/audit.ts'
import type { Store } from '../../../core/ports/services.ts'
import { createAudit } from '../audit/log.ts'
import { createReadings, createRulings } from '../caches/readings.ts'
import { scriptOn, withLeaseLost } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'
import { type StoreContext, storeContextOn } from '../context.ts'
import type { Signer } from '../integrity/sign.ts'
import { claiming } from './claim.ts'
import { createGroups } from './groups.ts'
import { createIntake, type IntakeOptions } from './intake.ts'
import { createMemory, createNames, createPrices } from './memory.ts'
import * as scripts from './scripts.ts'
import { createFiles, createPast, loadRequest, openRequests } from './state.ts'

export interface StoreOptions extends IntakeOptions {
  readonly redis: Redis
  readonly keys: Keys
  readonly signer: Signer
  readonly leaseMs: number
  /** The policy that what is decided here is decided by. */
  readonly policy?: StoreContext['policy']
  /** Heads of the audit that were noted outside Redis. */
  readonly noted?: () => Promise<readonly Head[]>
}

/** A lease outlives one call to the platform by ten seconds. ms. */
export function leaseMsFor(platformTimeoutMs: number): number {
  return platformTimeoutMs + 10_000
}

/** The requests of one project in Redis. */
export function createStore(options: StoreOptions): Store {
  const { redis, keys, project, signer, clock, leaseMs, policy, noted } = options
  const due = scriptOn(redis, 'lamplighterDue', scripts.due)
  const context = storeContextOn(redis, keys, signer, clock, policy)

  return withLeaseLost({
    ...createNames(context),
    ...createPrices(context),
    ...createFiles(context),
    ...createPast(context),
    ...createMemory(context),
    ...createAudit(context, project, noted),
    ...createRulings(context),
    ...createReadings(context),
    ...createIntake(context, options),
    ...createGroups(context),
    claim: claiming({ ...options, ...context }),
    load: (id) => loadRequest(context, id),
    open: () => openRequests(context),
    async due(now, most, except = []) {
      return (await due([keys.wake], [now, most, now + leaseMs, ...except])) as string[]
    },
  } satisfies Store)
}
