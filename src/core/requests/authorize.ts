import type { Actor, Place } from '../model/actor.ts'
import { isAutomatic, type Request } from '../model/request.ts'
import {
  givenBy,
  includes,
  type Member,
  nowhere,
  type Person,
  type Role,
  roleOf,
  type Standpoint,
  type Where,
} from '../model/roles.ts'
import { sentences } from '../model/sentences.ts'
import type { House, Sureness } from '../ports/services.ts'

export type Standing =
  | { readonly kind: 'may'; readonly role: Role | null; readonly by: Member | null }
  /**
   * `unsure`: not even that could be found out. `lacks`: the role it takes, where nothing else is missing. `stranger`:
   * who it is, of somebody without any role.
   */
  | {
      readonly kind: 'not'
      readonly says: string
      readonly unsure?: true
      readonly lacks?: Role
      readonly stranger?: Person
    }

/** Whether somebody is known to have no role at all: whose groups could not be read may have one. */
export function isStranger(standing: Standing): boolean {
  return standing.kind === 'not' && standing.stranger !== undefined && standing.stranger.unread !== true
}

/**
 * How the end of what somebody may not ask is kept: for people without any role, briefly and only counted. A rule that
 * is refused belongs into the history.
 */
export function keptOf(standing: Standing, request: Request) {
  if (!isStranger(standing) || isAutomatic(request)) return {}
  return { change: { stranger: true as const }, event: { by: request.actor, detail: request.line } }
}

/** Somebody as they stand at a place, looked up now; null when that cannot be found out. */
export async function standpointOf(
  house: Pick<House, 'people' | 'policy'>,
  actor: Actor,
  place: Place,
  sure?: Sureness,
): Promise<(Standpoint & { readonly where: Where }) | null> {
  const stood = place.chosen === true ? nowhere : house.people.where(place, actor, sure)
  const [person, where] = await Promise.all([house.people.who(actor, sure), stood])
  if (person === null || where === null) return null
  return { actor, person, role: roleOf(person, where, house.policy().roles), where }
}

/**
 * Whether somebody may, looked up now: at the asking, at the press, and again before the call. Whatever cannot be
 * found out is a no.
 */
export async function mayAct(
  house: House,
  actor: Actor,
  place: Place,
  needed: Role,
  sure?: Sureness,
): Promise<Standing> {
  const stands = await standpointOf(house, actor, place, sure)
  if (stands === null) return { kind: 'not', says: sentences.cannotCheck, unsure: true }
  const { person, where, role } = stands
  const stranger = role === null ? { stranger: person } : {}
  if (person.standing === 'outside') return { kind: 'not', says: sentences.outsider, ...stranger }
  const { roles, version } = house.policy()
  if (includes(role, needed)) return { kind: 'may', role, by: givenBy(person, where, roles) }
  if (person.standing === 'guest') return { kind: 'not', says: sentences.guest, ...stranger }
  if (version === 'none' && needed !== 'viewer')
    return { kind: 'not', says: sentences.notYoursWithoutFile, ...stranger }
  const lacking = sentences.notYours(needed, house.project)
  if (person.unread) return { kind: 'not', says: `${lacking} ${sentences.groupsUnread}`, ...stranger }
  return { kind: 'not', says: lacking, lacks: needed, ...stranger }
}
