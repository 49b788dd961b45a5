import type { WebClient } from '@slack/web-api'
import type { Person } from '../domain/policy.ts'
import type { Clock, Log, People } from '../lifecycle/ports.ts'
import { createGroups } from './groups.ts'
import { idsIn, type Naming } from './named.ts'
import { remembering } from './remembering.ts'

export interface PeopleOptions {
  readonly client: WebClient
  /** The home workspace. */
  readonly team: string
  /** As its file says now; it may change between two calls. */
  readonly policy: () => Naming
  readonly clock: Clock
  readonly log: Log
}

/** How long a time zone is believed, ms: people travel, but not within the hour. */
const settled = 3_600_000

/** What Slack says of people, groups and channels, believed for a minute. What cannot be found out is a no. */
export function createPeople({ client, team, policy, clock, log }: PeopleOptions): People {
  const factsOf = remembering(clock, async (user: string) => {
    const { user: facts } = await client.users.info({ user })
    return { standing: standingOf(facts, team), zone: facts?.tz ?? null }
  })
  const zoneOf = remembering(clock, async (user: string) => (await factsOf(user)).zone, settled)
  const groups = createGroups({ client, policy, clock, log })
  const isPrivate = remembering(clock, async (channel: string): Promise<boolean> => {
    const { channel: facts } = await client.conversations.info({ channel })
    return facts?.is_private === true && facts.is_ext_shared !== true
  })

  return {
    async who({ team: from, user }, fresh) {
      if (from !== team) return { user, standing: 'outside', groups: new Set() }
      const anew = fresh === 'fresh'
      try {
        const [{ standing }, member] = await Promise.all([factsOf(user, anew), groups.of(user, anew)])
        return { user, standing, ...member }
      } catch (err) {
        log.warn({ err, user }, 'a person could not be looked up')
        return null
      }
    },
    async where({ channel }) {
      // Only a channel that the policy names can give anything; nothing is asked about the others.
      if (!idsIn(policy(), 'channel').has(channel)) return { channel, private: false }
      try {
        return { channel, private: await isPrivate(channel) }
      } catch (err) {
        log.warn({ err, channel }, 'a channel could not be looked up')
        return null
      }
    },
    async zoneOf({ team: from, user }) {
      if (from !== team) return null
      try {
        return await zoneOf(user)
      } catch (err) {
        log.warn({ err, user }, 'the time zone of a person could not be looked up')
        return null
      }
    },
  }
}

type Facts = Awaited<ReturnType<WebClient['users']['info']>>['user']

function standingOf(facts: Facts, team: string): Person['standing'] {
  if (facts === undefined || facts.deleted || facts.is_bot || facts.is_workflow_bot || facts.is_stranger)
    return 'outside'
  if (facts.team_id !== team) return 'outside'
  return facts.is_restricted || facts.is_ultra_restricted ? 'guest' : 'full'
}
