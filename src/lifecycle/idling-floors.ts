import type { Endpoint } from '../domain/endpoint.ts'
import { floorOf } from '../domain/idle-floor.ts'
import { idleRuleOf } from '../domain/idle-rules.ts'
import type { Pursuit } from '../domain/pursuit.ts'
import { idlingKey, type Known } from './idler.ts'
import type { House } from './ports.ts'

/** Keeps from when on quiet counts, where that has changed since the last look, and gives what is known by then. */
export async function noteFloors(house: House, known: Known, active: readonly Endpoint[]): Promise<Known> {
  const changes = new Map(active.flatMap((endpoint) => floorNow(known, endpoint)))
  if (changes.size === 0) return known
  await house.store.notePursuits(changes)
  return { ...known, pursuits: new Map([...known.pursuits, ...changes]) }
}

function floorNow({ records, policy, book, pursuits, now }: Known, endpoint: Endpoint): readonly [string, Pursuit][] {
  const key = idlingKey(endpoint.id)
  const noted = pursuits.get(key)
  const rule = idleRuleOf(records, policy, endpoint)
  // Of what nobody has watched only this has to be known: a rule of the policy file that comes again is a new one.
  if (rule === null && noted?.after === undefined) return []
  const floor = floorOf(noted, rule, book.of(endpoint).holds, now)
  if (floor.since === noted?.since && floor.after === noted?.after) return []
  const { after: _, ...rest } = noted ?? { occurrence: '', state: 'held', attempts: 0, at: now }
  return [[key, { ...rest, ...floor }]]
}
