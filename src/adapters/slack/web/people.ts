import type { WebClient } from '@slack/web-api'
import type { Policy } from '../../../core/model/policy.ts'
import { noChannel, type Person } from '../../../core/model/roles.ts'
import { languages } from '../../../core/model/words.ts'
import type { Clock, Log, People } from '../../../core/ports/services.ts'
import type { Identity } from './client.ts'
import { codeOf, memoize, nullOnFailure, pagesOf } from './failures.ts'

interface PeopleOptions {
  readonly client: WebClient
  readonly policy: () => PolicyMembers
  readonly clock: Clock
  readonly log: Log
  /** The home workspace and its Enterprise Grid organization. */
  readonly home: Pick<Identity, 'team' | 'enterprise'>
}

/** How long a time zone, a language and a name are cached, ms. */
const lastingMs = 3_600_000

/** The greatest age of a member list, ms. Slack allows few of these calls. */
const ages = { fresh: 0, recent: 15_000 } as const

/** Pages of 1,000 members. A channel with more gives nobody a role. */
const maxPages = 10

/** People, groups and channels as Slack knows them, cached for a minute. A failed lookup gives no role. */
export function createPeople(options: PeopleOptions): People {
  const { client, home, policy, clock, log } = options
  const factsOf = memoize(clock, async (user: string) => {
    const facts = await factsAtSlack(client, user)
    const isOfGrid = home.enterprise !== undefined && facts?.enterprise_user?.enterprise_id === home.enterprise
    return {
      membership: membershipOf(facts, isOfGrid || (facts?.team_id === home.team && facts.is_stranger !== true)),
      // Workspaces from which the person may act.
      teams: [home.team, ...(isOfGrid ? [home.enterprise, ...(facts?.enterprise_user?.teams ?? [])] : [])],
      id: (isOfGrid ? facts?.enterprise_user?.id : undefined) ?? user,
      zone: facts?.tz ?? null,
      language: languages.find((one) => facts?.locale?.startsWith(one)) ?? null,
      names: [facts?.profile?.display_name, facts?.name, facts?.profile?.real_name].flatMap((one) => one || []),
    }
  })
  const factOf = <Fact extends 'zone' | 'language' | 'names'>(user: string, fact: Fact) => {
    const message = `could not look up the ${fact} of a person`
    return nullOnFailure(log, { user }, message, async () => (await factsOf(user, lastingMs))[fact])
  }
  const groupsOf = createGroups(options)
  /** Members of a private channel; null for a public one, which anybody may join. */
  const privateMembers = memoize(clock, async (channel: string): Promise<ReadonlySet<string> | null> => {
    const { channel: facts } = await client.conversations.info({ channel })
    return facts?.is_private === true && facts.is_ext_shared !== true ? membersOf(client, channel) : null
  })

  /** Without a Grid, people from other workspaces are not looked up. */
  const isOutside = (from: string) => from !== home.team && home.enterprise === undefined

  return {
    async known(actor) {
      if (home.enterprise === undefined || actor.team === '') return actor
      return nullOnFailure(log, { user: actor.user }, 'could not look up a person', async () => {
        const { teams, id } = await factsOf(actor.user)
        return teams.includes(actor.team) ? { team: home.team, user: id } : actor
      })
    },
    async who({ team: from, user }, sure) {
      if (isOutside(from)) return { user, membership: 'outside', groups: new Set() }
      return nullOnFailure(log, { user }, 'could not look up a person', async () => {
        const [{ membership, teams }, member] = await Promise.all([
          factsOf(user, sure === undefined ? undefined : 0),
          groupsOf(user, sure && ages[sure]),
        ])
        return { user, membership: teams.includes(from) ? membership : 'outside', ...member }
      })
    },
    async where({ channel }, { user }, sure) {
      // Only channels that the policy names can give a role, so only those are looked up.
      if (!idsIn(policy(), 'channel').has(channel)) return { channel, private: false }
      return nullOnFailure(log, { channel }, 'could not look up a channel', async () => {
        const members = await privateMembers(channel, sure && ages[sure])
        return members?.has(user) === false ? noChannel : { channel, private: members !== null }
      })
    },
    zoneOf: async ({ team: from, user }) => (isOutside(from) ? null : factOf(user, 'zone')),
    languageOf: (user) => factOf(user, 'language'),
    namesOf: (user) => factOf(user, 'names'),
  }
}

async function membersOf(client: WebClient, channel: string): Promise<ReadonlySet<string>> {
  const { pages, isCut } = await pagesOf((page) => client.conversations.members({ channel, ...page }), maxPages)
  if (isCut) throw new Error(`More than ${maxPages * 1_000} people are in ${channel}.`)
  return new Set(pages.flatMap(({ members = [] }) => members))
}

/** Slack's errors for an id without a visible person, which is an answer, not a failure. */
const nobody = new Set(['user_not_found', 'user_not_visible', 'users_not_found'])

async function factsAtSlack(client: WebClient, user: string): Promise<Facts> {
  try {
    return (await client.users.info({ user, include_locale: true })).user
  } catch (error) {
    if (nobody.has(codeOf(error))) return undefined
    throw error
  }
}

type Facts = Awaited<ReturnType<WebClient['users']['info']>>['user']

function membershipOf(facts: Facts, isOurs: boolean): Person['membership'] {
  if (facts === undefined || !isOurs || facts.deleted || facts.is_bot || facts.is_workflow_bot) return 'outside'
  return facts.is_restricted || facts.is_ultra_restricted ? 'guest' : 'full'
}

/** Members by group id; null if the list is incomplete. */
type Members = ReadonlyMap<string, ReadonlySet<string> | null>

/**
 * Reads a person's groups among those of the policy, cached for a minute or `within` ms. Slack allows few such calls,
 * so one lists all groups, and only incomplete ones are read singly. An unreadable group has no members. Never throws.
 */
function createGroups({ client, policy, clock, log }: PeopleOptions) {
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
    if (members?.has(group) === false) return new Set<string>()
    const listed = members?.get(group)
    if (listed) return listed
    const message = 'could not read a user group of the policy, so it counts as empty'
    return nullOnFailure(log, { group }, message, () => one(group, within))
  }

  return async (user: string, within?: number): Promise<Pick<Person, 'groups' | 'unread'>> => {
    const named = [...idsIn(policy(), 'group')]
    if (named.length === 0) return { groups: new Set() }
    const message = 'could not list the user groups; reading each one the policy names'
    const members = await nullOnFailure(log, {}, message, () => all('all', within))
    const found = await Promise.all(named.map((group) => membersOf(group, members, within)))
    const groups = new Set(named.filter((_, at) => found[at]?.has(user)))
    return { groups, ...(found.includes(null) && { unread: true }) }
  }
}

export type PolicyMembers = Pick<Policy, 'roles' | 'asking' | 'overrides' | 'tokens' | 'workflows'>

function idsIn({ roles, asking, overrides, tokens, workflows }: PolicyMembers, kind: 'group' | 'channel') {
  const askings = [asking, ...overrides.flatMap((one) => one.asking ?? [])]
  const named = askings.flatMap(({ from, fallback }) => [...(from ?? []), ...(fallback?.to ?? [])])
  const members = [...Object.values(roles).flat(), ...named, ...tokens, ...workflows]
  return new Set(members.flatMap((member) => (member.kind === kind ? [member.id] : [])))
}
