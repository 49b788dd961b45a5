import { desired } from '../domain/desired.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { Ending } from '../domain/request.ts'
import { bookFor } from './at-hand.ts'
import { leftAs } from './looked.ts'
import type { Held, House } from './ports.ts'

/** Why what a rule has handed in is not to be done any more, or null. What a person has said yes to is theirs. */
export async function unwanted(
  house: House,
  { request: { via, decision }, command }: Held,
  endpoint: Endpoint | undefined,
): Promise<Pick<Ending, 'says' | 'keptBy'> | null> {
  if (via !== 'schedule' || decision !== undefined || endpoint === undefined) return null
  const now = house.clock.now()
  const rules = bookFor(house, await house.store.records()).of(endpoint)
  const { want } = desired(rules, now)
  return want === command.row.wants ? null : leftAs(endpoint.name, rules, now)
}
