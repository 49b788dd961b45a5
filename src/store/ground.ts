import type { Redis } from 'ioredis'
import type { Clock } from '../lifecycle/ports.ts'
import type { Keys } from './keys.ts'
import { createKnown, type Known } from './known.ts'
import { createProof, type Proof } from './proof.ts'
import type { Signer } from './signed.ts'
import { createTexts, type Texts } from './texts.ts'
import { createTrail, type Trail } from './trail.ts'
import { createVersions } from './versions.ts'

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
