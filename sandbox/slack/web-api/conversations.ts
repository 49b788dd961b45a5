import type { JsonObject } from '../json.ts'
import { findMessage, messageAsJson, repliesTo } from '../messages.ts'
import { type Channel, directChannel, type Workspace } from '../workspace.ts'
import type { Context, Methods } from './call.ts'
import { nextCursor, page } from './pages.ts'
import { findPlace, scopeFor } from './places.ts'
import { Refusal } from './refusal.ts'

const kindsByType: Readonly<Record<string, Channel['kind']>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
}

export const conversationMethods: Methods = {
  'conversations.info': { scopes: reading('read'), perMinute: 50, run: info },
  'conversations.list': { scopes: listing, perMinute: 20, run: list },
  'conversations.members': { scopes: reading('read'), perMinute: 100, run: members },
  'conversations.open': { scopes: () => ['im:write'], perMinute: 50, run: open },
  'conversations.history': { scopes: reading('history'), perMinute: 50, run: history },
  'conversations.replies': { scopes: reading('history'), perMinute: 50, run: replies },
}

function reading(verb: 'read' | 'history') {
  return ({ workspace, args }: Context): readonly string[] => [
    scopeFor(workspace.channels.get(args.text('channel') ?? ''), verb),
  ]
}

function typesOf({ args }: Context): readonly string[] {
  return (args.text('types') ?? 'public_channel').split(',').map((type) => type.trim())
}

function listing(context: Context): readonly string[] {
  const scopes: Readonly<Record<string, string>> = {
    public_channel: 'channels:read',
    private_channel: 'groups:read',
    im: 'im:read',
    mpim: 'mpim:read',
  }
  return typesOf(context).flatMap((type) => scopes[type] ?? [])
}

function info({ workspace, args }: Context): JsonObject {
  return {
    channel: channelAsJson(workspace, findPlace(workspace, args.required('channel')), args.flag('include_num_members')),
  }
}

function list(context: Context): JsonObject {
  const { workspace, args } = context
  const types = typesOf(context)
  if (!types.every((type) => type in kindsByType || type === 'mpim')) throw new Refusal('invalid_types')
  const kinds = new Set(types.map((type) => kindsByType[type]))
  const seen = [...workspace.channels.values()].filter(
    (c) =>
      kinds.has(c.kind) &&
      (c.kind === 'public' || c.members.has(workspace.settings.app.botUserId)) &&
      !(args.flag('exclude_archived') && c.archived),
  )
  const { items, next } = page(seen, args, 100)
  return { channels: items.map((c) => channelAsJson(workspace, c, true)), ...nextCursor(next) }
}

function members({ workspace, args }: Context): JsonObject {
  const channel = findPlace(workspace, args.required('channel'))
  const { items, next } = page([...channel.members], args, 100)
  return { members: items, ...nextCursor(next) }
}

function open({ workspace, args }: Context): JsonObject {
  const users = (args.text('users') ?? '').split(',').filter((id) => id !== '')
  const known = args.text('channel')
  if (known !== undefined) return { channel: { id: findPlace(workspace, known).id } }
  const [user] = users
  if (user === undefined) throw new Refusal('users_list_not_supplied')
  if (users.length > 1) throw new Refusal('not_enough_users')
  const person = workspace.people.get(user)
  if (!person) throw new Refusal('user_not_found')
  if (person.deleted) throw new Refusal('user_disabled')
  if (person.bot) throw new Refusal('cannot_dm_bot')
  const there = workspace.channels.has(`D${user.slice(1)}`)
  const channel = directChannel(workspace, user)
  return { ...(there ? { already_open: true, no_op: true } : {}), channel: { id: channel.id } }
}

function history({ workspace, args }: Context): JsonObject {
  const channel = readable(workspace, args.required('channel'))
  const latest = args.text('latest')
  const oldest = args.text('oldest')
  const inclusive = args.flag('inclusive') ?? false
  const shown = (workspace.messages.get(channel.id) ?? []).filter((m) => {
    if (m.deleted || m.ephemeralTo !== undefined || (m.threadTs !== undefined && !m.broadcast)) return false
    if (latest !== undefined && !(m.ts < latest || (inclusive && m.ts === latest))) return false
    return oldest === undefined || m.ts > oldest || (inclusive && m.ts === oldest)
  })
  const { items, next } = page(shown.reverse(), args, 100)
  const withMetadata = args.flag('include_all_metadata') ?? false
  return {
    messages: items.map((m) => messageAsJson(workspace, m, withMetadata)),
    has_more: next !== '',
    ...(next === '' ? {} : nextCursor(next)),
  }
}

function replies({ workspace, args }: Context): JsonObject {
  const channel = readable(workspace, args.required('channel'))
  const ts = args.required('ts')
  const parent = findMessage(workspace, channel.id, ts)
  const thread = repliesTo(workspace, channel.id, ts)
  if (!parent && thread.length === 0) throw new Refusal('thread_not_found')
  const { items, next } = page(parent ? [parent, ...thread] : thread, args, 1000)
  const withMetadata = args.flag('include_all_metadata') ?? false
  return {
    messages: items.map((m) => messageAsJson(workspace, m, withMetadata)),
    has_more: next !== '',
    ...(next === '' ? {} : nextCursor(next)),
  }
}

function readable(workspace: Workspace, named: string): Channel {
  const channel = findPlace(workspace, named)
  if (!channel.members.has(workspace.settings.app.botUserId)) throw new Refusal('not_in_channel')
  return channel
}

function channelAsJson(workspace: Workspace, channel: Channel, counted = false): JsonObject {
  const { app, team } = workspace.settings
  const person = [...channel.members].find((id) => id !== app.botUserId)
  const common = { id: channel.id, created: channel.created, is_archived: channel.archived, context_team_id: team.id }
  if (channel.kind === 'im') return { ...common, is_im: true, user: person ?? '', is_org_shared: false }
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: false,
    is_mpim: false,
    is_private: channel.kind === 'private',
    is_member: channel.members.has(app.botUserId),
    is_general: channel.name === 'general',
    is_shared: channel.extShared,
    is_ext_shared: channel.extShared,
    is_org_shared: false,
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    ...(counted ? { num_members: channel.members.size } : {}),
  }
}
