import type { Actor, Place } from '../domain/actor.ts'
import { type Mandate, mandateOf } from '../domain/answering.ts'
import { absentFor, type Records } from '../domain/records.ts'
import type { Request } from '../domain/request.ts'
import { standpointOf } from './identify.ts'
import type { House, Sureness } from './ports.ts'

type Knows = Pick<House, 'people' | 'policy' | 'clock'>
type Mandates = (request: Request) => Mandate

/**
 * What somebody may say to waiting requests, in their own place or for whomever they stand in for, looked up now.
 * Null when that cannot be found out.
 */
export async function mandatesOf(
  house: Knows & { readonly store: Pick<House['store'], 'records'> },
  actor: Actor,
  place: Place,
  sure?: Sureness,
): Promise<Mandates | null> {
  return mandatesUnder(house, await house.store.records(), actor, place, sure)
}

/** By these records, for a write that depends on them. */
export async function mandatesUnder(
  house: Knows,
  records: Records,
  actor: Actor,
  place: Place,
  sure?: Sureness,
): Promise<Mandates | null> {
  const absent = absentFor(records, actor, house.clock.now())
  const [by, ...others] = await Promise.all([actor, ...absent].map((one) => standpointOf(house, one, place, sure)))
  if (by === null || by === undefined) return null
  const known = others.filter((one) => one !== null)
  return (request) => mandateOf(request, by, known)
}
