import type { WebClient } from '@slack/web-api'
import type { Policy } from '../../../core/model/policy.ts'
import type { Member, Person } from '../../../core/model/roles.ts'
import type { Clock, Log } from '../../../core/ports/services.ts'
import { memoize, nullOnFailure } from './calls.ts'

export interface GroupsOptions {
  readonly client: WebClient
  /** In force now. */
  readonly policy: () => PolicyMembers
  readonly clock: Clock
  readonly log: Log
}

/** Members by group id; null if the list is incomplete. */
type Members = ReadonlyMap<string, ReadonlySet<string> | null>

const nobody: ReadonlySet<string> = new Set()

/**
 * Reads a person's groups among those of the policy, cached for a minute or `within` ms. Slack allows some twenty of
 * these calls a minute, so one call lists all groups, and only incomplete ones are read one by one. An unreadable group
 * has no members. Never throws.
 */
export function createGroups({ client, policy, clock, log }: GroupsOptions) {
  const all = memoize(clock, async (): Promise<Members> => {
    const { usergroups = [] } = await client.usergroups.list({ include_users: true, include_disabled: false })
    return new Map(
      usergroups.map(({ id = '', users = [], user_count: count = 0 }) => [
        id,
        users.length < Number(count) ? null : new Set(users),
      ]),
    )
  })
  const one = memoize(clock, async (usergroup: string): Promise<ReadonlySet<string>> => {
    const { users } = await client.usergroups.users.list({ usergroup, include_disabled: false })
    return new Set(users)
  })

  async function membersOf(group: string, members: Members | null, within?: number) {
    // A group that is not on the list is switched off or does not exist.
    if (members?.has(group) === false) return nobody
    const listed = members?.get(group)
    if (listed) return listed
    const message = 'a user group of the policy cannot be read, so nobody counts as its member'
    return nullOnFailure(log, { group }, message, () => one(group, within))
  }

  return async (user: string, within?: number): Promise<Pick<Person, 'groups' | 'unread'>> => {
    const named = [...idsIn(policy(), 'group')]
    if (named.length === 0) return { groups: nobody }
    const message = 'the user groups cannot be listed, so each of the policy is asked for'
    const members = await nullOnFailure(log, {}, message, () => all('all', within))
    const found = await Promise.all(named.map((group) => membersOf(group, members, within)))
    const groups = new Set(named.filter((_, at) => found[at]?.has(user)))
    return { groups, ...(found.includes(null) && { unread: true }) }
  }
}

/** The parts of a policy that name members. */
export type PolicyMembers = Pick<Policy, 'roles' | 'asking' | 'overrides'>

/** The groups or channels that a policy names, in roles, approvals, fallbacks or overrides. */
export function idsIn(policy: PolicyMembers, kind: 'group' | 'channel'): ReadonlySet<string> {
  return new Set(membersIn(policy).flatMap((member) => (member.kind === kind ? [member.id] : [])))
}

function membersIn({ roles, asking, overrides }: PolicyMembers): readonly Member[] {
  const askings = [asking, ...overrides.flatMap((one) => one.asking ?? [])]
  return [
    ...Object.values(roles).flat(),
    ...askings.flatMap(({ from, fallback }) => [...(from ?? []), ...(fallback?.to ?? [])]),
  ]
}
