import { segments } from '../domain/desired.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { Rules } from '../domain/rules.ts'
import { type Knows, rulesNow } from './outlook.ts'
import type { House } from './ports.ts'

/** A start or a stop that rules will bring about. `at` in ms. */
export interface Coming {
  readonly endpoint: Pick<Endpoint, 'id' | 'name'>
  readonly at: number
  readonly want: 'up' | 'down'
}

/** Endpoints looked through in one go, some 5 ms; then whatever else has come in at a door has its turn. */
const changesAtOnce = 300

/** What rules bring about within some time (ms), the next first, of the endpoints as last listed: nobody calls the platform. */
export async function comingWithin(
  house: Knows & { readonly store: Pick<House['store'], 'names'> },
  span: number,
): Promise<readonly Coming[]> {
  const [rulesOf, listed] = await Promise.all([rulesNow(house), house.store.names()])
  const now = house.clock.now()
  const found: Coming[] = []
  for (const [at, endpoint] of (listed?.endpoints ?? []).entries()) {
    if (at % changesAtOnce === changesAtOnce - 1) await new Promise((resolve) => setImmediate(resolve))
    const next = nextOf(rulesOf(endpoint), now, now + span)
    if (next !== null) found.push({ endpoint, ...next })
  }
  return found.sort((a, b) => a.at - b.at)
}

/** The first change of what is wanted after `now` and before `to` (ms), where it is to a start or a stop. */
function nextOf(rules: Rules, now: number, to: number): Pick<Coming, 'at' | 'want'> | null {
  if (rules.weekly.length + rules.once.length + rules.holds.length === 0) return null
  const [first, ...others] = segments(rules, now, to)
  const next = others.find(({ want }) => want !== first?.want)
  return next === undefined || next.want === 'hands off' ? null : { at: next.from, want: next.want }
}
