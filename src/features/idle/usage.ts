import type { Endpoint } from '../../core/model/endpoint.ts'
import { noEvidence, type Use } from '../../core/model/reading.ts'
import { isStale, lookInstant, type WatchedEndpoint } from '../../core/ports/metrics.ts'
import type { Services } from '../../core/ports/services.ts'
import { lasting } from '../../core/time/format.ts'
import { clockOf, type IdleContext, idleCandidateOf, idleContextNow } from './candidate.ts'
import { idleClock } from './idle-clock.ts'

/** How endpoints are used, as of the last look. Null for one that is neither watched for idleness nor lately looked at. */
export async function usesOf(
  services: Services,
  endpoints: readonly Endpoint[],
): Promise<(endpoint: Endpoint) => Use | null> {
  const [context, ...watched] = await Promise.all([
    idleContextNow(services),
    ...endpoints.map((endpoint) => lookedAt(services, endpoint)),
  ])
  const uses = new Map(endpoints.map((endpoint, at) => [endpoint.id, useOf(context, endpoint, watched[at] ?? null)]))
  return ({ id }) => uses.get(id) ?? null
}

/** Without segments if the endpoint was changed since the last look, by us or, by its `updatedAt`, by anyone. */
async function lookedAt(services: Services, { id, updatedAt }: Endpoint): Promise<WatchedEndpoint | null> {
  const [watched, done] = await Promise.all([services.store.watchedOf(id), services.store.lastDone(id)])
  if (watched === null) return null
  const changed = updatedAt !== undefined && watched.updatedAt !== undefined && updatedAt !== watched.updatedAt
  return changed || (done?.ending?.at ?? 0) > watched.at ? { ...watched, segments: [] } : watched
}

function useOf(context: IdleContext, endpoint: Endpoint, looked: WatchedEndpoint | null): Use | null {
  const { now, policy } = context
  const isStopped = endpoint.active === false
  const isKnown = !isStopped && looked !== null && looked.segments.length > 0 && !isStale(looked, now)
  const watched = isKnown ? looked : unseen(looked, now)
  const idler = idleCandidateOf(context, endpoint, watched)
  if (idler === null && !isKnown) return null
  const { usual } = policy.automation.idle
  const idleMs = idler?.idleMs ?? usual
  const rule = idler && { watched: { mode: idler.rule.mode, spared: idler.spared, earlyRestarts: idler.earlyRestarts } }
  if (isStopped) return { last: null, quietMs: 0, clock: { forMs: 0, unknown: 1 }, idleMs, ...rule }
  const { forMs: quietMs } = idleClock(watched.segments, {}, usual, lookInstant(watched, now))
  const clock = idler?.clock ?? clockOf(context, endpoint, watched, null, usual)
  return { last: watched.segments.at(-1) ?? null, quietMs, clock, idleMs, ...rule }
}

/** Stands in for a look that was not taken. `now` in ms. */
function unseen(looked: WatchedEndpoint | null, now: number): WatchedEndpoint {
  const since =
    looked?.segments.length === 0 ? 'since it was last changed' : `for ${lasting(now - (looked?.at ?? now))}`
  const why = looked === null ? 'nobody has looked yet' : `nobody has looked ${since}`
  return { at: now, kept: null, segments: [{ state: 'unknown', why, evidence: noEvidence, from: now, to: now }] }
}
