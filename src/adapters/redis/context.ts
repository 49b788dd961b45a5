import type { Redis } from 'ioredis'
import type { Policy } from '../../core/model/policy.ts'
import type { Clock } from '../../core/ports/services.ts'
import type { Keys } from './connection/keys.ts'
import { createTrail, type Trail } from './integrity/chain.ts'
import { createProof, type Proof } from './integrity/proof.ts'
import type { Signer } from './integrity/sign.ts'

/** What everything in the store of a project stands on. */
export interface StoreContext {
  readonly redis: Redis
  readonly keys: Keys
  readonly signer: Signer
  readonly trail: Trail
  readonly proof: Proof
  /** The policy that holds now: its version stands in every entry of the audit. A door decides by none. */
  readonly policy: () => Pick<Policy, 'version'> | undefined
}

export function storeContextOn(
  redis: Redis,
  keys: Keys,
  signer: Signer,
  clock: Pick<Clock, 'now'>,
  policy: StoreContext['policy'] = () => undefined,
): StoreContext {
  const trail = createTrail(redis, keys, signer, clock)
  return { redis, keys, signer, trail, proof: createProof(redis, keys, signer, trail), policy }
}
