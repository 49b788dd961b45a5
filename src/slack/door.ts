import type { Actor } from '../domain/actor.ts'
import type { Role } from '../domain/policy.ts'
import type { Request } from '../domain/request.ts'
import type { Doors } from '../lifecycle/receive.ts'
import type { Secret } from './secrets.ts'

/** A project as a door sees it: which channels are its own, and where its requests are stored. */
export interface Door extends Doors {
  readonly project: string
  /** Channel ids; `*` is every channel that no other project names. */
  readonly channels: readonly string[]
  /** Where cards go that were asked for in no channel. */
  readonly operationsChannel?: string
  /** What the Home and the menu ask for. */
  readonly home: {
    /** Operations that are not over. */
    open(): Promise<readonly Request[]>
    /** The role somebody has in a channel, or ('') in none at all. Throws when that cannot be found out. */
    roleOf(actor: Actor, channel: string): Promise<Role | null>
  }
  /** Keeps secret values until the call that needs them; absent without LAMPLIGHTER_KEY. */
  readonly sealer?: {
    seal(
      of: { readonly request: string; readonly endpoint: string; readonly actor: Actor; readonly field: string },
      values: readonly Secret[],
    ): Promise<void>
  }
}

/**
 * The project that is meant: the one that is named, else that of the channel, else the one that takes every channel.
 * In no channel the only one there is will do.
 */
export function doorFor(
  doors: readonly Door[],
  { project, channel }: { readonly project?: string | undefined; readonly channel: string },
): Door | undefined {
  return (
    doors.find((door) => door.project === project) ??
    doors.find(({ channels }) => channels.includes(channel)) ??
    doors.find(({ channels }) => channels.includes('*')) ??
    (channel === '' && doors.length === 1 ? doors[0] : undefined)
  )
}
