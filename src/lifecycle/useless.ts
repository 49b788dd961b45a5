import type { Actor, Place } from '../domain/actor.ts'
import { includes, names } from '../domain/policy.ts'
import { absentFor, standInFor } from '../domain/records.ts'
import { standpointOf } from './identify.ts'
import type { House } from './ports.ts'

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
