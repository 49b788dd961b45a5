import type { JsonObject } from '../json.ts'
import type { Message } from '../message.ts'
import { findMessage, revise } from '../messages.ts'
import type { Workspace } from '../workspace.ts'
import type { Context, Methods } from './call.ts'
import { findPlace } from './places.ts'
import { Refusal } from './refusal.ts'

const writing = (): readonly string[] => ['reactions:write']

export const reactionMethods: Methods = {
  'reactions.add': { scopes: writing, perMinute: 50, run: add },
  'reactions.remove': { scopes: writing, perMinute: 20, run: remove },
}

function add({ workspace, args }: Context): JsonObject {
  const { message, name, users } = target({ workspace, args })
  if (users.has(workspace.settings.app.botUserId)) throw new Refusal('already_reacted')
  return reacted(workspace, message, name, new Set([...users, workspace.settings.app.botUserId]))
}

function remove({ workspace, args }: Context): JsonObject {
  const { message, name, users } = target({ workspace, args })
  if (!users.has(workspace.settings.app.botUserId)) throw new Refusal('no_reaction')
  return reacted(workspace, message, name, new Set([...users].filter((id) => id !== workspace.settings.app.botUserId)))
}

function target({ workspace, args }: Context) {
  const channel = findPlace(workspace, args.required('channel'))
  const name = args.required('name')
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw new Refusal('invalid_name')
  const message = findMessage(workspace, channel.id, args.required('timestamp'))
  if (!message) throw new Refusal('message_not_found')
  return { message, name, users: message.reactions.get(name) ?? new Set<string>() }
}

function reacted(workspace: Workspace, message: Message, name: string, users: ReadonlySet<string>): JsonObject {
  const others = [...message.reactions].filter(([other]) => other !== name)
  const mine = users.size > 0 ? [[name, users] as const] : []
  revise(workspace, message, { reactions: new Map([...others, ...mine]) })
  return {}
}
