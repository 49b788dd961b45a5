import { WebAPIPlatformError, type WebClient } from '@slack/web-api'
import { nowhere, type Person } from '../../../core/model/roles.ts'
import type { Clock, Log, People, Sureness } from '../../../core/ports/services.ts'
import type { Identity } from './client.ts'
import { createGroups, idsIn, type Naming } from './groups.ts'
import { remembering } from './memoize.ts'

export interface PeopleOptions {
  readonly client: WebClient
  /** The home workspace, and the organisation it belongs to on an Enterprise Grid. */
  readonly home: Pick<Identity, 'team' | 'enterprise'>
  /** As its file says now; it may change between two calls. */
  readonly policy: () => Naming
  readonly clock: Clock
  readonly log: Log
}

/** How long a time zone is believed, ms: people travel, but not within the hour. */
const settled = 3_600_000

/** How long user groups and channels are believed where it has to be `recent`, ms: Slack allows few of these questions. */
const recently = 15_000

function listedWithin(sure: Sureness | undefined): number | undefined {
  return sure === 'fresh' ? 0 : sure === 'recent' ? recently : undefined
}

/** Pages of 1,000 members; a channel with more gives nobody a role. */
const mostPages = 10

/** What Slack says of people, groups and channels, believed for a minute. What cannot be found out is a no. */
export function createPeople({ client, home, policy, clock, log }: PeopleOptions): People {
  const factsOf = remembering(clock, async (user: string) => {
    const facts = await factsAtSlack(client, user)
    const isOfGrid = home.enterprise !== undefined && facts?.enterprise_user?.enterprise_id === home.enterprise
    return {
      standing: standingOf(facts, isOfGrid || (facts?.team_id === home.team && facts.is_stranger !== true)),
      // Workspaces that they may act from.
      teams: [home.team, ...(isOfGrid ? [home.enterprise, ...(facts?.enterprise_user?.teams ?? [])] : [])],
      id: (isOfGrid ? facts?.enterprise_user?.id : undefined) ?? user,
      zone: facts?.tz ?? null,
    }
  })
  const zoneOf = remembering(clock, async (user: string) => (await factsOf(user)).zone, settled)
  const groups = createGroups({ client, policy, clock, log })
  /** Who is in a private channel; null of any other channel: those are open to all. */
  const insiders = remembering(clock, async (channel: string): Promise<ReadonlySet<string> | null> => {
    const { channel: facts } = await client.conversations.info({ channel })
    return facts?.is_private === true && facts.is_ext_shared !== true ? membersOf(client, channel) : null
  })

  /** Without a Grid nobody from elsewhere is looked up: they are nobody. */
  const isFar = (from: string) => from !== home.team && home.enterprise === undefined

  return {
    async known(actor) {
      if (home.enterprise === undefined || actor.team === '') return actor
      try {
        const { teams, id } = await factsOf(actor.user)
        return teams.includes(actor.team) ? { team: home.team, user: id } : actor
      } catch (err) {
        log.warn({ err, user: actor.user }, 'a person could not be looked up')
        return actor
      }
    },
    async who({ team: from, user }, sure) {
      if (isFar(from)) return { user, standing: 'outside', groups: new Set() }
      try {
        const [{ standing, teams }, member] = await Promise.all([
          factsOf(user, sure === undefined ? undefined : 0),
          groups.of(user, listedWithin(sure)),
        ])
        return { user, standing: teams.includes(from) ? standing : 'outside', ...member }
      } catch (err) {
        log.warn({ err, user }, 'a person could not be looked up')
        return null
      }
    },
    async where({ channel }, { user }, sure) {
      // Only a channel that the policy names can give anything; nothing is asked about the others.
      if (!idsIn(policy(), 'channel').has(channel)) return { channel, private: false }
      try {
        const members = await insiders(channel, listedWithin(sure))
        return members?.has(user) === false ? nowhere : { channel, private: members !== null }
      } catch (err) {
        log.warn({ err, channel }, 'a channel could not be looked up')
        return null
      }
    },
    async zoneOf({ team: from, user }) {
      if (isFar(from)) return null
      try {
        return await zoneOf(user)
      } catch (err) {
        log.warn({ err, user }, 'the time zone of a person could not be looked up')
        return null
      }
    },
  }
}

async function membersOf(client: WebClient, channel: string): Promise<ReadonlySet<string>> {
  const found: string[] = []
  let cursor = ''
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { members = [], response_metadata: more } = await client.conversations.members({
      channel,
      limit: 1_000,
      ...(cursor !== '' && { cursor }),
    })
    found.push(...members)
    cursor = more?.next_cursor ?? ''
    if (cursor === '') return new Set(found)
  }
  throw new Error(`More than ${mostPages * 1_000} people are in ${channel}.`)
}

/** What Slack says when there is nobody of that id, or nobody it would show us: that is an answer, not a failure. */
const nobody = new Set(['user_not_found', 'user_not_visible', 'users_not_found'])

async function factsAtSlack(client: WebClient, user: string): Promise<Facts> {
  try {
    return (await client.users.info({ user })).user
  } catch (error) {
    if (error instanceof WebAPIPlatformError && nobody.has(error.data.error)) return undefined
    throw error
  }
}

type Facts = Awaited<ReturnType<WebClient['users']['info']>>['user']

function standingOf(facts: Facts, isOurs: boolean): Person['standing'] {
  if (facts === undefined || !isOurs || facts.deleted || facts.is_bot || facts.is_workflow_bot) return 'outside'
  return facts.is_restricted || facts.is_ultra_restricted ? 'guest' : 'full'
}
