import type { WebClient } from '@slack/web-api'
import type { Person, Roles } from '../domain/policy.ts'
import type { Clock, Log, People } from '../lifecycle/ports.ts'
import { remembering } from './remembering.ts'

export interface PeopleOptions {
  readonly client: WebClient
  /** The home workspace. */
  readonly team: string
  readonly roles: Roles
  readonly clock: Clock
  readonly log: Log
}

/** What Slack says of people, groups and channels, believed for a minute. What cannot be found out is a no. */
export function createPeople({ client, team, roles, clock, log }: PeopleOptions): People {
  const members = Object.values(roles).flat()
  const groupIds = [...new Set(members.flatMap((member) => (member.kind === 'group' ? [member.id] : [])))]
  const channelIds = new Set(members.flatMap((member) => (member.kind === 'channel' ? [member.id] : [])))

  const standingOf = remembering(clock, async (user: string): Promise<Person['standing']> => {
    const { user: facts } = await client.users.info({ user })
    if (facts === undefined || facts.deleted || facts.is_bot || facts.is_workflow_bot || facts.is_stranger)
      return 'outside'
    if (facts.team_id !== team) return 'outside'
    return facts.is_restricted || facts.is_ultra_restricted ? 'guest' : 'full'
  })
  const usersOf = remembering(clock, async (usergroup: string): Promise<ReadonlySet<string>> => {
    const { users } = await client.usergroups.users.list({ usergroup, include_disabled: false })
    return new Set(users)
  })
  const isPrivate = remembering(clock, async (channel: string): Promise<boolean> => {
    const { channel: facts } = await client.conversations.info({ channel })
    return facts?.is_private === true && facts.is_ext_shared !== true
  })

  async function groupsOf(user: string): Promise<ReadonlySet<string>> {
    const found = await Promise.all(
      groupIds.map(async (group) => {
        try {
          return (await usersOf(group)).has(user) ? [group] : []
        } catch (err) {
          log.warn({ err, group }, 'a user group of the policy cannot be read, so nobody counts as its member')
          return []
        }
      }),
    )
    return new Set(found.flat())
  }

  return {
    async who(actor) {
      if (actor.team !== team) return { user: actor.user, standing: 'outside', groups: new Set() }
      try {
        const [standing, groups] = await Promise.all([standingOf(actor.user), groupsOf(actor.user)])
        return { user: actor.user, standing, groups }
      } catch (err) {
        log.warn({ err, user: actor.user }, 'a person could not be looked up')
        return null
      }
    },
    async where({ channel }) {
      // Only a channel that the policy names can give anything; nothing is asked about the others.
      if (!channelIds.has(channel)) return { channel, private: false }
      try {
        return { channel, private: await isPrivate(channel) }
      } catch (err) {
        log.warn({ err, channel }, 'a channel could not be looked up')
        return null
      }
    },
  }
}
