import type { Actor, Place } from '../../core/model/actor.ts'
import type { You } from '../../core/model/answer.ts'
import { absentFor, type Records, standInFor } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { includes, names } from '../../core/model/roles.ts'
import { type Mandate, mandateOf } from '../../core/policy/who-answers.ts'
import type { House, Sureness } from '../../core/ports/services.ts'
import { standpointOf } from '../../core/requests/authorize.ts'

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

/** How whoever asks stands in the project, seen from where they ask. */
export async function youNow(house: House, { actor, place }: Request): Promise<You> {
  const [records, open, now] = [await house.store.records(), await house.store.open(), house.clock.now()]
  const mandates = await mandatesUnder(house, records, actor, place)
  const waiting = open.filter((request) => request.status === 'awaiting' && mandates?.(request).kind === 'may')
  return {
    absent: absentFor(records, actor, now),
    standIn: standInFor(records, actor, now),
    waiting: waiting.length,
    policy: house.policy().version,
  }
}

type KnowsRecords = Pick<House, 'people' | 'policy' | 'clock'> & { readonly store: Pick<House['store'], 'records'> }

/** The rows that anybody may type, and that somebody could do nothing with. Throws when that cannot be found out. */
export async function uselessTo(house: KnowsRecords, actor: Actor, place: Place): Promise<readonly string[]> {
  const [records, stands] = await Promise.all([house.store.records(), standpointOf(house, actor, place)])
  if (stands === null) throw new Error('Slack did not say who this is.')
  const { role, person } = stands
  const { asking, overrides } = house.policy()
  const lists = [asking, ...overrides.map((one) => one.asking ?? {})]
  const listed = lists.flatMap(({ from, fallback }) => [...(from ?? []), ...(fallback?.to ?? [])])
  const now = house.clock.now()
  const answers =
    includes(role, 'operator') ||
    listed.some((member) => names(member, person)) ||
    absentFor(records, actor, now).length > 0
  return [...(answers ? [] : ['approve', 'decline']), ...(standInFor(records, actor, now) === null ? ['back'] : [])]
}
