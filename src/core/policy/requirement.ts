import { hash } from 'node:crypto'
import { type Endpoint, replicasOf } from '../model/endpoint.ts'
import {
  type Exposure,
  type Guard,
  type Impact,
  type Policy,
  type PolicyDecision,
  type Requirement,
  requirements,
} from '../model/policy.ts'
import { type Records, recordOn } from '../model/records.ts'
import { instant } from '../time/format.ts'

/** What the policy file's patterns are matched with. */
export type Matchable = Pick<Endpoint, 'name' | 'tags'>

/** The agreement needed for an action of this impact on an endpoint, or on the project if none is given. */
export function evaluatePolicy(
  policy: Policy,
  impact: Impact,
  exposure: Exposure,
  endpoint?: Matchable,
): PolicyDecision {
  const matching = policy.overrides.flatMap((one, at) => {
    const by = endpoint === undefined ? undefined : one.match.find((pattern) => fits(pattern, endpoint))
    return by === undefined ? [] : [{ ...one, at, by }]
  })
  const deciding = matching.find(({ matrix }) => matrix?.[impact]?.[exposure] !== undefined)
  const inFile = policy.written?.[impact]?.[exposure] !== undefined
  let { asking } = policy
  for (const one of matching.toReversed()) asking = { ...asking, ...one.asking }
  const requirement = deciding?.matrix?.[impact]?.[exposure] ?? policy.matrix[impact][exposure]
  const counting = requirement === 'approval' ? matching.find((one) => one.asking?.needed !== undefined) : undefined
  const approvals = asking.needed === 1 ? '1 approval' : `${asking.needed} approvals`
  const cell = `matrix.${impact}.${exposure}`
  const [place, whose] =
    deciding !== undefined
      ? [`${placeOf(deciding)}: ${cell}`, `for ${deciding.by}`]
      : inFile
        ? [cell, 'of this project']
        : [`usual matrix (${impact}, ${exposure})`, 'as usual']
  return {
    requirement,
    asking,
    rule: [place, ...(counting ? [`${approvals} by ${placeOf(counting)}`] : [])].join('; '),
    inWords: [
      `${whose}, on ${hurts[impact]} (${exposure})`,
      ...(counting ? [`${approvals} by ${wordsFor(counting)}`] : []),
    ].join('; '),
  }
}

const hurts: Readonly<Record<Impact, string>> = {
  reversible: 'what can be taken back',
  disruptive: 'what interrupts',
  destructive: 'what cannot be taken back',
  loosening: 'what lifts a guard',
}

/** Ending a lockdown takes an admin's second look at what was lost, whatever the policy says: they accept that. */
export function demandOfUnlocking({ asking }: Policy): PolicyDecision {
  const rule = 'a lockdown is ended by an admin who has seen what is missing'
  return { requirement: 'confirmation', asking, rule, inWords: rule }
}

/** An entry of the policy file about endpoints, counted from 0, and its pattern that matches. */
interface PolicyEntry {
  readonly at: number
  readonly by: string
}

export function placeOf({ at, by }: PolicyEntry): string {
  return `endpoints[${at}] (${by})`
}

function wordsFor({ by }: PolicyEntry): string {
  return `the rule for ${by}`
}

/** The entry that protects an endpoint, or null. */
export function protectedBy(policy: Policy, endpoint: Matchable): PolicyEntry | null {
  for (const [at, { match, protected: held }] of policy.overrides.entries()) {
    const by = held === true ? match.find((pattern) => fits(pattern, endpoint)) : undefined
    if (by !== undefined) return { at, by }
  }
  return null
}

/** A star stands for anything; everything else is taken as it is. */
export function fits(pattern: string, { name, tags = [] }: Matchable): boolean {
  const [kind, wanted] = pattern.startsWith('tag:') ? ['tag', pattern.slice(4)] : ['name', pattern]
  return kind === 'tag' ? tags.some((tag) => isLike(tag, wanted)) : isLike(name, wanted)
}

/** Part by part, so that the time grows with the length of the name alone, however many stars there are. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return text === first
  const end = text.length - last.length
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/** Whether a new demand asks for more than the one people have answered. */
export function isStricter(now: PolicyDecision, then: Pick<PolicyDecision, 'requirement' | 'asking'>): boolean {
  const order: readonly Requirement[] = ['nothing', 'notice', ...requirements.slice(1)]
  const rank = (one: Requirement) => order.indexOf(one)
  if (now.requirement !== then.requirement) return rank(now.requirement) > rank(then.requirement)
  return now.requirement === 'approval' && now.asking.needed > then.asking.needed
}

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
