import type { Command } from '../../core/commands/commands.ts'
import type { Operation } from '../../core/commands/define.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import { lockdownIn, type Records } from '../../core/model/records.ts'
import { isAutomatic, type Request } from '../../core/model/request.ts'
import { sentences } from '../../core/model/sentences.ts'
import { digestOf, exposureOf, whyOf } from '../../core/policy/exposure.ts'
import { demandOf } from '../../core/policy/requirement.ts'
import type { House } from '../../core/ports/services.ts'
import { enoughFor, readEndpoint } from '../../core/requests/read-endpoint.ts'
import { waitFor } from '../execution/resend.ts'
import { changing } from './plan-change.ts'
import type { Proposal, Proposed } from './proposal.ts'

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
