import { fits, type Policy, protectedBy } from './demand.ts'
import type { Endpoint } from './endpoint.ts'
import { freezeAt, protectionOf, type Records } from './records.ts'
import type { Hold, OneOff, Rules, WeeklyRule } from './rules.ts'

interface Own {
  readonly weekly: WeeklyRule[]
  readonly once: OneOff[]
  readonly holds: Hold[]
}

/** All that is laid down about endpoints, looked through once. */
export interface Rulebook {
  /** What decides about one endpoint. */
  of(endpoint: Pick<Endpoint, 'id' | 'name' | 'tags'>): Rules
  /** Endpoints with rules of their own, by id. */
  readonly own: ReadonlyMap<string, Own>
}

/** `now` in ms: a freeze that is over plays no part. `isPaused`: a rule that acts for nobody any more. */
export function rulebookOf(
  records: Records,
  policy: Policy,
  now: number,
  isPaused: (rule: WeeklyRule | OneOff) => boolean = () => false,
): Rulebook {
  const own = new Map<string, Own>()
  function on(endpoint: string): Own {
    const known = own.get(endpoint)
    if (known !== undefined) return known
    const fresh: Own = { weekly: [], once: [], holds: [] }
    own.set(endpoint, fresh)
    return fresh
  }
  for (const record of records.values()) {
    if (record.kind === 'hold') on(record.endpoint).holds.push(record)
    else if (record.kind === 'once' && !isPaused(record)) on(record.endpoint).once.push(record)
    else if (record.kind === 'weekly' && record.endpoint !== null && !isPaused(record))
      on(record.endpoint).weekly.push(record)
  }
  const { team, holidays } = policy.automation
  const frozen = freezeAt(records, now)
  return {
    own,
    of(endpoint) {
      const found = own.get(endpoint.id)
      const teams = team.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))
      return {
        weekly: [...(found?.weekly ?? []), ...(teams?.rules ?? [])],
        once: found?.once ?? [],
        holds: found?.holds ?? [],
        skip: holidays,
        protected: protectedBy(policy, endpoint) !== null || protectionOf(records, endpoint.id) !== null,
        freeze: frozen === null ? null : { at: frozen.at, until: frozen.until },
      }
    },
  }
}
