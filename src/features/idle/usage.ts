import type { Endpoint } from '../../core/model/endpoint.ts'
import type { RunningNow } from '../../core/model/query-answer.ts'
import { type Evidence, noEvidence, type Use } from '../../core/model/reading.ts'
import type { Rules } from '../../core/model/rules.ts'
import { idOf, say, type Words } from '../../core/model/words.ts'
import { isStale, type WatchedEndpoint } from '../../core/ports/endpoint-use.ts'
import type { BotServices } from '../../core/ports/services.ts'
import { spanText } from '../../core/time/format.ts'
import { pricesNow } from '../savings/prices.ts'
import { rulesNow } from '../schedules/preview.ts'
import { clockOf, type IdleContext, idleCandidateOf, idleContextNow } from './candidate.ts'
import { mostUnknown } from './idle-clock.ts'

/** Returns each endpoint's use as of its last look; null if it is neither watched for idleness nor looked at lately. */
export async function usesOf(
  services: BotServices,
  endpoints: readonly Endpoint[],
): Promise<(endpoint: Endpoint) => Use | null> {
  const [context, ...watched] = await Promise.all([
    idleContextNow(services),
    ...endpoints.map((endpoint) => lookedAt(services, endpoint)),
  ])
  const uses = new Map(endpoints.map((endpoint, at) => [endpoint.id, useOf(context, endpoint, watched[at] ?? null)]))
  return ({ id }) => uses.get(id) ?? null
}

/** Omits the segments if the endpoint was changed since the last look, by us or, by its `updatedAt`, by anyone. */
async function lookedAt(services: BotServices, { id, updatedAt }: Endpoint): Promise<WatchedEndpoint | null> {
  const watched = await services.store.watchedOf(id)
  if (watched === null) return null
  const done = await services.store.lastDone(id)
  const changed = updatedAt !== undefined && watched.updatedAt !== undefined && updatedAt !== watched.updatedAt
  return changed || (done?.ending?.at ?? 0) > watched.at ? { ...watched, segments: [] } : watched
}

function useOf(context: IdleContext, endpoint: Endpoint, looked: WatchedEndpoint | null): Use | null {
  const { now, policy } = context
  const isStopped = endpoint.active === false
  const isKnown = !isStopped && looked !== null && looked.segments.length > 0 && !isStale(looked, now)
  const watched = isKnown ? looked : unseen(looked, now)
  const candidate = idleCandidateOf(context, endpoint, watched)
  if (candidate === null && !isKnown) return null
  const { usual } = policy.automation.idle
  const idleMs = candidate?.idleMs ?? usual
  const rule = candidate && {
    watched: { mode: candidate.rule.mode, spared: candidate.spared, earlyRestarts: candidate.earlyRestarts },
  }
  if (isStopped) return { last: null, quietMs: 0, clock: { since: now, forMs: 0, unknown: 1 }, idleMs, ...rule }
  const clock = candidate?.clock ?? clockOf(context, endpoint, watched, null, usual)
  return { last: watched.segments.at(-1) ?? null, quietMs: clock.quietMs, clock, idleMs, ...rule }
}

/** Stands in for a missing look. `now` in ms. */
function unseen(looked: WatchedEndpoint | null, now: number): WatchedEndpoint {
  const why =
    looked === null
      ? say('reading.unlooked')
      : looked.segments.length === 0
        ? say('reading.lookedBeforeChange')
        : say('reading.old', { length: { lasting: now - looked.at } })
  return { at: now, kept: null, segments: [{ state: 'unknown', why, evidence: noEvidence, from: now, to: now }] }
}

/** "Idle for 42 min (no requests on 2 of 2 replicas; vLLM metrics). A warning is posted after 1 h without requests." */
export function useText(use: Use): Words {
  const { last, quietMs, watched, clock } = use
  if (last === null) return ruleOf(use, 'stopped')
  const { state, why, evidence } = last
  // A change or a starting replica is not use, but starts the clock like use.
  const busy = ['reading.changed', 'reading.starting'].includes(idOf(why) ?? '') ? 'usage.changed' : 'usage.busy'
  if (state === 'busy') return [say(busy, { why }), ruleOf(use)]
  if (state === 'unknown') {
    // `ruleOf` says why an idle stop is paused.
    const isWatched = watched !== undefined && watched.spared === null
    const rule = isWatched ? [say('usage.notWhileUnknown'), ruleOf(use)] : ruleOf(use)
    return [say('usage.unknown', { why }), remedyFor(evidence), rule]
  }
  const metrics = evidence.servers.length > 0 ? 'yes' : 'no'
  const length = { lasting: quietMs }
  return [
    say('usage.quiet', { length, why, metrics, servers: { all: evidence.servers } }),
    ruleOf(use, 'running', quietMs - clock.forMs < 60_000 ? undefined : clock.since),
  ]
}

/** "A warning is posted after 1 h without requests." `countedFrom`: from when, if not all of the quiet counts (ms). */
function ruleOf({ idleMs, watched }: Use, state = 'running', countedFrom?: number): Words {
  if (watched === undefined) return ''
  if (watched.spared !== null) return say('usage.spared', { why: watched.spared })
  const after = { lasting: idleMs }
  const counted =
    countedFrom === undefined ? { counted: 'all', from: '' } : { counted: 'some', from: { at: countedFrom } }
  const longer = watched.earlyRestarts > 0 ? 'yes' : 'no'
  return say(watched.mode === 'try' ? 'usage.tries' : 'usage.stops', { state, after, longer, ...counted })
}

/** Returns a hint if a model server was recognized, but not on every replica. */
export function remedyFor({ servers, seen, replicas }: Evidence): Words {
  return servers.length > 0 && seen < replicas ? say('usage.remedy') : ''
}

/** "idle for 1 h 5 min" if it was quiet for long enough, even if not all of that counts for a stop; otherwise null. */
export function idleText(use: Use | null): Words | null {
  const isIdle = use?.last?.state === 'quiet' && use.quietMs >= use.idleMs
  return isIdle ? say('usage.idle', { length: { lasting: use.quietMs } }) : null
}

/** Each endpoint takes two reads of the storage. */
const mostLooked = 200

/** Returns the prices, the rules, and the endpoints that are idle and have no rule, the longest idle first. */
export async function runningNow(services: BotServices, endpoints: readonly Endpoint[]): Promise<RunningNow> {
  const [prices, rulesOf] = await Promise.all([pricesNow(services), rulesNow(services)])
  const up = endpoints.filter((one) => one.active === true && one.autoscaled !== true && isFree(rulesOf(one)))
  const looked = up.slice(0, mostLooked)
  const useOf = await usesOf(services, looked)
  const after = spanText(services.policy().automation.idle.usual)
  const idling = looked
    .flatMap((endpoint) => {
      const use = useOf(endpoint)
      if (use === null || use.watched !== undefined || use.last?.state !== 'quiet') return []
      const { clock, idleMs } = use
      return clock.forMs >= idleMs && clock.unknown <= mostUnknown ? [{ endpoint, quietMs: use.quietMs, after }] : []
    })
    .sort((a, b) => b.quietMs - a.quietMs)
  return { prices, idling, rulesOf }
}

/** Whether no rule decides about the endpoint, and nothing keeps it from being stopped. */
function isFree({ weekly, once, holds, protected: isProtected }: Rules): boolean {
  return weekly.length + once.length + holds.length === 0 && !isProtected
}
