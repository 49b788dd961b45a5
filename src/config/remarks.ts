import { type Asking, impacts, type Policy } from '../domain/demand.ts'
import { type Member, written } from '../domain/policy.ts'

/** What is not wrong in a project's policy, and may come as a surprise one day. */
export function remarksOf(name: string, policy: Policy): readonly string[] {
  const { roles, asking, overrides } = policy
  const places = [
    { place: 'approvals', own: asking },
    ...overrides.flatMap((one, at) =>
      one.asking === undefined ? [] : [{ place: `endpoints[${at}].approvals`, own: { ...asking, ...one.asking } }],
    ),
  ]
  const usual = [...roles.approver, ...roles.admin]
  return [
    ...(roles.admin.length > 0
      ? []
      : [`${name} has no admin, so nobody could end a lockdown. Give somebody the role admin, under roles.`]),
    ...(asksAtAll(policy) ? places.flatMap(({ place, own }) => tightIn(`${name}: ${place}`, own, usual)) : []),
  ]
}

function asksAtAll({ matrix, overrides }: Policy): boolean {
  const cells = [matrix, ...overrides.map((one) => one.matrix ?? {})]
  return cells.some((some) => impacts.some((impact) => Object.values(some[impact] ?? {}).includes('approval')))
}

/** Nobody approves what they have asked for: with no more people than it takes, theirs is never approved. */
function tightIn(place: string, { needed, from, fallback }: Asking, usual: readonly Member[]): readonly string[] {
  const all = [...(from ?? usual), ...(fallback?.to ?? [])]
  const people = new Set(all.map(written))
  if (people.size === 0 || people.size > needed || all.some(({ kind }) => kind !== 'user')) return []
  const only = people.size === 1 ? 'only 1 person may approve' : `only ${people.size} people may approve`
  const who = people.size === 1 ? 'they ask' : 'one of them asks'
  return [`${place} takes ${needed}, and ${only}: what ${who} for can never be approved. Name more people.`]
}
