import type { Policy } from '../../core/model/policy.ts'
import { type Freeze, freezeAt, type Records } from '../../core/model/records.ts'
import type { Rules } from '../../core/model/rules.ts'
import type { Services } from '../../core/ports/services.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { type CurrentDecision, currentDecisionOf } from './rules/reconcile-decision.ts'
import { type Rulebook, rulebookOf } from './rules/rulebook.ts'

/* Caches from look to look: with very many rules a look would do little else than compute them. */

interface CachedBook {
  readonly records: Records
  readonly policy: Policy
  readonly freeze: Freeze | null
  readonly resting: string
  readonly book: Rulebook
}

const books = new WeakMap<Services, readonly CachedBook[]>()

/** The rulebook of these records. `absent`: owners, by user id, whose rules rest. */
export function bookFor(services: Services, records: Records, absent: ReadonlySet<string> = new Set()): Rulebook {
  const [policy, now] = [services.policy(), services.clock.now()]
  const [freeze, resting] = [freezeAt(records, now), [...absent].sort().join(' ')]
  const cached = books.get(services) ?? []
  const found = cached.find(
    (one) => one.records === records && one.policy === policy && one.freeze === freeze && one.resting === resting,
  )
  if (found !== undefined) return found.book
  const before = cached.find((one) => one.resting === resting) ?? cached[0]
  const book = rulebookOf(records, policy, now, absent, before?.book)
  // Two: with all rules, and without those that rest.
  books.set(services, [{ records, policy, freeze, resting, book }, ...cached].slice(0, 2))
  return book
}

interface CachedDecision extends CurrentDecision {
  readonly from: number
}

/** A decision is not cached for longer, ms: that no change is known does not say that there will be none. */
const longest = dayMs
const decisions = new WeakMap<Rules, CachedDecision>()

/** The decision about an endpoint at `now` (ms), perhaps made a while before and still the same. */
export function decidedFor(id: string, rules: Rules, now: number): CurrentDecision {
  const known = decisions.get(rules)
  const end = known === undefined ? 0 : Math.min(known.decision.until ?? Number.POSITIVE_INFINITY, known.from + longest)
  if (known !== undefined && known.from <= now && now < end) return known
  const fresh = { ...currentDecisionOf(id, rules, now), from: now }
  decisions.set(rules, fresh)
  return fresh
}
