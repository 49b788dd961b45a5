import type { Endpoint } from '../../core/model/endpoint.ts'
import { type Evidence, noEvidence, type Use } from '../../core/model/reading.ts'
import { isStale, lookInstant, type WatchedEndpoint } from '../../core/ports/metrics.ts'
import type { Services } from '../../core/ports/services.ts'
import { lasting } from '../../core/time/format.ts'
import { clockOf, type IdleContext, idleCandidateOf, idleContextNow } from './candidate.ts'
import { idleClock, mostUnknown } from './idle-clock.ts'

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

/** "Quiet for 42 min: no counter moved on 2 of 2 replicas, vLLM metrics; stopped after 1 h." */
export function useText(use: Use): string {
  const { last, quietMs, watched } = use
  if (last === null) {
    const rule = ruleOf(use).trim()
    return watched?.spared === null ? `Once it is up, ${rule.charAt(0).toLowerCase()}${rule.slice(1)}` : rule
  }
  const { state, why, evidence } = last
  if (state === 'busy') return `In use: ${why}.${ruleOf(use)}`
  if (state === 'unknown') {
    const end = watched === undefined ? '' : ` While that is so, it is not stopped for idleness.${ruleOf(use)}`
    return `Whether it is used is not known: ${why}.${remedyFor(evidence)}${end}`
  }
  const by = evidence.servers.length > 0 ? `, ${evidence.servers.join(' and ')} metrics` : ''
  return `Quiet for ${lasting(quietMs)}: ${why}${by}${outlookOf(use)}.`
}

/** " Its idle watch stops it after 1 h of known quiet." */
function ruleOf({ idleMs, watched }: Use): string {
  if (watched === undefined) return ''
  if (watched.spared !== null) return ` Its idle watch rests, as ${watched.spared}.`
  const after = `after ${lasting(idleMs)} of known quiet${longerFor(watched)}`
  return watched.mode === 'try'
    ? ` Its idle watch only tries: it would be stopped ${after}.`
    : ` Its idle watch stops it ${after}.`
}

/** A hint if servers were met but not every replica; begins with a blank. */
export function remedyFor({ servers, seen, replicas }: Evidence): string {
  return servers.length > 0 && seen < replicas
    ? ' Metrics that hold process_start_time_seconds tell replicas apart; with one replica there is nothing to tell apart.'
    : ''
}

function outlookOf({ quietMs, clock, idleMs, watched }: Use): string {
  if (watched === undefined) return ''
  if (watched.spared !== null) return `; not stopped for that, as ${watched.spared}`
  const will = watched.mode === 'try' ? 'would be stopped' : 'stopped'
  return `; ${will} after ${lasting(idleMs)}${passedOf(quietMs, clock)}${longerFor(watched)}`
}

/** The part of the quiet that counts, if not all of it does. */
function passedOf(quietMs: number, { forMs }: Use['clock']): string {
  if (quietMs - forMs < 60_000) return ''
  return forMs < 60_000 ? ', of which none has passed yet' : `, of which ${lasting(forMs)} have passed`
}

function longerFor({ earlyRestarts }: NonNullable<Use['watched']>): string {
  return earlyRestarts > 0 ? ', longer than set since it was needed again too soon' : ''
}

/** "idle for 1 h 5 min", if it has been quiet for long enough; else null. */
export function idleText(use: Use | null): string | null {
  if (use === null) return null
  const { last, quietMs, clock, idleMs } = use
  const isIdle = last?.state === 'quiet' && clock.forMs >= idleMs && clock.unknown <= mostUnknown
  return isIdle ? `idle for ${lasting(quietMs)}` : null
}
