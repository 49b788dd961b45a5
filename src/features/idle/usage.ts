import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Use } from '../../core/model/reading.ts'
import { instantOf, isStale, type Watched } from '../../core/ports/metrics.ts'
import type { House } from '../../core/ports/services.ts'
import { lasting } from '../../core/time/format.ts'
import { clockOf, idlerOf, type Known, knownNow } from './candidate.ts'
import { idleClock } from './idle-clock.ts'
import { idleRuleOf } from './idle-rules.ts'

/**
 * How endpoints are used, as last looked. Of what is stopped only how it is watched is said, and of what was not looked
 * at lately only that, where it is watched.
 */
export async function usesOf(
  house: House,
  endpoints: readonly Endpoint[],
): Promise<(endpoint: Endpoint) => Use | null> {
  const [known, ...watched] = await Promise.all([
    knownNow(house),
    ...endpoints.map((endpoint) => lookedAt(house, endpoint)),
  ])
  const uses = new Map(endpoints.map((endpoint, at) => [endpoint.id, useOf(known, endpoint, watched[at] ?? null)]))
  return ({ id }) => uses.get(id) ?? null
}

/** With no segments where all of them are of before the last change, by us or, as far as the platform shows it, by anyone. */
async function lookedAt(house: House, { id, updatedAt }: Endpoint): Promise<Watched | null> {
  const [watched, done] = await Promise.all([house.store.watchedOf(id), house.store.lastDone(id)])
  if (watched === null) return null
  const changed = updatedAt !== undefined && watched.updatedAt !== undefined && updatedAt !== watched.updatedAt
  return changed || (done?.ending?.at ?? 0) > watched.at ? { ...watched, segments: [] } : watched
}

function useOf(known: Known, endpoint: Endpoint, looked: Watched | null): Use | null {
  if (endpoint.active === false) return dormant(known, endpoint)
  const isKnown = looked !== null && looked.segments.length > 0 && !isStale(looked, known.now)
  if (!isKnown && idleRuleOf(known.records, known.policy, endpoint) === null) return null
  const watched = isKnown ? looked : unseen(looked, known.now)
  const last = watched.segments.at(-1)
  if (last === undefined) return null
  const { idle } = known.policy.automation
  const { forMs: quietMs } = idleClock(watched.segments, {}, idle.usual, instantOf(watched, known.now))
  const idler = idlerOf(known, endpoint, watched)
  if (idler !== null) {
    const { clock, idleMs, spared, sorry, rule } = idler
    return { last, quietMs, clock, idleMs, watched: { mode: rule.mode, spared, sorry } }
  }
  const clock = clockOf(known, endpoint, watched, null, idle.usual)
  return { last, quietMs, clock, idleMs: idle.usual }
}

/** Of what is stopped only how it will be watched. */
function dormant(known: Known, endpoint: Endpoint): Use | null {
  const idler = idlerOf(known, endpoint, unseen(null, known.now))
  if (idler === null) return null
  const { idleMs, spared, sorry, rule } = idler
  return {
    last: null,
    quietMs: 0,
    clock: { forMs: 0, unknown: 1 },
    idleMs,
    watched: { mode: rule.mode, spared, sorry },
  }
}

/** What stands in for a look that nobody has taken, at `now` (ms). */
function unseen(looked: Watched | null, now: number): Watched {
  const why =
    looked === null
      ? 'nobody has looked yet'
      : `nobody has looked ${looked.segments.length === 0 ? 'since it was last changed' : `for ${lasting(now - looked.at)}`}`
  const evidence = { servers: [], requests: 0, open: 0, replicas: 0, seen: 0, logs: 0 }
  return { at: now, kept: null, segments: [{ state: 'unknown', why, evidence, from: now, to: now }] }
}
