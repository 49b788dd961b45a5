import { fits, type Policy, protectedBy } from './demand.ts'
import type { Endpoint } from './endpoint.ts'
import { type Freeze, freezeAt, protectionOf, type Records } from './records.ts'
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
  /** What it was made from, and what was found in it and before: the next one has no need to make that again. */
  readonly policy: Policy
  readonly frozen: Freeze | null
  readonly found: ReadonlyMap<string, Found>
}

interface Found {
  readonly about: Known
  readonly rules: Rules
  readonly own: Own
}

const nobody: ReadonlySet<string> = new Set()
const none: Own = { weekly: [], once: [], holds: [] }

/**
 * `now` in ms: a freeze that is over plays no part. `resting`: owners, by user, whose rules act for nobody any more.
 * `before`: the one made of older records; what nothing has changed about stays the very same value.
 */
export function rulebookOf(
  records: Records,
  policy: Policy,
  now: number,
  resting: ReadonlySet<string> = nobody,
  before?: Rulebook,
): Rulebook {
  const own = ownRules(records, resting)
  const { team, holidays: skip } = policy.automation
  const frozen = freezeAt(records, now)
  const freeze = frozen === null ? null : { at: frozen.at, until: frozen.until }
  const isAlike = before?.policy === policy && before.frozen === frozen
  const found = new Map(isAlike ? before.found : [])
  const checked = new Set<string>()

  function isHeld(endpoint: Known): boolean {
    return protectedBy(policy, endpoint) !== null || protectionOf(records, endpoint.id) !== null
  }
  function read(endpoint: Known, { weekly, once, holds }: Own): Rules {
    const teams = team.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))?.rules ?? []
    const all = [...weekly, ...teams]
    return {
      // What the platform scales by itself is left to it, unless a rule says otherwise.
      weekly: endpoint.autoscaled === true ? all.filter((rule) => rule.autoscaled) : all,
      once,
      holds,
      skip,
      protected: isHeld(endpoint),
      freeze,
    }
  }
  /** Whether what an older one has found still holds. */
  function holds({ own: before, rules }: Found, endpoint: Known): boolean {
    if (checked.has(endpoint.id)) return true
    return isSameOwn(before, own.get(endpoint.id) ?? none) && rules.protected === isHeld(endpoint)
  }

  return {
    own,
    policy,
    frozen,
    found,
    of(endpoint) {
      const known = found.get(endpoint.id)
      const isKnown = known !== undefined && isSame(known.about, endpoint) && holds(known, endpoint)
      checked.add(endpoint.id)
      if (isKnown) return known.rules
      const mine = own.get(endpoint.id) ?? none
      const rules = read(endpoint, mine)
      found.set(endpoint.id, { about: endpoint, rules, own: mine })
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
  return a.name === b.name && a.autoscaled === b.autoscaled && areSame(a.tags ?? [], b.tags ?? [])
}

/** Of records that were not written anew. */
function isSameOwn(a: Own, b: Own): boolean {
  return areSame(a.weekly, b.weekly) && areSame(a.once, b.once) && areSame(a.holds, b.holds)
}

/** The order in which things are kept says nothing. */
function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}
