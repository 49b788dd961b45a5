import { desired } from '../domain/desired.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { Ending, Request } from '../domain/request.ts'
import { operationIn } from '../operations/stored.ts'
import { bookFor } from './at-hand.ts'
import { leftAs } from './looked.ts'
import type { House } from './ports.ts'

/** Why what a rule has handed in is not to be done any more, or null. What a person has said yes to is theirs. */
export async function unwanted(
  house: House,
  { via, line, decision }: Request,
  endpoint: Endpoint | undefined,
): Promise<Pick<Ending, 'says' | 'keptBy'> | null> {
  if (via !== 'schedule' || decision !== undefined || endpoint === undefined) return null
  const now = house.clock.now()
  const rules = bookFor(house, await house.store.records()).of(endpoint)
  const { want } = desired(rules, now)
  const wanted = operationIn(line).row.name === 'stop' ? 'down' : 'up'
  return want === wanted ? null : leftAs(endpoint.name, rules, now)
}
