import type { JsonObject } from '../json.ts'
import type { Content, Message } from '../message.ts'
import { findMessage, messageAsJson, post, remove, repliesTo, revise } from '../messages.ts'
import type { Workspace } from '../workspace.ts'
import type { Context, Methods } from './call.ts'
import { readBlocks, readMetadata, readText } from './content.ts'
import { findPlace, writablePlace } from './places.ts'
import { Refusal } from './refusal.ts'

const writing = (): readonly string[] => ['chat:write']

/** Slack refuses longer text in an update; a post may have ten times as much. */
const longestUpdate = 4000

export const chatMethods: Methods = {
  'chat.postMessage': { scopes: writing, run: postMessage },
  'chat.postEphemeral': { scopes: writing, perMinute: 100, run: postEphemeral },
  'chat.update': { scopes: writing, perMinute: 50, run: updateMessage },
  'chat.delete': { scopes: writing, perMinute: 50, run: deleteMessage },
  'chat.getPermalink': { run: getPermalink },
}

function postMessage({ workspace, args }: Context): JsonObject {
  const channel = writablePlace(workspace, args.required('channel'))
  const content = contentOf({ workspace, args })
  const threadTs = threadOf(workspace, channel.id, args.text('thread_ts'))
  const metadata = readMetadata(args)
  const message = post(workspace, {
    ...content,
    ...author(workspace),
    channel: channel.id,
    ...(threadTs === undefined ? {} : { threadTs }),
    broadcast: threadTs !== undefined && (args.flag('reply_broadcast') ?? false),
    ...(metadata ? { metadata } : {}),
    linksNames: (args.flag('link_names') ?? false) || args.text('parse') === 'full',
    linksAddresses: args.text('parse') !== 'none',
  })
  return { channel: channel.id, ts: message.ts, message: messageAsJson(workspace, message, true) }
}

function postEphemeral({ workspace, args }: Context): JsonObject {
  const channel = writablePlace(workspace, args.required('channel'))
  const user = args.required('user')
  if (!channel.members.has(user)) throw new Refusal('user_not_in_channel')
  const threadTs = threadOf(workspace, channel.id, args.text('thread_ts'))
  const message = post(workspace, {
    ...contentOf({ workspace, args }),
    ...author(workspace),
    channel: channel.id,
    ephemeralTo: user,
    ...(threadTs === undefined ? {} : { threadTs }),
  })
  return { message_ts: message.ts }
}

function updateMessage({ workspace, args }: Context): JsonObject {
  const channel = findPlace(workspace, args.required('channel'))
  const message = ownMessage(workspace, channel.id, args.required('ts'), 'cant_update_message')
  if (channel.archived) throw new Refusal('is_archived')
  const text = readText(args, longestUpdate)
  const blocks = readBlocks(workspace, args)
  if (text === undefined && blocks === undefined) throw new Refusal('no_text')
  const metadata = readMetadata(args)
  const broadcast = args.flag('reply_broadcast')
  const revised = revise(workspace, message, {
    ...(text === undefined ? {} : { text }),
    // Text without blocks removes the blocks.
    blocks: blocks ?? (text === undefined ? message.blocks : []),
    ...(metadata ? { metadata } : {}),
    ...(broadcast && message.threadTs !== undefined ? { broadcast } : {}),
    // Slack marks a message as edited when its text changes, but not when its blocks do.
    edited: message.edited || !blocks || blocks.length === 0,
  })
  return { channel: channel.id, ts: message.ts, text: revised.text, message: messageAsJson(workspace, revised, true) }
}

function deleteMessage({ workspace, args }: Context): JsonObject {
  const channel = findPlace(workspace, args.required('channel'))
  const message = ownMessage(workspace, channel.id, args.required('ts'), 'cant_delete_message')
  remove(workspace, message)
  return { channel: channel.id, ts: message.ts }
}

function getPermalink({ workspace, args }: Context): JsonObject {
  const channel = findPlace(workspace, args.required('channel'))
  const ts = args.required('message_ts')
  const message = findMessage(workspace, channel.id, ts)
  if (!message) throw new Refusal('message_not_found')
  const thread = message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel.id}`
  return {
    channel: channel.id,
    permalink: `${workspace.origin}/archives/${channel.id}/p${ts.replace('.', '')}${thread}`,
  }
}

function contentOf({ workspace, args }: Context): Content {
  const text = readText(args)
  const blocks = readBlocks(workspace, args) ?? []
  if (text === undefined && blocks.length === 0) throw new Refusal('no_text')
  return { text: text ?? '', blocks, mrkdwn: args.flag('mrkdwn') ?? true }
}

/** Returns the thread to reply to. Its parent must exist, or be deleted and have replies. */
function threadOf(workspace: Workspace, channel: string, threadTs: string | undefined): string | undefined {
  if (threadTs === undefined) return undefined
  if (!/^\d+\.\d{6}$/.test(threadTs)) throw new Refusal('invalid_thread_ts')
  const parent = findMessage(workspace, channel, threadTs)
  if (!parent && repliesTo(workspace, channel, threadTs).length === 0) throw new Refusal('thread_not_found')
  // A reply has no thread of its own; the caller must use the ts of its parent.
  if (parent?.threadTs !== undefined) throw new Refusal('cannot_reply_to_message')
  return threadTs
}

function ownMessage(workspace: Workspace, channel: string, ts: string, notOurs: string): Message {
  const message = findMessage(workspace, channel, ts)
  if (!message) throw new Refusal('message_not_found')
  if (message.botId !== workspace.settings.app.botId) throw new Refusal(notOurs)
  return message
}

function author({ settings }: Workspace): { user: string; botId: string } {
  return { user: settings.app.botUserId, botId: settings.app.botId }
}
