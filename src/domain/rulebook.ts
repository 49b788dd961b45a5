import { fits, type Policy, protectedBy } from './demand.ts'
import type { Endpoint } from './endpoint.ts'
import { freezeAt, protectionOf, type Records } from './records.ts'
import type { Hold, OneOff, Rules, WeeklyRule } from './rules.ts'

interface Own {
  readonly weekly: WeeklyRule[]
  readonly once: OneOff[]
  readonly holds: Hold[]
}

type Known = Pick<Endpoint, 'id' | 'name' | 'tags' | 'autoscaled'>

/** All that is laid down about endpoints, looked through once. */
export interface Rulebook {
  /** What decides about one endpoint; the very same value as long as nothing changes. */
  of(endpoint: Known): Rules
  /** Endpoints with rules of their own, by id. */
  readonly own: ReadonlyMap<string, Own>
}

const nobody: ReadonlySet<string> = new Set()

/** `now` in ms: a freeze that is over plays no part. `resting`: owners, by user, whose rules act for nobody any more. */
export function rulebookOf(
  records: Records,
  policy: Policy,
  now: number,
  resting: ReadonlySet<string> = nobody,
): Rulebook {
  const own = ownRules(records, resting)
  const { team, holidays: skip } = policy.automation
  const frozen = freezeAt(records, now)
  const freeze = frozen === null ? null : { at: frozen.at, until: frozen.until }
  const found = new Map<string, { readonly about: Known; readonly rules: Rules }>()

  function read(endpoint: Known): Rules {
    const { weekly = [], once = [], holds = [] } = own.get(endpoint.id) ?? {}
    const teams = team.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))?.rules ?? []
    const all = [...weekly, ...teams]
    return {
      // What the platform scales by itself is left to it, unless a rule says otherwise.
      weekly: endpoint.autoscaled === true ? all.filter((rule) => rule.autoscaled) : all,
      once,
      holds,
      skip,
      protected: protectedBy(policy, endpoint) !== null || protectionOf(records, endpoint.id) !== null,
      freeze,
    }
  }

  return {
    own,
    of(endpoint) {
      const known = found.get(endpoint.id)
      if (known !== undefined && isSame(known.about, endpoint)) return known.rules
      const rules = read(endpoint)
      found.set(endpoint.id, { about: endpoint, rules })
      return rules
    },
  }
}

function ownRules(records: Records, resting: ReadonlySet<string>): ReadonlyMap<string, Own> {
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
    else if (record.kind === 'once' && !resting.has(record.owner.user)) on(record.endpoint).once.push(record)
    else if (record.kind === 'weekly' && record.endpoint !== null && !resting.has(record.owner.user))
      on(record.endpoint).weekly.push(record)
  }
  return own
}

/** Of what decides which rules fit. */
function isSame(a: Known, b: Known): boolean {
  if (a.name !== b.name || a.autoscaled !== b.autoscaled) return false
  const [tags = [], others = []] = [a.tags, b.tags]
  return tags.length === others.length && tags.every((tag, at) => tag === others[at])
}
