import type { Policy } from '../../core/model/policy.ts'
import { type Freeze, freezeAt, type Records } from '../../core/model/records.ts'
import type { Rules } from '../../core/model/rules.ts'
import type { House } from '../../core/ports/services.ts'
import { type Decided, decide } from './rules/reconcile-decision.ts'
import { type Rulebook, rulebookOf } from './rules/rulebook.ts'

/* What was found out at one look and still holds at the next: with very many rules little else would be done. */

interface Read {
  readonly records: Records
  readonly policy: Policy
  readonly freeze: Freeze | null
  readonly resting: string
  readonly book: Rulebook
}

const books = new WeakMap<House, readonly Read[]>()

/** The rulebook as it now stands, read anew only where something about it has changed. */
export function bookFor(house: House, records: Records, gone: ReadonlySet<string> = new Set()): Rulebook {
  const [policy, now] = [house.policy(), house.clock.now()]
  const [freeze, resting] = [freezeAt(records, now), [...gone].sort().join(' ')]
  const read = books.get(house) ?? []
  const found = read.find(
    (one) => one.records === records && one.policy === policy && one.freeze === freeze && one.resting === resting,
  )
  if (found !== undefined) return found.book
  const book = rulebookOf(records, policy, now, gone, (read.find((one) => one.resting === resting) ?? read[0])?.book)
  // The newest two: with everybody's rules, and without those that rest.
  books.set(house, [{ records, policy, freeze, resting, book }, ...read].slice(0, 2))
  return book
}

interface Kept extends Decided {
  readonly from: number
}

/** Nothing is foreseen for longer: that no change is known of does not say that none will be. ms. */
const farthest = 86_400_000
const seen = new WeakMap<Rules, Kept>()

/** What is decided about an endpoint at `now` (ms), as of an instant not long before it with the same decision. */
export function decidedFor(id: string, rules: Rules, now: number): Decided {
  const known = seen.get(rules)
  if (known !== undefined && known.from <= now && now < endOf(known)) return known
  const fresh = { ...decide(id, rules, now), from: now }
  seen.set(rules, fresh)
  return fresh
}

function endOf({ decision, from }: Kept): number {
  return Math.min(decision.until ?? Number.POSITIVE_INFINITY, from + farthest)
}
