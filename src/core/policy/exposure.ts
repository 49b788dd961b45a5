import { hash } from 'node:crypto'
import { type Endpoint, replicasOf } from '../model/endpoint.ts'
import type { Exposure, Guard, Policy } from '../model/policy.ts'
import { type Records, recordOn } from '../model/records.ts'
import { instant } from '../time/format.ts'
import { placeOf, protectedBy, wordsFor } from './requirement.ts'

/** What a change of this endpoint would hurt. */
export function exposureOf(endpoint: Endpoint, policy: Policy, records: Records): Exposure {
  const held = protectedBy(policy, endpoint) !== null || recordOn(records, 'protection', endpoint.id) !== undefined
  return held ? 'protected' : endpoint.active === false ? 'dormant' : 'active'
}

/** What protects it, where anything does: the policy file, or somebody. */
export function guardOf(endpoint: Endpoint, policy: Policy, records: Records): Guard | undefined {
  const entry = protectedBy(policy, endpoint)
  if (entry !== null)
    return { says: `It is protected by ${placeOf(entry)}.`, inWords: `It is protected by ${wordsFor(entry)}.` }
  const held = recordOn(records, 'protection', endpoint.id)
  if (held === undefined) return undefined
  const because = held.because === undefined ? '.' : `: “${held.because}”`
  return { who: held.by, says: `has protected it since ${instant(held.at)}${because}` }
}

/** Of everything that decides what happens, not of names and times. What it takes is compared by `isStricter`. */
export function agreementDigest(agreed: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(agreed), 'base64url')
}

/** "It is active, 3 replicas."; of half a read what it does not tell: "It is active. What its replicas do is unknown: …" */
export function whyOf(endpoint: Endpoint, exposure: Exposure): string {
  const { problem } = endpoint
  const state = endpoint.active === true ? 'active' : endpoint.active === false ? 'stopped' : 'in a state nobody knows'
  const replicas = problem === undefined ? replicasOf(endpoint) : undefined
  const parts = [exposure === 'protected' ? 'protected' : undefined, state, replicas]
  const unknown =
    problem === undefined
      ? ''
      : ` What its replicas do is unknown: ${/[.!?…]$/.test(problem) ? problem : `${problem}.`}`
  return `It is ${parts.filter((part) => part !== undefined).join(', ')}.${unknown}`
}
