import type { Redis } from 'ioredis'
import type { Clock } from '../../../core/ports/services.ts'
import type { Keys } from '../connection/keys.ts'
import { createKnown, type Known } from './known.ts'
import { createProof, type Proof } from './proof.ts'
import { createTexts, createVersions, type Texts } from './request-texts.ts'
import { createTrail, type Trail } from './request-trail.ts'
import type { Signer } from './sign.ts'

/** What everything in the store of a project stands on. */
export interface Ground {
  readonly redis: Redis
  readonly keys: Keys
  readonly signer: Signer
  readonly texts: Texts
  readonly known: Known
  readonly proof: Proof
  readonly trail: Trail
  /** The version of the policy that holds now: it stands in every entry of the audit. A door decides by none. */
  readonly policy: () => string | undefined
}

export function groundOn(
  redis: Redis,
  keys: Keys,
  signer: Signer,
  clock: Clock,
  policy: Ground['policy'] = () => undefined,
): Ground {
  const texts = createTexts(redis, keys, signer, createVersions(clock))
  const known = createKnown(redis, keys, signer)
  const trail = createTrail(redis, keys, signer, clock)
  return { redis, keys, signer, texts, known, proof: createProof(known, signer, trail.wrote), trail, policy }
}
