import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import type { Idle } from '../../core/model/reading.ts'
import type { IdleRule, Pursuit, Records } from '../../core/model/records.ts'
import { instantOf, type Watched } from '../../core/ports/metrics.ts'
import type { House } from '../../core/ports/services.ts'
import { bookFor } from '../schedules/rulebook-cache.ts'
import type { Rulebook } from '../schedules/rules/rulebook.ts'
import { idleClock } from './idle-clock.ts'
import { floorOf, idleRuleOf, idleTimeOf, regretsOf, sparedBy } from './idle-rules.ts'

/** An endpoint that is watched for idleness, and how far its clock has come. */
export interface Idler {
  readonly endpoint: Endpoint
  readonly rule: IdleRule
  readonly watched: Watched
  /** ms of quiet it takes, and how many regrets have made them more. */
  readonly idleMs: number
  readonly sorry: number
  readonly clock: Idle
  /** Names this stretch of quiet: it leads to one stop at most. */
  readonly occurrence: string
  /** Why it is not stopped, whatever the clock says; or null. */
  readonly spared: string | null
  readonly pursuit: Pursuit | undefined
  /** ms since 1970. */
  readonly now: number
}

/** What has to be known of the project to read idle clocks. */
export interface Known {
  readonly records: Records
  readonly policy: Policy
  readonly book: Rulebook
  readonly pursuits: ReadonlyMap<string, Pursuit>
  readonly now: number
}

export async function knownNow(house: House): Promise<Known> {
  const [records, pursuits] = await Promise.all([house.store.records(), house.store.pursuits()])
  return { records, policy: house.policy(), book: bookFor(house, records), pursuits, now: house.clock.now() }
}

/** Under what the pursuit of an endpoint's idleness is noted. */
export function idlingKey(endpoint: string): string {
  return `idle ${endpoint}`
}

/**
 * How far the idle clock of an endpoint had come at the last look, for an idle time in ms; without a rule, as it would
 * have. Rounds and workers take their time after a look, which is not time that nobody looked.
 */
export function clockOf(
  { book, pursuits, now }: Known,
  endpoint: Endpoint,
  watched: Watched,
  rule: IdleRule | null,
  idleMs: number,
): Idle {
  const { segments, newest } = watched
  const floor = floorOf(pursuits.get(idlingKey(endpoint.id)), rule, book.of(endpoint).holds, now).since
  return idleClock(segments, { floor, newestReplica: newest }, idleMs, instantOf(watched, now))
}

/** Reads the idle clock of an endpoint; null where nobody has it watched. */
export function idlerOf(known: Known, endpoint: Endpoint, watched: Watched): Idler | null {
  const { records, policy, book, pursuits, now } = known
  const rule = idleRuleOf(records, policy, endpoint)
  if (rule === null) return null
  const sorry = regretsOf(records, endpoint.id, now).length
  const idleMs = idleTimeOf(rule, sorry, policy.automation.idle.most)
  const clock = clockOf(known, endpoint, watched, rule, idleMs)
  const occurrence = `${endpoint.id}.idle.${clock.since}`
  const spared = sparedBy(book.of(endpoint), endpoint, rule, now)
  const pursuit = pursuits.get(idlingKey(endpoint.id))
  return { endpoint, rule, watched, idleMs, sorry, clock, occurrence, spared, pursuit, now }
}

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
