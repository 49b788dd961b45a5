import { hash } from 'node:crypto'
import type { Operation } from '../commands/define.ts'
import { fits, type Matchable } from '../model/automation.ts'
import { currentState, type Endpoint } from '../model/endpoint.ts'
import {
  type Guard,
  type Impact,
  type Policy,
  type PolicyDecision,
  type Requirement,
  requirements,
  type Standing,
} from '../model/policy.ts'
import {
  admitsTerminal,
  type Change,
  endsLockdown,
  protectorText,
  type Records,
  recordOn,
  startsAtOnce,
  startsByHours,
} from '../model/records.ts'
import { codeLife } from '../model/token.ts'
import { type SentenceValue, say, type Words } from '../model/words.ts'

/**
 * Returns the agreement that an action of this impact needs, on an endpoint or, if none is given, on the project. Of
 * several impacts, the one that needs most counts.
 */
export function evaluatePolicy(
  policy: Policy,
  impact: Impact | readonly Impact[],
  standing: Standing,
  endpoint?: Matchable,
): PolicyDecision {
  const [first = 'destructive', ...more] = [impact].flat()
  return more
    .map((one) => decisionFor(policy, one, standing, endpoint))
    .reduce(stricterOf, decisionFor(policy, first, standing, endpoint))
}

function stricterOf(one: PolicyDecision, other: PolicyDecision): PolicyDecision {
  return isStricter(other, one) ? other : one
}

/**
 * Returns the agreement that a change to our own records needs. A schedule that starts its endpoint is judged as the start
 * of a stopped one too, because its starts are only announced. A run is refused where its end would be.
 */
export function evaluateChange(
  row: Operation,
  change: Change,
  policy: Policy,
  impact: Impact | readonly Impact[],
  standing: Standing,
  endpoint?: Matchable,
): PolicyDecision {
  const decided = fixedDecision(row, change, policy) ?? evaluatePolicy(policy, impact, standing, endpoint)
  if (startsByHours(change)) return stricterOf(decided, evaluatePolicy(policy, 'reversible', 'dormant', endpoint))
  const stop = startsAtOnce(change) ? evaluatePolicy(policy, 'disruptive', 'active', endpoint) : decided
  return stop.requirement === 'refusal' ? stop : decided
}

function decisionFor(policy: Policy, impact: Impact, standing: Standing, endpoint?: Matchable): PolicyDecision {
  const matching = policy.overrides.flatMap((one) => {
    const by = endpoint === undefined ? undefined : one.match.find((pattern) => fits(pattern, endpoint))
    return by === undefined ? [] : [{ ...one, by }]
  })
  const deciding = matching.find(({ matrix }) => matrix?.[impact]?.[standing] !== undefined)
  const inFile = policy.written?.[impact]?.[standing] !== undefined
  let { asking } = policy
  for (const one of matching.toReversed()) asking = { ...asking, ...one.asking }
  const requirement = deciding?.matrix?.[impact]?.[standing] ?? policy.matrix[impact][standing]
  const counting = requirement === 'approval' ? matching.find((one) => one.asking?.needed !== undefined) : undefined
  const count = counting === undefined ? 0 : asking.needed
  return {
    requirement,
    asking,
    inWords: say('policy.why', {
      impact: requirement === 'refusal' && impact === 'reversible' ? 'refused' : impact,
      exposure: standing,
      from: deciding === undefined ? (inFile ? 'project' : 'default') : matchedBy(deciding.by),
      count,
      by: counting === undefined || counting.by === deciding?.by ? 'none' : matchedBy(counting.by),
    }),
  }
}

/** Names a pattern of the policy file for people: "endpoints tagged prod". */
function matchedBy(pattern: string): SentenceValue {
  return pattern.startsWith('tag:') ? say('policy.tagged', { tag: pattern.slice(4) }) : pattern
}

/** Returns the fixed requirement of certain changes to our own records; null for all others. */
function fixedDecision({ needsApproval }: Operation, change: Change, { asking }: Policy): PolicyDecision | null {
  const fixed = (requirement: Requirement, rule: Words) => ({
    requirement,
    asking,
    inWords: say('policy.because', { rule }),
  })
  // The admin confirms that the lost data are accepted.
  if (endsLockdown(change)) return fixed('confirmation', say('policy.unlocking'))
  // Only the person whom the terminal will act for can confirm.
  const expires = Math.min(asking.expires, codeLife)
  if (admitsTerminal(change))
    return { ...fixed('confirmation', say('policy.terminal')), asking: { ...asking, expires } }
  // The person who asks for an approval cannot give it.
  return needsApproval === true ? fixed('approval', say('policy.question')) : null
}

/** An endpoint entry of the policy file, counted from 0, and its matching pattern. */
interface PolicyEntry {
  readonly at: number
  readonly by: string
}

export function entryText({ at, by }: PolicyEntry): string {
  return `endpoints[${at}] (${by})`
}

/** Returns the entry that protects an endpoint, or null. */
export function protectedBy(policy: Policy, endpoint: Matchable): PolicyEntry | null {
  for (const [at, { match, protected: isProtected }] of policy.overrides.entries()) {
    const by = isProtected === true ? match.find((pattern) => fits(pattern, endpoint)) : undefined
    if (by !== undefined) return { at, by }
  }
  return null
}

/** Whether a new decision requires more than the one that people have answered. */
export function isStricter(now: PolicyDecision, then: Pick<PolicyDecision, 'requirement' | 'asking'>): boolean {
  const order: readonly Requirement[] = ['nothing', 'notice', ...requirements.slice(1)]
  const rank = (one: Requirement) => order.indexOf(one)
  if (now.requirement !== then.requirement) return rank(now.requirement) > rank(then.requirement)
  return now.requirement === 'approval' && now.asking.needed > then.asking.needed
}

/** An unknown state counts as active. */
export function endpointStanding(endpoint: Endpoint, policy: Policy, records: Records): Standing {
  const guarded = protectedBy(policy, endpoint) !== null || recordOn(records, 'protection', endpoint.id) !== undefined
  return guarded ? 'protected' : endpoint.active === false ? 'dormant' : 'active'
}

/** What protects an endpoint: an entry of the policy file or a person. */
export function protectionOf(endpoint: Endpoint, policy: Policy, records: Records): Guard | undefined {
  const entry = protectedBy(policy, endpoint)
  if (entry !== null) return { says: say('guard.entry', { entry: entryText(entry) }) }
  const protection = recordOn(records, 'protection', endpoint.id)
  return protection && { says: protectorText(protection) }
}

/** Hashes everything that decides what happens, without names and times. `isStricter` compares the requirements. */
export function agreementDigest(agreed: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(agreed), 'base64url')
}

/** "It’s running with 3 replicas."; if only half was read, "It’s running. I couldn’t read its replicas: …" */
export function whyOf(endpoint: Endpoint, standing: Standing): Words {
  const { active, problem, replicas, replicasByState, autoscaled } = endpoint
  const running = (active === true ? replicasByState?.['RUNNING'] : undefined) ?? replicas ?? 0
  const isKnown = problem === undefined && replicas !== undefined
  return [
    say('endpoint.isNow', {
      guard: standing === 'protected' ? 'yes' : 'no',
      state: currentState(endpoint),
      known: !isKnown ? 'none' : running === replicas ? 'all' : 'some',
      running,
      replicas: replicas ?? 0,
      scaled: isKnown && autoscaled === true ? 'yes' : 'no',
    }),
    problem === undefined ? '' : say('endpoint.replicasUnread', { why: problem }),
  ]
}
