import type { Endpoint } from '../../../core/model/endpoint.ts'
import type { Policy } from '../../../core/model/policy.ts'
import { type Freeze, freezeAt, isRule, type Records, type StoredRecord } from '../../../core/model/records.ts'
import type { Hold, OneOff, Rules, WeeklyRule } from '../../../core/model/rules.ts'
import { fits, protectedBy } from '../../../core/policy/requirement.ts'
import type { Services } from '../../../core/ports/services.ts'

interface Own {
  readonly weekly: WeeklyRule[]
  readonly once: OneOff[]
  readonly holds: Hold[]
}

type Matched = Pick<Endpoint, 'id' | 'name' | 'tags' | 'autoscaled'>

export interface Rulebook {
  /** The rules of one endpoint: the same object until something changes, so that it can be a cache key. */
  of(endpoint: Matched): Rules
  /** Endpoints with rules of their own, by id. */
  readonly own: ReadonlyMap<string, Own>
  /** Reused by the next rulebook. */
  readonly from: Source
  readonly found: ReadonlyMap<string, { readonly endpoint: Matched; readonly rules: Rules }>
}

interface Source {
  readonly records: Records
  readonly policy: Policy
  readonly frozen: Freeze | null
  readonly resting: ReadonlySet<string>
}

const nobody: ReadonlySet<string> = new Set()
const none: Own = { weekly: [], once: [], holds: [] }

/** Builds the rulebook of these records, without the rules of `resting` (user ids). Reuses what it can of `before`. */
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
  const own = ownRules()
  const isAlike = before?.from.policy === policy && before.from.frozen === frozen
  const found = new Map(isAlike ? before.found : [])
  for (const id of touched ?? []) found.delete(id)
  const kept = [...records.values()].filter((record) => record.kind === 'protection')
  const shielded = new Set(kept.map(({ endpoint }) => endpoint))

  /** Keeps what is in `before`, except for touched endpoints. */
  function ownRules(): ReadonlyMap<string, Own> {
    const all = new Map(before?.own)
    for (const id of touched ?? []) all.delete(id)
    function on(endpoint: string): Own {
      const known = all.get(endpoint)
      if (known !== undefined) return known
      const fresh: Own = { weekly: [], once: [], holds: [] }
      all.set(endpoint, fresh)
      return fresh
    }
    for (const record of records.values()) {
      if (!('endpoint' in record) || record.endpoint === null || touched?.has(record.endpoint) === false) continue
      if (record.kind === 'hold') on(record.endpoint).holds.push(record)
      else if (record.kind === 'once' && !rests(from, record)) on(record.endpoint).once.push(record)
      else if (record.kind === 'weekly' && !rests(from, record)) on(record.endpoint).weekly.push(record)
    }
    return all
  }

  function read(endpoint: Matched, { weekly, once, holds }: Own): Rules {
    const teams = team.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))?.rules ?? []
    const all = teams.length === 0 ? weekly : [...weekly, ...teams]
    return {
      // An autoscaled endpoint is left to the platform, unless a rule says otherwise.
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
      if (known !== undefined && matchesSame(known.endpoint, endpoint)) return known.rules
      const rules = read(endpoint, own.get(endpoint.id) ?? none)
      found.set(endpoint.id, { endpoint, rules })
      return rules
    },
  }
}

/** Returns the ids of endpoints whose records differ between two sources. */
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

function rests({ resting }: Source, record: StoredRecord): boolean {
  return isRule(record) && resting.has(record.owner.user)
}

function matchesSame(a: Matched, b: Matched): boolean {
  const [some, others] = [a.tags ?? [], b.tags ?? []]
  const hasSameTags = some.length === others.length && some.every((tag) => others.includes(tag))
  return a.name === b.name && a.autoscaled === b.autoscaled && hasSameTags
}

/* Cached between looks, because with very many rules a look would do little else than compute them. */

const books = new WeakMap<object, readonly Rulebook[]>()

/** Returns the rulebook of these records, cached. `absent`: owners, by user id, whose rules rest. */
export function bookFor(
  services: Pick<Services, 'policy' | 'clock'>,
  records: Records,
  absent: ReadonlySet<string> = new Set(),
): Rulebook {
  const [policy, now] = [services.policy(), services.clock.now()]
  const freeze = freezeAt(records, now)
  const cached = books.get(services) ?? []
  const alike = cached.find(({ from }) => sortedText(from.resting) === sortedText(absent))
  const { from } = alike ?? {}
  if (alike && from?.records === records && from.policy === policy && from.frozen === freeze) return alike
  const book = rulebookOf(records, policy, now, absent, alike ?? cached[0])
  // Two: one with all rules, and one without those that rest.
  books.set(services, [book, ...cached.filter((one) => one !== alike)].slice(0, 2))
  return book
}

function sortedText(users: ReadonlySet<string>): string {
  return [...users].sort().join(' ')
}
