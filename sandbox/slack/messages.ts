import type { JsonObject } from './json.ts'
import type { Content, Message } from './message.ts'
import type { Workspace } from './workspace.ts'

/** What a post needs; the other fields of a message have defaults. */
export interface Draft extends Partial<Content> {
  readonly channel: string
  readonly user: string
  readonly botId?: string
  readonly threadTs?: string
  readonly broadcast?: boolean
  readonly ephemeralTo?: string
  readonly metadata?: JsonObject
  readonly files?: readonly string[]
  readonly linksNames?: boolean
  readonly linksAddresses?: boolean
}

/** Adds a message and notifies the listeners. */
export function post(workspace: Workspace, draft: Draft): Message {
  const message: Message = {
    text: '',
    blocks: [],
    broadcast: false,
    edited: false,
    deleted: false,
    files: [],
    versions: [],
    linksNames: false,
    linksAddresses: true,
    ...draft,
    ts: workspace.ids.ts(),
  }
  const list = workspace.messages.get(message.channel) ?? []
  list.push(message)
  workspace.messages.set(message.channel, list)
  workspace.news.tell(message.ephemeralTo === undefined ? 'message' : 'ephemeral', message)
  return message
}

/** Replaces parts of a message, and keeps its old content in `versions`. */
export function revise(workspace: Workspace, message: Message, change: Partial<Message>): Message {
  const list = workspace.messages.get(message.channel) ?? []
  const { text, blocks } = message
  const versions = [...message.versions, { text, blocks }]
  const revised: Message = { ...message, ...change, versions }
  list[list.indexOf(message)] = revised
  workspace.news.tell('update', revised)
  return revised
}

/** Marks a message as deleted; it stays in the tables. */
export function remove(workspace: Workspace, message: Message): void {
  const list = workspace.messages.get(message.channel) ?? []
  const removed: Message = { ...message, deleted: true }
  list[list.indexOf(message)] = removed
  workspace.news.tell('delete', removed)
}

/** Finds a message that is not deleted; an ephemeral one only if `ephemeral` is true. */
export function findMessage(workspace: Workspace, channel: string, ts: string, ephemeral = false): Message | undefined {
  return workspace.messages
    .get(channel)
    ?.find((m) => m.ts === ts && !m.deleted && (ephemeral || m.ephemeralTo === undefined))
}

/** Returns the replies of a thread, oldest first, without deleted and ephemeral ones. */
export function repliesTo(workspace: Workspace, channel: string, threadTs: string): readonly Message[] {
  return (workspace.messages.get(channel) ?? []).filter(
    (m) => m.threadTs === threadTs && m.ts !== threadTs && !m.deleted && m.ephemeralTo === undefined,
  )
}

/** Returns a message in the shape that Slack's methods and payloads use. */
export function messageAsJson(workspace: Workspace, message: Message, withMetadata = false): JsonObject {
  const { app, team } = workspace.settings
  const replies = repliesTo(workspace, message.channel, message.ts)
  return {
    ...(message.broadcast ? { subtype: 'thread_broadcast' } : {}),
    type: 'message',
    user: message.user,
    ts: message.ts,
    ...(message.botId === undefined ? {} : { bot_id: message.botId, app_id: app.id }),
    text: message.text,
    team: team.id,
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.threadTs === undefined
      ? {}
      : { thread_ts: message.threadTs, parent_user_id: parentAuthor(workspace, message) }),
    ...(message.edited ? { edited: { user: message.user, ts: message.ts } } : {}),
    ...(message.files.length > 0 ? { files: message.files.map((id) => ({ id })) } : {}),
    ...(withMetadata && message.metadata ? { metadata: message.metadata } : {}),
    ...(replies.length > 0
      ? {
          thread_ts: message.ts,
          reply_count: replies.length,
          reply_users_count: new Set(replies.map((r) => r.user)).size,
          latest_reply: replies.at(-1)?.ts ?? message.ts,
          reply_users: [...new Set(replies.map((r) => r.user))],
        }
      : {}),
  }
}

function parentAuthor(workspace: Workspace, { channel, threadTs }: Message): string {
  return workspace.messages.get(channel)?.find((m) => m.ts === threadTs)?.user ?? ''
}
