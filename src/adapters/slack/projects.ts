import { setTimeout as wait } from 'node:timers/promises'
import type { Actor } from '../../core/model/actor.ts'
import type { Coming, Savings } from '../../core/model/answer.ts'
import type { Request } from '../../core/model/request.ts'
import { includes, type Role, roleNames } from '../../core/model/roles.ts'
import { sentences } from '../../core/model/sentences.ts'
import type { Foreseen } from '../../core/ports/query.ts'
import type { Doors } from '../../core/requests/receive.ts'
import type { MembersOf } from './messages/approvers.ts'

/** A project as a door sees it: which channels are its own, and where its requests are stored. */
export interface Door extends Doors {
  readonly project: string
  /** Channel ids, as the policy file says now; `*` is every channel that no other project names. */
  readonly channels: () => readonly string[]
  /** Where cards go that were asked for in no channel, as the policy file says now. */
  readonly operationsChannel: () => string | undefined
  /** What the Home and the menu ask for. */
  readonly home: {
    /** Operations that are not over. */
    open(): Promise<readonly Request[]>
    /** The role somebody has in a channel, or ('') in none at all. Throws when that cannot be found out. */
    roleOf(actor: Actor, channel: string): Promise<Role | null>
    /** Rows that are of no use to somebody, whatever their role. Throws when that cannot be found out. */
    uselessTo(actor: Actor, channel: string): Promise<readonly string[]>
    /** Whom the policy gives a role, as its file says now. */
    readonly membersOf: MembersOf
    /** What rules bring about within a day, the next first. */
    coming(): Promise<readonly Coming[]>
    /** What was saved within a week. */
    saved(): Promise<Pick<Savings, 'total' | 'currency'> | null>
    /** Has a worker list the endpoints within seconds. */
    listAgain(): Promise<void>
    /** What somebody may answer. Throws when that cannot be found out. */
    answersOf(actor: Actor): Promise<(request: Request) => boolean>
  }
  /** What a line would lay down, before it is asked for; no call is made for it. */
  foresee?(actor: Actor, line: string): Promise<Foreseen | null>
  /** Keeps secret values until the call that needs them; absent without LAMPLIGHTER_KEY. */
  readonly sealer?: {
    /** False where values were sealed for it already: those stay. */
    seal(
      of: { readonly request: string; readonly endpoint: string; readonly actor: Actor; readonly field: string },
      values: readonly Secret[],
    ): Promise<boolean>
  }
}

/**
 * Those of which somebody has to say which one they mean, in a place that is no project's own: the operations channel of
 * all of them, a direct conversation, or none at all. None where that is clear.
 */
export function unclear(doors: readonly Door[], where: Parameters<typeof doorFor>[1]): readonly Door[] {
  const { channel } = where
  const isAll = doors.some(({ operationsChannel }) => operationsChannel() === channel)
  const isApart = doors.length > 1 && (isAll || channel === '' || channel.startsWith('D'))
  return isApart && doorFor(doors, where) === undefined ? doors : []
}

/** A menu must not wait for Slack's word on who somebody is: a trigger lasts 3 s. ms. */
const patience = 1_000

/** The role somebody has here, as far as Slack says so in time; otherwise undefined, and they are shown nothing. */
async function roleAt(door: Door | undefined, actor: Actor, channel: string): Promise<Role | null | undefined> {
  const role = door?.home.roleOf(actor, channel).catch(() => undefined)
  return Promise.race([role, wait(patience, undefined, { ref: false })])
}

/**
 * Why nothing is shown to somebody here: they have no role, or Slack does not say so in time. Null for a viewer. Nobody
 * without a role sees names, forms or previews.
 */
export async function closedTo(
  door: Door | undefined,
  { actor, channel, chosen }: { readonly actor: Actor; readonly channel: string; readonly chosen?: boolean },
): Promise<string | null> {
  if (door === undefined) return sentences.noProject
  const role = await roleAt(door, actor, chosen === true ? '' : channel)
  return role === null || role === undefined ? whyNothing(role) : null
}

/** The same for a place of several projects: null where they have a role in any of them. */
export async function closedAt(
  doors: readonly Door[],
  where: Parameters<typeof closedTo>[1] & Parameters<typeof doorFor>[1],
): Promise<string | null> {
  const among = unclear(doors, where)
  const found = await Promise.all(
    (among.length === 0 ? [doorFor(doors, where)] : among).map((door) => closedTo(door, where)),
  )
  if (found.includes(null)) return null
  // Where one could not be looked up, they may have a role there.
  return found.find((says) => says !== sentences.noRole) ?? sentences.noRole
}

/** Who has sent an interaction. */
export function actorIn({
  user,
  team,
}: {
  readonly user: { readonly id: string; readonly team_id?: string }
  readonly team?: { readonly id: string } | null
}): Actor {
  return { team: user.team_id ?? team?.id ?? '', user: user.id }
}

/** What somebody may ask for here. */
export async function reachAt(door: Door | undefined, actor: Actor, channel: string): Promise<Reach> {
  const useless = door?.home.uselessTo(actor, channel).catch(() => undefined)
  const [role, without] = await Promise.all([
    roleAt(door, actor, channel),
    Promise.race([useless, wait(patience, undefined, { ref: false })]),
  ])
  return { role, without: without ?? [] }
}

/** The same for a place of several projects: what they may ask for in any of them. */
export async function reachIn(doors: readonly Door[], actor: Actor, channel: string): Promise<Reach> {
  const among = unclear(doors, { channel })
  if (among.length === 0) return reachAt(doorFor(doors, { channel }), actor, channel)
  const [first, ...others] = await Promise.all(among.map((door) => reachAt(door, actor, channel)))
  return others.reduce<Reach>(either, first ?? { role: undefined, without: [] })
}

function either(a: Reach, b: Reach): Reach {
  const without = a.without.filter((name) => b.without.includes(name))
  const roles = [a.role, b.role]
  const [best = null] = roleNames.toReversed().filter((role) => roles.includes(role))
  return { role: best === null && roles.includes(undefined) ? undefined : best, without }
}

/** The projects in which somebody may ask for what takes a role. */
export async function reachable(
  doors: readonly Door[],
  actor: Actor,
  channel: string,
  needed: Role,
): Promise<readonly Door[]> {
  const roles = await Promise.all(doors.map((door) => roleAt(door, actor, channel)))
  return doors.filter((_, at) => includes(roles[at] ?? null, needed))
}

export interface Reach {
  readonly role: Role | null | undefined
  /** Names of rows that are of no use to them. */
  readonly without: readonly string[]
}

export interface Secret {
  readonly key: string
  readonly value: string
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
    doors.find(({ channels }) => channels().includes(channel)) ??
    doors.find(({ channels }) => channels().includes('*')) ??
    (channel === '' && doors.length === 1 ? doors[0] : undefined)
  )
}

/** Who cannot be looked up is told nothing either, and to try again. */
export function whyNothing(role: null | undefined): string {
  return role === null ? sentences.noRole : sentences.cannotCheck
}
