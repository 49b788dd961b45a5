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
    ...(roles.operator.length > 0 ? [] : [noOperator(name, usual)]),
    ...(['approver', 'admin'] as const).flatMap((role) =>
      roles[role].some(({ kind }) => kind === 'everyone') ? [`${name}: ${open[role]} ${narrow}`] : [],
    ),
    ...(asksAtAll(policy) ? places.flatMap(({ place, own }) => tightIn(`${name}: ${place}`, own, usual)) : []),
  ]
}

function noOperator(name: string, above: readonly Member[]): string {
  const who = above.length === 0 ? 'nobody may ask for a change' : 'only approvers and admins may ask for changes'
  return `${name} has no operator, so ${who}. Give somebody the role operator, under roles, unless it is meant so.`
}

/** What it comes to that everybody has a role. */
const open = {
  approver: 'everyone is an approver, so anybody may approve whatever somebody else asks for.',
  admin: 'everyone is an admin, so anybody may pass an approval with a reason and end a lockdown.',
} as const
const narrow = 'Name user:U… or group:S…, unless it is meant so.'

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
