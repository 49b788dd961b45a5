import { type Bounds, type Evidence, type Idle, isMark, type Reading, type Segment } from '../../core/model/reading.ts'

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

/** How long segments are kept, ms. */
export const keptMs = 30 * 86_400_000
/** The shortest idle time there may be, in ms. What is shorter decides nothing by itself, and is not kept apart. */
const shortestIdleMs = 15 * 60_000

/**
 * Adds what was read between two looks to the segments kept so far, oldest first. A reading that says the same as the
 * last segment makes that one longer, and what is too short to decide anything is merged: whatever a server does, a
 * day comes to two hundred segments at most. `from` and `to`: ms since 1970 of the look before and of this one; what
 * lies between the last segment and `from` was not looked at, and stays open.
 */
export function extended(
  segments: readonly Segment[],
  reading: Reading,
  { from, to }: Pick<Segment, 'from' | 'to'>,
): readonly Segment[] {
  const kept = segments.filter((segment) => segment.to > to - keptMs)
  const next = { ...reading, from, to }
  const mark = isMark(reading) ? kept.findLastIndex(isMark) : -1
  const before = kept[mark]
  if (before !== undefined && from - before.to < shortestIdleMs)
    return [...kept.slice(0, mark), { ...merged(before, next), state: strongest(before, next) }]
  const last = kept.at(-1)
  if (last === undefined || from > last.to || isMark(last) || isMark(next)) return [...kept, next]
  if (last.state === next.state && (last.state === 'quiet' || last.why === next.why || isShort(last)))
    return [...kept.slice(0, -1), merged(last, next)]
  const quiet = kept.at(-2)
  const isGap = quiet?.state === 'quiet' && quiet.to === last.from && last.state === 'unknown' && isShort(last)
  if (!isGap || next.state !== 'quiet') return [...kept, next]
  const unknownMs = unknownIn(quiet) + last.to - last.from
  return [...kept.slice(0, -2), { ...merged(quiet, next), unknownMs }]
}

function isShort({ from, to }: Segment): boolean {
  return to - from < shortestIdleMs
}

function strongest(a: Segment, b: Segment): Segment['state'] {
  return a.state === 'busy' ? 'busy' : b.state
}

function unknownIn(segment: Segment): number {
  return segment.state === 'quiet' ? (1 - knownPart(segment)) * (segment.to - segment.from) : 0
}

/** What the later one says, over the time of both. */
function merged(a: Segment, b: Segment): Segment {
  const unknownMs = unknownIn(a) + unknownIn(b)
  const { from } = a
  return { ...b, evidence: joined(a.evidence, b.evidence), from, ...(unknownMs > 0 && { unknownMs }) }
}

/** Requests of both, and of the rest what the weaker one can say. */
function joined(a: Evidence, b: Evidence): Evidence {
  return {
    servers: [...new Set([...a.servers, ...b.servers])],
    requests: a.requests + b.requests,
    open: b.open,
    replicas: b.replicas,
    seen: Math.min(a.seen, b.seen),
    logs: Math.max(a.logs, b.logs),
  }
}
