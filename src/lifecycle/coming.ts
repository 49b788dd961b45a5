import { nextChange } from '../domain/decided.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { type Knows, rulesNow } from './outlook.ts'
import type { House } from './ports.ts'

/** A start or a stop that rules will bring about. `at` in ms. */
export interface Coming {
  readonly endpoint: Pick<Endpoint, 'id' | 'name'>
  readonly at: number
  readonly want: 'up' | 'down'
}

/** As many endpoints as a door can look through (some 60 ms) while it keeps nobody else waiting. */
const most = 300

/** What rules bring about within some time (ms), the next first, of the endpoints as last listed: nobody calls the platform. */
export async function comingWithin(
  house: Knows & { readonly store: Pick<House['store'], 'names'> },
  span: number,
): Promise<readonly Coming[]> {
  const [rulesOf, listed] = await Promise.all([rulesNow(house), house.store.names()])
  const now = house.clock.now()
  const found: Coming[] = []
  let looked = 0
  for (const endpoint of listed?.endpoints ?? []) {
    const rules = rulesOf(endpoint)
    if (rules.weekly.length + rules.once.length + rules.holds.length === 0) continue
    const next = nextChange(rules, now)
    if (next !== null && next.want !== 'hands off' && next.at <= now + span)
      found.push({ endpoint, at: next.at, want: next.want })
    if (++looked >= most) break
  }
  return found.sort((a, b) => a.at - b.at)
}
