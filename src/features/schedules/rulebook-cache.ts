import { freezeAt, type Records } from '../../core/model/records.ts'
import type { Rules } from '../../core/model/rules.ts'
import type { Services } from '../../core/ports/services.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { type CurrentDecision, currentDecisionOf } from './rules/reconcile-decision.ts'
import { type Rulebook, rulebookOf } from './rules/rulebook.ts'

/* Caches from look to look: with very many rules a look would do little else than compute them. */

const books = new WeakMap<object, readonly Rulebook[]>()

/** The rulebook of these records. `absent`: owners, by user id, whose rules rest. */
export function bookFor(
  services: Pick<Services, 'policy' | 'clock'>,
  records: Records,
  absent: ReadonlySet<string> = new Set(),
): Rulebook {
  const [policy, now] = [services.policy(), services.clock.now()]
  const freeze = freezeAt(records, now)
  const cached = books.get(services) ?? []
  const alike = cached.find(({ from }) => listed(from.resting) === listed(absent))
  const { from } = alike ?? {}
  if (alike && from?.records === records && from.policy === policy && from.frozen === freeze) return alike
  const book = rulebookOf(records, policy, now, absent, alike ?? cached[0])
  // Two: with all rules, and without those that rest.
  books.set(services, [book, ...cached.filter((one) => one !== alike)].slice(0, 2))
  return book
}

function listed(users: ReadonlySet<string>): string {
  return [...users].sort().join(' ')
}

/** A decision is not cached for longer, ms: that no change is known does not say that there will be none. */
const longest = dayMs
const decisions = new WeakMap<Rules, CurrentDecision & { readonly from: number }>()

/** The decision about an endpoint at `now` (ms), perhaps made a while before and still the same. */
export function decidedFor(id: string, rules: Rules, now: number): CurrentDecision {
  const known = decisions.get(rules)
  const end = known === undefined ? 0 : Math.min(known.decision.until ?? Number.POSITIVE_INFINITY, known.from + longest)
  if (known !== undefined && known.from <= now && now < end) return known
  const fresh = { ...currentDecisionOf(id, rules, now), from: now }
  decisions.set(rules, fresh)
  return fresh
}
