import { type Demand, demandOf, type Exposure, type Policy } from '../domain/demand.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { sentences } from '../domain/errors.ts'
import type { Outlook } from '../domain/outlook.ts'
import type { Plan } from '../domain/plan.ts'
import { type Change, lockdownIn, type Records } from '../domain/records.ts'
import { isAutomatic, type Request } from '../domain/request.ts'
import { waitFor } from '../domain/resend.ts'
import type { Command } from '../operations/commands.ts'
import type { Operation } from '../operations/define.ts'
import { changing } from './change.ts'
import { digestOf, exposureOf, whyOf } from './facts.ts'
import type { House } from './ports.ts'
import { enoughFor, readEndpoint } from './read.ts'

/** What would be done now, what it takes, and the digest of everything a person agrees to. */
export interface Proposal {
  readonly kind: 'plan'
  /** As read this moment, where it is about one. */
  readonly endpoint?: Endpoint
  readonly plan: Plan
  /** Of our own records, where it is about those; `means` says what holds from then on. */
  readonly change?: Change
  readonly means?: string
  /** What would be done right away by a rule it lays down; '' where nothing would. */
  readonly atOnce?: string
  /** What it was planned on. */
  readonly records: Records
  /** Until when its first step has to wait for a call that may still arrive and would undo it, ms since 1970. */
  readonly waitsUntil?: number
  /** What the next days come to by it, where it lays down a rule. */
  readonly preview?: readonly Outlook[]
  readonly exposure: Exposure
  readonly demand: Demand
  readonly digest: string
  /** "It is active, 3 replicas." */
  readonly why: string
}

export type Proposed =
  | Proposal
  /** `asItIs`: it would change nothing about the endpoint as it is now. */
  | { readonly kind: 'no'; readonly says: string; readonly asItIs?: true }
  | { readonly kind: 'later'; readonly says: string }

/** Reads the endpoint live and plans on what it shows. Made for the ask, and again before the first call. */
export async function propose(house: House, request: Request, command: Command<Operation>): Promise<Proposed> {
  const { row, values } = command
  const about = request.endpoint
  const [records, read, late] = await Promise.all([
    house.store.records(),
    about === undefined ? undefined : readEndpoint(house, about.id, 'half'),
    about === undefined ? null : house.store.lateOf(about.id),
  ])
  const lockdown = lockdownIn(records)
  if (lockdown !== null && row.safe !== true) return { kind: 'no', says: sentences.lockedDown(lockdown.why) }
  if (read?.kind === 'later') return { kind: 'later', says: read.says }
  const policy = house.policy()
  const changes = row.change !== undefined && (row.laterBy === undefined || row.laterBy(values))
  if (read?.kind === 'gone' && about !== undefined && changes)
    return changing(house, request, command, {
      records,
      policy,
      endpoint: { ...about, active: null },
      gone: ended(read.says),
    })
  if (read !== undefined && read.kind !== 'read')
    return { kind: 'no', says: `${about?.name}: ${ended(read.says)} Nothing was done.` }
  const endpoint = read?.endpoint
  if (changes) return changing(house, request, command, { records, policy, endpoint })
  if (endpoint === undefined) throw new Error(`${row.name} is about an endpoint, and none was found.`)
  if (!isCalled(endpoint, String(values['endpoint']), request))
    return { kind: 'no', says: sentences.otherName(endpoint.name) }
  const proposal = planned(command, endpoint, policy, records)
  if (proposal.kind !== 'plan') return proposal
  const [step] = proposal.plan
  const waitsUntil = step === undefined ? null : waitFor(late, step, house.clock.now())
  const whole = waitsUntil === null ? proposal : { ...proposal, waitsUntil }
  return isAutomatic(request) ? noticed(whole, request) : whole
}

/** What a name stands for is looked up in a list that may be old; what is acted on says itself what it is called. */
function isCalled({ id, name }: Endpoint, word: string, { status }: Request): boolean {
  return status !== 'received' || word === id || word === name
}

function planned({ row, values }: Command<Operation>, endpoint: Endpoint, policy: Policy, records: Records): Proposed {
  // A state nobody knows is nothing to plan a change on.
  if (endpoint.active === null) return { kind: 'later', says: 'The platform does not say whether it is active.' }
  const plan = row.steps(values, endpoint)
  // A stop rests on that alone; nothing else is planned on half a read.
  if (endpoint.problem !== undefined && plan.some((step) => enoughFor(step) === 'whole'))
    return { kind: 'later', says: endpoint.problem }
  const senseless = row.unless(endpoint, values, policy.bounds)
  if (senseless !== false) return { kind: 'no', says: `${endpoint.name}: ${senseless}`, asItIs: true }

  const exposure = exposureOf(endpoint, policy, records)
  return {
    kind: 'plan',
    endpoint,
    plan,
    records,
    exposure,
    demand: demandOf(policy, row.impact(values, { endpoint }), exposure, endpoint),
    digest: digestOf([row.name, endpoint.id, plan, exposure]),
    why: whyOf(endpoint, exposure),
  }
}

/**
 * What schedules and the idle watch hand in was agreed to when their rule was made. What would take somebody's word is
 * told beforehand instead; and nothing protects an endpoint from people's rules but protection itself.
 */
function noticed(proposal: Proposal, { reason }: Request): Proposed {
  const { demand, exposure, endpoint } = proposal
  if (demand.requirement === 'nothing' || demand.requirement === 'refusal') return proposal
  if (exposure === 'protected') return { kind: 'no', says: `${endpoint?.name} is protected. Nothing was done.` }
  const why = [proposal.why, reason].filter((part) => part !== undefined && part !== '').join(' ')
  return { ...proposal, why, demand: { ...demand, requirement: 'notice' } }
}

/** The platform's sentences, which may lack a full stop. */
function ended(says: string): string {
  return /[.!?]$/.test(says) ? says : `${says}.`
}
