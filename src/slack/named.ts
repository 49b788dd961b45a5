import type { Policy } from '../domain/demand.ts'
import type { Member } from '../domain/policy.ts'

/** The parts of a policy that name somebody. */
export type Naming = Pick<Policy, 'roles' | 'asking' | 'overrides'>

/** The ids of everything of one kind that a policy names anywhere: in roles, approvals, fallbacks and overrides. */
export function idsIn(policy: Naming, kind: 'group' | 'channel'): ReadonlySet<string> {
  return new Set(membersIn(policy).flatMap((member) => (member.kind === kind ? [member.id] : [])))
}

function membersIn({ roles, asking, overrides }: Naming): readonly Member[] {
  const askings = [asking, ...overrides.flatMap((one) => one.asking ?? [])]
  return [
    ...Object.values(roles).flat(),
    ...askings.flatMap(({ from, fallback }) => [...(from ?? []), ...(fallback?.to ?? [])]),
  ]
}
