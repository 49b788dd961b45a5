import type { WebClient } from '@slack/web-api'
import type { Clock, Log } from '../lifecycle/ports.ts'
import { idsIn, type Naming } from './named.ts'
import { remembering } from './remembering.ts'

export interface GroupsOptions {
  readonly client: WebClient
  readonly policy: () => Naming
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

export interface Groups {
  /** Those of the policy's groups that somebody is in; `anew`: nothing that was read earlier is believed. Never throws. */
  of(user: string, anew: boolean): Promise<ReadonlySet<string>>
}

/** The members of groups, by id. */
type Members = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Who is in the user groups of the policy, believed for a minute. Slack allows some twenty of these questions a minute,
 * so one asks for all groups; only what that does not tell is asked for each. What cannot be read has no members.
 */
export function createGroups({ client, policy, clock, log }: GroupsOptions): Groups {
  const all = remembering(clock, async (): Promise<Members> => {
    const { usergroups = [] } = await client.usergroups.list({ include_users: true, include_disabled: true })
    return new Map(
      usergroups.flatMap(({ id = '', users, user_count: count, date_delete: off = 0 }) => {
        if (off > 0) return [[id, new Set<string>()] as const]
        // A list that was cut short is none.
        return users === undefined || users.length < Number(count ?? 0) ? [] : [[id, new Set(users)] as const]
      }),
    )
  })
  const one = remembering(clock, async (usergroup: string): Promise<ReadonlySet<string>> => {
    const { users } = await client.usergroups.users.list({ usergroup, include_disabled: false })
    return new Set(users)
  })

  async function listed(anew: boolean): Promise<Members> {
    try {
      return await all('all', anew)
    } catch (err) {
      log.warn({ err }, 'the user groups cannot be listed, so each of the policy is asked for')
      return new Map()
    }
  }

  async function isIn(user: string, group: string, members: Members, anew: boolean): Promise<boolean> {
    try {
      return (members.get(group) ?? (await one(group, anew))).has(user)
    } catch (err) {
      log.warn({ err, group }, 'a user group of the policy cannot be read, so nobody counts as its member')
      return false
    }
  }

  return {
    async of(user, anew) {
      const named = [...idsIn(policy(), 'group')]
      if (named.length === 0) return new Set()
      const members = await listed(anew)
      const found = await Promise.all(named.map((group) => isIn(user, group, members, anew)))
      return new Set(named.filter((_, at) => found[at]))
    },
  }
}
