import type { Message } from '../message.ts'
import { type Channel, directChannel, type Person, type Workspace } from '../workspace.ts'

/** Finds a channel as a person names it; `@app` is the direct conversation with the app. */
export function channelNamed(workspace: Workspace, person: Person, named: string): Channel {
  return named === '@app' ? directChannel(workspace, person.id) : channelBy(workspace, named)
}

/** Finds a channel by id or name, with or without `#`. */
export function channelBy(workspace: Workspace, named: string): Channel {
  const bare = named.replace(/^#/, '')
  const channel = workspace.channels.get(named) ?? [...workspace.channels.values()].find((c) => c.name === bare)
  if (!channel) throw new Error(`There is no channel ${named} in the sandbox.`)
  return channel
}

/** Returns the messages that this person can see, newest first. */
export function visibleTo(workspace: Workspace, person: Person, channelId?: string): readonly Message[] {
  const channels = [...workspace.channels.values()].filter(
    (c) => c.members.has(person.id) && (channelId === undefined || c.id === channelId),
  )
  return channels
    .flatMap((c) => workspace.messages.get(c.id) ?? [])
    .filter((m) => !m.deleted && (m.ephemeralTo === undefined || m.ephemeralTo === person.id))
    .sort((a, b) => (a.ts < b.ts ? 1 : -1))
}
