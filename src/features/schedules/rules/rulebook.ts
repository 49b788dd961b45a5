import type { Endpoint } from '../../../core/model/endpoint.ts'
import type { Policy } from '../../../core/model/policy.ts'
import { type Freeze, freezeAt, type Rec, type Records } from '../../../core/model/records.ts'
import type { Hold, OneOff, Rules, WeeklyRule } from '../../../core/model/rules.ts'
import { fits, protectedBy } from '../../../core/policy/requirement.ts'

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
  readonly from: Source
  readonly found: ReadonlyMap<string, Found>
}

interface Source {
  readonly records: Records
  readonly policy: Policy
  readonly frozen: Freeze | null
  readonly resting: ReadonlySet<string>
}

interface Found {
  readonly about: Known
  readonly rules: Rules
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
  const { team, holidays: skip } = policy.automation
  const frozen = freezeAt(records, now)
  const freeze = frozen === null ? null : { at: frozen.at, until: frozen.until }
  const from: Source = { records, policy, frozen, resting }
  const touched = before && touchedIn(from, before.from)
  const own = ownRules(from, before?.own, touched)
  const isAlike = before?.from.policy === policy && before.from.frozen === frozen
  const found = new Map(isAlike ? before.found : [])
  for (const id of touched ?? []) found.delete(id)
  const shielded = shieldedIn(records)

  function read(endpoint: Known, { weekly, once, holds }: Own): Rules {
    const teams = team.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))?.rules ?? []
    const all = teams.length === 0 ? weekly : [...weekly, ...teams]
    return {
      // What the platform scales by itself is left to it, unless a rule says otherwise.
      weekly: endpoint.autoscaled === true ? all.filter((rule) => rule.autoscaled) : all,
      once,
      holds,
      skip,
      protected: shielded.has(endpoint.id) || protectedBy(policy, endpoint) !== null,
      freeze,
    }
  }

  return {
    own,
    from,
    found,
    of(endpoint) {
      const known = found.get(endpoint.id)
      if (known !== undefined && isSame(known.about, endpoint)) return known.rules
      const rules = read(endpoint, own.get(endpoint.id) ?? none)
      found.set(endpoint.id, { about: endpoint, rules })
      return rules
    },
  }
}

/** Endpoints about which one source has other records than another, by id. */
function touchedIn(now: Source, before: Source): ReadonlySet<string> {
  const touched = new Set<string>()
  function compare(one: Source, other: Source): void {
    for (const [key, record] of one.records) {
      if (!('endpoint' in record) || record.endpoint === null) continue
      if (other.records.get(key) !== record || rests(one, record) !== rests(other, record)) touched.add(record.endpoint)
    }
  }
  compare(now, before)
  compare(before, now)
  return touched
}

/** Of `before` it keeps whatever was not touched. */
function ownRules(
  source: Source,
  before: ReadonlyMap<string, Own> = new Map(),
  touched?: ReadonlySet<string>,
): ReadonlyMap<string, Own> {
  const own = new Map(before)
  for (const id of touched ?? []) own.delete(id)
  function on(endpoint: string): Own {
    const known = own.get(endpoint)
    if (known !== undefined) return known
    const fresh: Own = { weekly: [], once: [], holds: [] }
    own.set(endpoint, fresh)
    return fresh
  }
  for (const record of source.records.values()) {
    if (!('endpoint' in record) || record.endpoint === null || touched?.has(record.endpoint) === false) continue
    if (record.kind === 'hold') on(record.endpoint).holds.push(record)
    else if (record.kind === 'once' && !rests(source, record)) on(record.endpoint).once.push(record)
    else if (record.kind === 'weekly' && !rests(source, record)) on(record.endpoint).weekly.push(record)
  }
  return own
}

/** Endpoints that people have protected, by id. */
function shieldedIn(records: Records): ReadonlySet<string> {
  const shielded = new Set<string>()
  for (const record of records.values()) if (record.kind === 'protection') shielded.add(record.endpoint)
  return shielded
}

function rests({ resting }: Source, record: Rec): boolean {
  return (record.kind === 'weekly' || record.kind === 'once') && resting.has(record.owner.user)
}

/** Of what decides which rules fit. */
function isSame(a: Known, b: Known): boolean {
  return a.name === b.name && a.autoscaled === b.autoscaled && areSame(a.tags ?? [], b.tags ?? [])
}

/** The order in which things are kept says nothing. */
function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}
