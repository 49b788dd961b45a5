import type { Actor, Place } from '../domain/actor.ts'
import { sentences } from '../domain/errors.ts'
import { givenBy, includes, type Role, roleOf } from '../domain/policy.ts'
import type { House } from './ports.ts'

export type Standing =
  | { readonly kind: 'may'; readonly role: Role | null; readonly by: string | null }
  /** `unsure`: not even that could be found out. */
  | { readonly kind: 'not'; readonly says: string; readonly unsure?: true }

/** What a channel is to somebody who only picked it. */
const nowhere = { channel: '', private: false } as const

/**
 * Whether somebody may, looked up now: at the asking, at the press, and again before the call. Whatever cannot be
 * found out is a no.
 */
export async function mayAct(house: House, actor: Actor, place: Place, needed: Role): Promise<Standing> {
  const stood = place.chosen === true ? nowhere : house.people.where(place)
  const [person, where] = await Promise.all([house.people.who(actor), stood])
  if (person === null || where === null) return { kind: 'not', says: sentences.cannotCheck, unsure: true }
  if (person.standing === 'outside') return { kind: 'not', says: sentences.outsider }
  const role = roleOf(person, where, house.roles)
  if (includes(role, needed)) return { kind: 'may', role, by: givenBy(person, where, house.roles) }
  const unruled = !house.ruled && needed !== 'viewer'
  return { kind: 'not', says: unruled ? sentences.notYoursWithoutFile : sentences.notYours(needed, house.project) }
}
