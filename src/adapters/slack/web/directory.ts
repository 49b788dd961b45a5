import type { UsersInfoResponse, WebClient } from '@slack/web-api'
import type { Member } from '../../../core/model/roles.ts'
import { idOf } from '../../../core/model/words.ts'
import { nearest } from '../../../core/text/names.ts'
import { asText } from '../../../core/words/render.ts'
import { isDirect } from '../kit/text.ts'
import { unknownGroups } from './checks.ts'
import { createQuietClient, type SlackAccess } from './client.ts'
import { failureCode, failureOf, pagesOf } from './failures.ts'

export interface Listed {
  readonly kind: Exclude<Member['kind'], 'everyone'>
  readonly id: string
  /** The name with its prefix: `#ops`, `@ana`. */
  readonly name: string
  /** Other names that people know it by. */
  readonly also: readonly string[]
}

/** Reads everything that a policy can name. Guests, bots and former members can have no role that changes anything. */
export async function readDirectory(client: WebClient): Promise<readonly Listed[]> {
  const types = 'public_channel,private_channel'
  const [channels, people, { usergroups = [] }] = await Promise.all([
    pagesOf((page) => client.conversations.list({ types, exclude_archived: true, ...page }), mostPages),
    pagesOf((page) => client.users.list(page), mostPages),
    client.usergroups.list({ include_disabled: false }),
  ])
  const members = people.pages.flatMap(({ members: some = [] }) => some)
  const full = members.filter((one) => !one.deleted && !one.is_bot && !one.is_restricted && one.id !== 'USLACKBOT')
  return [
    ...channels.pages
      .flatMap(({ channels: some = [] }) => some)
      .flatMap(({ id, name }) => listed('channel', id, `#${name}`)),
    ...full.flatMap(({ id, name, profile, real_name }) =>
      listed('user', id, `@${profile?.display_name || name}`, name, real_name ?? profile?.real_name),
    ),
    ...usergroups.flatMap(({ id, handle, name }) => listed('group', id, `@${handle}`, name)),
  ]
}

/** Slack allows twenty of these calls a minute. */
const mostPages = 20

function listed(kind: Listed['kind'], id: string | undefined, shown: string, ...also: (string | undefined)[]) {
  // Names appear in comments and on the screen, where line breaks and control characters do harm.
  const clean = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ').trim()
  if (id === undefined) return []
  return [{ kind, id, name: clean(shown), also: also.flatMap((one) => (one ? [clean(one)] : [])) }]
}

/** Finds the entry for a name or id, with or without `@`, `#` or `user:` before it. `wrong`: a sentence. */
export function findListed(all: readonly Listed[], written: string, kinds: readonly Listed['kind'][]) {
  const [, word = ''] = /^(?:user:|group:|channel:)?[@#]?(.*)$/su.exec(written.trim()) ?? []
  const wanted = word.toLowerCase()
  const fit = all.filter(({ kind }) => kinds.includes(kind))
  const bare = ({ name }: Listed) => name.slice(1).toLowerCase()
  const same = [
    fit.filter(({ id }) => id === word),
    fit.filter((one) => bare(one) === wanted),
    fit.filter(({ also }) => also.some((name) => name.toLowerCase() === wanted)),
  ].find((some) => some.length > 0)
  const [found, ...others] = same ?? []
  if (found !== undefined && others.length === 0) return { found }
  const told = (some: readonly Listed[]) => some.map(({ id, name }) => `${name} (${id})`).join(', ')
  if (found !== undefined) return { wrong: `“${written}” could be ${told([found, ...others])}. Write the id.` }
  const near = nearest(
    word,
    fit.map((one) => ({ ...one, shown: one.name, name: bare(one) })),
    3,
  )
  const meant = ` Did you mean ${told(near.map((one) => ({ ...one, name: one.shown })))}?`
  // What we cannot see may be called like something else.
  const unseen = kinds.includes('channel') || near.length === 0 ? leftOut(written.trim(), kinds) : ''
  return { wrong: `“${written}” was not found in Slack.${near.length === 0 ? '' : meant}${unseen}` }
}

/** Says why something that exists in Slack may not be listed. */
function leftOut(written: string, kinds: readonly Listed['kind'][]): string {
  if (kinds.includes('channel')) return ' If the channel is private, type /invite @Lamplighter in it first.'
  if (/^(?:group:|S[A-Z0-9]+$)/.test(written)) return ' Disabled user groups are left out.'
  return ' Guests are left out, because they can only view.'
}

/** Says which id to write for each name. Never throws: if Slack fails, a sentence says so. */
export async function idNotes(
  names: readonly { readonly written: string; readonly kinds: readonly Listed['kind'][]; readonly at: string }[],
  slack: SlackAccess | undefined,
): Promise<readonly string[]> {
  if (names.length === 0) return []
  if (slack === undefined)
    return ['Where SLACK_BOT_TOKEN is set, names are looked up in Slack, and their ids are shown here.']
  try {
    const all = await readDirectory(createQuietClient(slack))
    return names.map(({ written, kinds, at }) => {
      const result = findListed(all, written, kinds)
      if ('wrong' in result) return `${at}: ${result.wrong}`
      const { kind, id, name } = result.found
      return `${at}: for “${written}” write ${kind === 'channel' ? id : `${kind}:${id}`} # ${name}`
    })
  } catch (error) {
    return [`Names could not be looked up in Slack (${error instanceof Error ? error.message : String(error)}).`]
  }
}

/** Says which ids Slack doesn't know, and who can do less than others. Never throws: if Slack fails, a note says so. */
export async function unknownIds(
  named: readonly (Pick<Listed, 'kind' | 'id'> & { readonly key: string; readonly at: string })[],
  slack: SlackAccess | undefined,
): Promise<{ readonly unknown: readonly string[]; readonly notes: readonly string[] }> {
  const [unknown, notes]: [string[], string[]] = [[], []]
  const groups = named.filter(({ kind }) => kind === 'group')
  if (slack === undefined) {
    const places = [...new Set(groups.map(({ at }) => at))].join(', ')
    return { unknown, notes: places === '' ? [] : [`${places}: ${unasked}`] }
  }
  const client = createQuietClient(slack)
  for (const says of await unknownGroups(client, groups))
    (/^groups\.(off|unknown)$/.test(idOf(says) ?? '') ? unknown : notes).push(asText(says, 'en'))
  // Looking up a direct message needs a scope that the app doesn't have.
  const others = named.filter(({ kind, id }) => kind !== 'group' && !isDirect(id))
  const refused = new Set<string>()
  for (const id of new Set(others.map((one) => one.id))) {
    const places = others.filter((one) => one.id === id)
    const at = [...new Set(places.map((one) => one.at))].join(', ')
    const isUser = places[0]?.kind === 'user'
    try {
      if (isUser)
        notes.push(...limitsOf((await client.users.info({ user: id })).user).map((limit) => `${at}: ${id} ${limit}`))
      else {
        const { channel } = await client.conversations.info({ channel: id })
        const open = places.filter(({ key }) => key === 'operator' && channel?.is_private === false)
        notes.push(...open.map((one) => `${one.at}: ${id} ${openChannel}`))
      }
    } catch (error) {
      const why = failureCode(failureOf(error))
      if (missing.has(why)) unknown.push(`${at} names ${id}, which ${isUser ? noPerson : noChannel}`)
      // Other kinds of id need other scopes.
      else if (why === 'missing_scope') refused.add(at)
      else return { unknown, notes: [...notes, `Ids could not be looked up in Slack (${why}).`] }
    }
  }
  if (refused.size > 0)
    notes.push(`${[...refused].join(', ')}: these ids could not be looked up in Slack (missing_scope).`)
  return { unknown, notes }
}

function limitsOf(user: UsersInfoResponse['user']): readonly string[] {
  if (user?.deleted || user?.is_bot) return [`is ${user.deleted ? 'deactivated' : 'a bot'} and can’t use Lamplighter.`]
  return user?.is_restricted || user?.is_ultra_restricted ? ['is a guest in Slack and can only view.'] : []
}

/** Slack's errors for an id that it doesn't know, or doesn't show. */
const missing = new Set(['user_not_found', 'user_not_visible', 'users_not_found', 'channel_not_found'])
const unasked =
  'user groups are named. Lamplighter checks that they exist in Slack when it starts and in /endpoint doctor.'
const openChannel =
  'is a public channel, which anyone can join, so its members can only view. Name people, a user group or a private channel.'
const noPerson = 'isn’t a person in Slack. Copy the member id from the person’s profile.'
const noChannel =
  'isn’t a channel that Lamplighter can see. Copy the id from the channel’s details; type /invite @Lamplighter in a private channel.'
