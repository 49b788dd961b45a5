import type { Redis } from 'ioredis'
import type { Head } from '../../../core/ports/audit.ts'
import type { Store } from '../../../core/ports/services.ts'
import { createAudit } from '../audit/log.ts'
import { scriptOn, withLeaseLost } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'
import { type StoreContext, storeContextOn } from '../context.ts'
import type { Signer } from '../integrity/sign.ts'
import { claiming } from './claim.ts'
import { createGroups } from './groups.ts'
import { createIntake, type IntakeOptions } from './intake.ts'
import { createMemory, createNames, createPrices } from './memory.ts'
import { createReadings, createRulings } from './readings.ts'
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

/** KEYS wake. ARGV now, most, put off until, then ids that are not for this caller. Gives each id to one caller only. */
const putOff = `
local left = {}
for at = 4, #ARGV do left[ARGV[at]] = true end
local ids = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2] + #ARGV - 3)) do
  if not left[id] and #ids < tonumber(ARGV[2]) then
    redis.call('ZADD', KEYS[1], ARGV[3], id)
    ids[#ids + 1] = id
  end
end
return ids
`

/** The requests of one project in Redis. */
export function createStore(options: StoreOptions): Store {
  const { redis, keys, project, signer, clock, leaseMs, policy, noted } = options
  const due = scriptOn(redis, 'lamplighterDue', putOff)
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
    open: openRequests(context),
    proposals: async () => Number((await redis.get(keys.proposals)) ?? 0),
    async due(now, most, except = []) {
      return (await due([keys.wake], [now, most, now + leaseMs, ...except])) as string[]
    },
  } satisfies Store)
}
