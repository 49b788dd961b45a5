import type { Place } from '../domain/actor.ts'
import { isApprover } from '../domain/answering.ts'
import type { Asking } from '../domain/demand.ts'
import { absencesAt, type Records, type StandIn } from '../domain/records.ts'
import { standpointOf } from './identify.ts'
import type { House } from './ports.ts'

/** The absences of those who could approve now, looked up where it is asked. */
export async function standInsNow(
  house: House,
  place: Place,
  asking: Asking,
  records: Records,
): Promise<readonly StandIn[]> {
  const absences = absencesAt(records, house.clock.now())
  const absent = await Promise.all(absences.map(({ who }) => standpointOf(house, who, place)))
  return absences.filter((_, at) => {
    const one = absent[at]
    return one !== undefined && one !== null && isApprover(one, asking, false)
  })
}
