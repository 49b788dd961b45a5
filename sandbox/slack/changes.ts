import type { Message } from './message.ts'
import { remove } from './messages.ts'
import type { UsergroupOption } from './options.ts'
import type { Channel, Person, Workspace } from './workspace.ts'

/** What happens to a workspace without the app: people leave, channels are archived, messages are deleted. */
export interface Changes {
  person(id: string, change: Partial<Omit<Person, 'id'>>): void
  usergroup(id: string, change: Partial<Omit<UsergroupOption, 'id'>>): void
  channel(id: string, change: Partial<Pick<Channel, 'name' | 'archived' | 'extShared' | 'topic'>>): void
  /** Adds a user to a channel or removes one; the app has a user id, too. */
  member(channel: string, user: string, isMember: boolean): void
  /** Deletes a message, as an admin can. */
  deletes(message: Message): void
}

export function createChanges(workspace: Workspace): Changes {
  return {
    person: (id, change) => put(workspace.people, id, change),
    usergroup: (id, change) => put(workspace.usergroups, id, change),
    channel: (id, change) => put(workspace.channels, id, change),
    member(id, user, isMember) {
      const members = new Set(workspace.channels.get(id)?.members)
      if (isMember) members.add(user)
      else members.delete(user)
      put(workspace.channels, id, { members })
    },
    deletes(message) {
      const now = workspace.messages.get(message.channel)?.find((one) => one.ts === message.ts)
      if (now) remove(workspace, now)
    },
  }
}

function put<Row>(table: Map<string, Row>, id: string, change: Partial<Row>): void {
  const row = table.get(id)
  if (!row) throw new Error(`There is nothing with the id ${id} in the sandbox.`)
  table.set(id, { ...row, ...change })
}
