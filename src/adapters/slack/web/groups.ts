import type { WebClient } from '@slack/web-api'
import type { Policy } from '../../../core/model/policy.ts'
import type { Member, Person } from '../../../core/model/roles.ts'
import type { Clock, Log } from '../../../core/ports/services.ts'
import { remembering } from './memoize.ts'

export interface GroupsOptions {
  readonly client: WebClient
  readonly policy: () => Naming
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

export interface Groups {
  /** Those of the policy's groups that somebody is in, as read within so many ms; a minute unless told. Never throws. */
  of(user: string, within?: number): Promise<Pick<Person, 'groups' | 'unread'>>
}

/** The members of groups, by id; null of one whose list was cut short. */
type Members = ReadonlyMap<string, ReadonlySet<string> | null>

const nobody: ReadonlySet<string> = new Set()

/**
 * Who is in the user groups of the policy, believed for a minute. Slack allows some twenty of these questions a minute,
 * so one asks for all groups; only what that does not tell is asked for each. What cannot be read has no members.
 */
export function createGroups({ client, policy, clock, log }: GroupsOptions): Groups {
  const all = remembering(clock, async (): Promise<Members> => {
    const { usergroups = [] } = await client.usergroups.list({ include_users: true, include_disabled: false })
    return new Map(
      usergroups.map(({ id = '', users = [], user_count: count }) => [
        id,
        users.length < Number(count ?? 0) ? null : new Set(users),
      ]),
    )
  })
  const one = remembering(clock, async (usergroup: string): Promise<ReadonlySet<string>> => {
    const { users } = await client.usergroups.users.list({ usergroup, include_disabled: false })
    return new Set(users)
  })

  async function listed(within?: number): Promise<Members | null> {
    try {
      return await all('all', within)
    } catch (err) {
      log.warn({ err }, 'the user groups cannot be listed, so each of the policy is asked for')
      return null
    }
  }

  async function membersOf(
    group: string,
    members: Members | null,
    within?: number,
  ): Promise<ReadonlySet<string> | null> {
    // One that is not on the list is switched off, or not there at all.
    const found = members === null ? null : (members.get(group) ?? (members.has(group) ? null : nobody))
    if (found !== null) return found
    try {
      return await one(group, within)
    } catch (err) {
      log.warn({ err, group }, 'a user group of the policy cannot be read, so nobody counts as its member')
      return null
    }
  }

  return {
    async of(user, within) {
      const named = [...idsIn(policy(), 'group')]
      if (named.length === 0) return { groups: nobody }
      const members = await listed(within)
      const found = await Promise.all(named.map((group) => membersOf(group, members, within)))
      const groups = new Set(named.filter((_, at) => found[at]?.has(user)))
      return { groups, ...(found.includes(null) && { unread: true }) }
    },
  }
}

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
