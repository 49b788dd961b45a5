import { createHash } from 'node:crypto'
import type { Endpoint } from '../domain/endpoint.ts'
import type { Plan } from '../domain/plan.ts'
import { type Exposure, type Requirement, requirementOf } from '../domain/policy.ts'
import type { Request } from '../domain/request.ts'
import type { Operation } from '../operations/define.ts'
import { replicasOf } from '../operations/show.ts'
import { operationIn } from '../operations/stored.ts'
import type { House } from './ports.ts'
import { readEndpoint } from './read.ts'

/** What would be done now, what it takes, and the digest of everything a person agrees to. */
export interface Proposal {
  readonly kind: 'plan'
  readonly endpoint: Endpoint
  readonly plan: Plan
  readonly exposure: Exposure
  readonly requirement: Requirement
  readonly digest: string
  /** "It is active, 3 replicas." */
  readonly why: string
}

export type Proposed =
  | Proposal
  | { readonly kind: 'no'; readonly says: string }
  | { readonly kind: 'later'; readonly says: string }

/** Reads the endpoint live and plans on what it shows. Made for the ask, and again before the first call. */
export async function propose(house: House, request: Request): Promise<Proposed> {
  const { row, values } = operationIn(request.line)
  const read = await readEndpoint(house, request.endpoint?.id ?? '')
  if (read.kind === 'later') return { kind: 'later', says: read.says }
  if (read.kind !== 'read')
    return { kind: 'no', says: `${request.endpoint?.name}: ${ended(read.says)} Nothing was done.` }
  const { endpoint } = read
  // A state nobody knows is nothing to plan a change on.
  if (endpoint.active === null) return { kind: 'later', says: 'The platform does not say whether it is active.' }
  const senseless = row.unless(endpoint, values)
  if (senseless !== false) return { kind: 'no', says: `${endpoint.name}: ${senseless}` }

  const plan = row.steps(values, endpoint)
  const exposure = endpoint.active ? 'active' : 'dormant'
  const requirement = requirementOf(row.impact(values), exposure)
  return {
    kind: 'plan',
    endpoint,
    plan,
    exposure,
    requirement,
    digest: digestOf(row, endpoint, plan, exposure),
    why: whyOf(endpoint),
  }
}

/** The platform's sentences, which may lack a full stop. */
function ended(says: string): string {
  return /[.!?]$/.test(says) ? says : `${says}.`
}

/**
 * Names, readings and times are shown to people but not compared; everything that decides what happens is. What it
 * takes is compared apart: only a stricter demand asks again.
 */
function digestOf(row: Operation, endpoint: Endpoint, plan: Plan, exposure: Exposure): string {
  return createHash('sha256')
    .update(JSON.stringify([row.name, endpoint.id, plan, exposure]))
    .digest('base64url')
}

function whyOf(endpoint: Endpoint): string {
  const parts = [endpoint.active ? 'active' : 'stopped', replicasOf(endpoint)]
  return `It is ${parts.filter((part) => part !== undefined).join(', ')}.`
}
