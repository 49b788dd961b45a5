import type { Endpoint } from '../model/endpoint.ts'
import {
  type Demand,
  type Exposure,
  type Impact,
  type Policy,
  type Requirement,
  requirements,
} from '../model/policy.ts'

type Known = Pick<Endpoint, 'name' | 'tags'>

/** What it takes to do something of this impact to an endpoint; without one, to the project. */
export function demandOf(policy: Policy, impact: Impact, exposure: Exposure, endpoint?: Known): Demand {
  const matching = policy.overrides.flatMap((one, at) => {
    const by = endpoint === undefined ? undefined : one.match.find((pattern) => fits(pattern, endpoint))
    return by === undefined ? [] : [{ ...one, at, by }]
  })
  const deciding = matching.find(({ matrix }) => matrix?.[impact]?.[exposure] !== undefined)
  const cell = `matrix.${impact}.${exposure}`
  const inFile = policy.written?.[impact]?.[exposure] !== undefined
  const general = inFile ? cell : `usual matrix (${impact}, ${exposure})`
  let { asking } = policy
  for (const one of matching.toReversed()) asking = { ...asking, ...one.asking }
  const requirement = deciding?.matrix?.[impact]?.[exposure] ?? policy.matrix[impact][exposure]
  const counting = requirement === 'approval' ? matching.find((one) => one.asking?.needed !== undefined) : undefined
  const approvals = asking.needed === 1 ? '1 approval' : `${asking.needed} approvals`
  return {
    requirement,
    asking,
    rule: [
      deciding === undefined ? general : `${placeOf(deciding)}: ${cell}`,
      ...(counting === undefined ? [] : [`${approvals} by ${placeOf(counting)}`]),
    ].join('; '),
  }
}

/** Ending a lockdown takes an admin's second look at what is missing, whatever the policy says: they stand for that. */
export function demandOfUnlocking({ asking }: Policy): Demand {
  return { requirement: 'confirmation', asking, rule: 'a lockdown is ended by an admin who has seen what is missing' }
}

function placeOf({ at, by }: { readonly at: number; readonly by: string }): string {
  return `endpoints[${at}] (${by})`
}

/** The part of the policy file that protects an endpoint, or null. */
export function protectedBy(policy: Policy, endpoint: Known): string | null {
  for (const [at, { match, protected: held }] of policy.overrides.entries()) {
    const by = held === true ? match.find((pattern) => fits(pattern, endpoint)) : undefined
    if (by !== undefined) return placeOf({ at, by })
  }
  return null
}

/** A star stands for anything; everything else is taken as it is. */
export function fits(pattern: string, { name, tags = [] }: Known): boolean {
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
export function isStricter(now: Demand, then: Pick<Demand, 'requirement' | 'asking'>): boolean {
  const order: readonly Requirement[] = ['nothing', 'notice', ...requirements.slice(1)]
  const rank = (one: Requirement) => order.indexOf(one)
  if (now.requirement !== then.requirement) return rank(now.requirement) > rank(then.requirement)
  return now.requirement === 'approval' && now.asking.needed > then.asking.needed
}
