import type { Policy } from '../../core/model/policy.ts'
import type { Clock } from '../../core/ports/services.ts'
import { createTrail, type SignedPlace } from './integrity/chain.ts'
import { createProof } from './integrity/proof.ts'

/** What all parts of a project's store share. */
export type StoreContext = ReturnType<typeof storeContextOn>

/** `policy`: the current policy, whose version is in every entry of the audit. A door needs none. */
export function storeContextOn(
  place: SignedPlace,
  clock: Pick<Clock, 'now'>,
  policy: () => Pick<Policy, 'version'> | undefined = () => undefined,
) {
  const trail = createTrail(place, clock)
  return { ...place, trail, proof: createProof(place, trail), policy }
}
