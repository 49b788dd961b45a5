import { type Evidence, isMark, type Segment } from './reading.ts'

/** What the idle clock of an endpoint must not reach behind. In ms since 1970 (UTC), where there is such a thing. */
export interface Bounds {
  /** From when on quiet counts, for all that people have laid down. */
  readonly floor?: number | undefined
  /** When the newest replica started. */
  readonly newestReplica?: number | undefined
}

export interface Idle {
  /** Since when the clock runs, ms since 1970. */
  readonly since: number
  /** ms on the clock. */
  readonly forMs: number
  /** Of the last idle time, how much nothing is known about: 0 to 1. */
  readonly unknown: number
  /** It may be stopped, once one more look says so too. */
  readonly candidate: boolean
}

/** ms a replica is given to become ready before its quiet counts. */
const warmUpMs = 15 * 60_000
/** More than this share of the idle time must not be unknown. */
export const mostUnknown = 0.1
const tellAfterMs = 24 * 3_600_000

/**
 * Reads the idle clock at `now`. It starts at the latest of: the last busy time, a restart, the newest replica and its
 * warm-up, the policy, the end of a hold, a stop that came to nothing, the first look. Times nobody looked at are unknown.
 */
export function idleClock(segments: readonly Segment[], bounds: Bounds, idleMs: number, now: number): Idle {
  const last = segments.findLast(isMark)
  const since = Math.max(
    last?.to ?? segments[0]?.from ?? now,
    bounds.floor ?? Number.NEGATIVE_INFINITY,
    (bounds.newestReplica ?? Number.NEGATIVE_INFINITY) + warmUpMs,
  )
  const forMs = Math.max(0, now - since)
  const unknown = 1 - quietMs(segments, now - idleMs, now) / idleMs
  const candidate = forMs >= idleMs && unknown <= mostUnknown && segments.at(-1)?.state === 'quiet'
  return { since, forMs, unknown, candidate }
}

/** How much of the time between two instants is known to have been quiet, in ms. */
export function quietMs(segments: readonly Segment[], from: number, to: number): number {
  return segments
    .filter(({ state }) => state === 'quiet')
    .reduce(
      (sum, segment) => sum + knownPart(segment) * Math.max(0, Math.min(segment.to, to) - Math.max(segment.from, from)),
      0,
    )
}

/** Of a quiet segment, how much is known: 0 to 1. Where in it the rest lies is not kept. */
export function knownPart({ from, to, unknownMs = 0 }: Pick<Segment, 'from' | 'to' | 'unknownMs'>): number {
  return unknownMs === 0 ? 1 : 1 - unknownMs / (to - from)
}

/**
 * What the owner should hear when nothing was known for a day: since when, and what is missing. `since` names the
 * stretch, so that it is told once.
 */
export function unknownForLong(
  segments: readonly Segment[],
  now: number,
): { readonly since: number; readonly missing: string } | null {
  const known = segments.findLast(({ state }) => state !== 'unknown')
  const since = known?.to ?? segments[0]?.from ?? now
  const last = segments.at(-1)
  return last?.state === 'unknown' && now - since >= tellAfterMs ? { since, missing: last.why } : null
}

/** The evidence of a warning: "0 requests for 62 min on 2 of 2 replicas, vLLM metrics". */
export function idleWords({ forMs }: Pick<Idle, 'forMs'>, { servers, seen, replicas, logs }: Evidence): string {
  const by = [`${servers.join(' and ')} metrics`.trimStart(), ...(logs > 0 ? ['logs'] : [])].join(' and ')
  const which = `${seen + logs} of ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`
  return `0 requests for ${minutesOf(forMs)} on ${which}, ${by}`
}

// Minutes are the measure of an idle time; beyond three hours nobody divides by sixty any more.
function minutesOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  return minutes < 180 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
