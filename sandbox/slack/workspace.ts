import { randomBytes } from 'node:crypto'
import { createIds, type Ids } from './ids.ts'
import type { JsonObject } from './json.ts'
import type { Message } from './message.ts'
import { createNews, type News } from './news.ts'
import type { PersonOption, Settings, UsergroupOption } from './options.ts'
import { createTickets, type Tickets } from './tickets.ts'
import { createTriggers, type Triggers } from './triggers.ts'
import type { View } from './views/view.ts'

export interface Person extends PersonOption {
  readonly teamId: string
  readonly tz: string
}

export interface Channel {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'im'
  /** People and, if it was invited, the app's own user. */
  readonly members: ReadonlySet<string>
  readonly archived: boolean
  readonly extShared: boolean
  readonly topic: string
  readonly created: number
}

/** A file that was uploaded, or will be. */
export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly title: string
  /** Describes a picture in words. */
  readonly alt: string
  readonly length: number
  readonly content: Buffer | undefined
}

/** One run of a step. Its workflow continues with the outputs, or ends with the error. */
export interface Execution {
  readonly id: string
  readonly callbackId: string
  readonly inputs: JsonObject
  readonly state: 'running' | 'completed' | 'failed'
  readonly outputs?: JsonObject
  readonly error?: string
}

/** The state of one workspace. The maps are its tables, which the rest of the sandbox reads and writes. */
export interface Workspace {
  readonly settings: Settings
  readonly ids: Ids
  readonly news: News
  readonly people: Map<string, Person>
  readonly channels: Map<string, Channel>
  readonly usergroups: Map<string, UsergroupOption>
  /** By channel, oldest first; includes deleted and ephemeral messages. */
  readonly messages: Map<string, Message[]>
  readonly files: Map<string, StoredFile>
  /** Open modals by person, the lowest first. */
  readonly modals: Map<string, readonly View[]>
  /** The app's Home by person. */
  readonly homes: Map<string, View>
  /** Runs of the app's steps, by id. */
  readonly executions: Map<string, Execution>
  /** Types of blocks that this workspace does not support yet. */
  readonly unknownBlocks: Set<string>
  readonly triggers: Triggers
  readonly tickets: Tickets
  /** Part of addresses that only the app and the page know. */
  readonly secret: string
  /** The sandbox's address, without a trailing slash; set once it listens. */
  origin: string
  /** How many steps of the tour are done. */
  tourStep: number
}

export function createWorkspace(settings: Settings): Workspace {
  const people = new Map<string, Person>()
  for (const person of [...settings.people, botOf(settings)]) people.set(person.id, personOf(person, settings))
  const channels = new Map<string, Channel>()
  const created = Math.floor(settings.clock.now() / 1000)
  for (const channel of settings.channels) {
    const members = new Set(channel.members ?? fullMembers(people))
    if (channel.botIsMember ?? true) members.add(settings.app.botUserId)
    channels.set(channel.id, {
      id: channel.id,
      name: channel.name,
      kind: channel.private ? 'private' : 'public',
      members,
      archived: channel.archived ?? false,
      extShared: channel.extShared ?? false,
      topic: channel.topic ?? '',
      created,
    })
  }
  const ids = createIds(settings.clock)
  return {
    settings,
    ids,
    news: createNews(),
    people,
    channels,
    usergroups: new Map(settings.usergroups.map((group) => [group.id, group])),
    messages: new Map(),
    files: new Map(),
    modals: new Map(),
    homes: new Map(),
    executions: new Map(),
    unknownBlocks: new Set(),
    triggers: createTriggers(settings.clock, ids),
    tickets: createTickets(),
    tourStep: 0,
    secret: randomBytes(12).toString('hex'),
    origin: '',
  }
}

function personOf(option: PersonOption, settings: Settings): Person {
  return { tz: 'UTC', teamId: settings.team.id, ...option }
}

function botOf({ app }: Settings): PersonOption {
  return { id: app.botUserId, name: app.name.toLowerCase(), realName: app.name, bot: true }
}

function fullMembers(people: ReadonlyMap<string, Person>): string[] {
  return [...people.values()].filter((p) => !p.bot && !p.deleted && !p.guest && !p.stranger).map((p) => p.id)
}

/** Returns the direct conversation between the app and a person; creates it if there is none. */
export function directChannel(workspace: Workspace, userId: string): Channel {
  const id = `D${userId.slice(1)}`
  const known = workspace.channels.get(id)
  if (known) return known
  const { botUserId } = workspace.settings.app
  const channel: Channel = {
    id,
    name: 'directmessage',
    kind: 'im',
    members: new Set([userId, botUserId]),
    archived: false,
    extShared: false,
    topic: '',
    created: Math.floor(workspace.settings.clock.now() / 1000),
  }
  workspace.channels.set(id, channel)
  return channel
}

/** Returns the name that a person or an app posts under; the id if it is unknown. */
export function nameOf(workspace: Workspace, userId: string): string {
  const person = workspace.people.get(userId)
  if (!person) return userId
  return person.bot ? (person.realName ?? person.name) : person.name
}

/** Returns the `team` part of payloads; on an Enterprise Grid a person may act from another workspace. */
export function teamOf({ settings }: Workspace, person?: Person): JsonObject {
  const { team, enterprise } = settings
  const grid = enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }
  const isElsewhere = person?.teams?.includes(person.teamId) === true && person.teamId !== team.id
  return isElsewhere
    ? { id: person.teamId, domain: 'elsewhere', ...grid }
    : { id: team.id, domain: team.domain, ...grid }
}
