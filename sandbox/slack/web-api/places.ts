import { type Channel, directChannel, type Workspace } from '../workspace.ts'
import { Refusal } from './refusal.ts'

/** Finds the channel that an argument means: an id, a public name, or the id of a person to write to. */
export function findPlace(workspace: Workspace, named: string): Channel {
  const { botUserId } = workspace.settings.app
  if (/^[UW]/.test(named)) {
    const person = workspace.people.get(named)
    if (!person || person.deleted) throw new Refusal('channel_not_found')
    if (person.bot) throw new Refusal('cannot_dm_bot')
    return directChannel(workspace, named)
  }
  const bare = named.replace(/^#/, '')
  const channel =
    workspace.channels.get(named) ??
    [...workspace.channels.values()].find((c) => c.kind === 'public' && c.name === bare)
  // For the app, a private channel without it does not exist.
  if (!channel || (channel.kind !== 'public' && !channel.members.has(botUserId))) throw new Refusal('channel_not_found')
  return channel
}

/** Finds a channel that the app may write to. */
export function writablePlace(workspace: Workspace, named: string): Channel {
  const channel = findPlace(workspace, named)
  if (channel.archived) throw new Refusal('is_archived')
  const member = channel.members.has(workspace.settings.app.botUserId)
  if (!member && !workspace.settings.scopes.includes('chat:write.public')) throw new Refusal('not_in_channel')
  return channel
}

/** Returns the scope that reading this kind of channel requires, such as `groups:read`. */
export function scopeFor(channel: Channel | undefined, verb: 'read' | 'history'): string {
  const kinds = { public: 'channels', private: 'groups', im: 'im' } as const
  return `${kinds[channel?.kind ?? 'public']}:${verb}`
}
