import { type Evidence, type Idle, isMark, type Reading, type Segment } from '../../core/model/reading.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { dayMs } from '../../core/time/calendar.ts'

/** The quiet of a new replica counts only after this time, ms. */
const warmUpMs = 15 * 60_000
/** The largest share of the idle time that may be unknown. */
export const mostUnknown = 0.1
const tellAfterMs = 24 * 3_600_000
const never = Number.NEGATIVE_INFINITY

/** Returns the idle clock at `now`, since the last use, restart, first look, warm-up of a replica, or `floorOf`. */
export function idleClock(
  segments: readonly Segment[],
  { floor = never, newestReplica = never }: { floor?: number | undefined; newestReplica?: number | undefined },
  idleMs: number,
  now: number,
): Idle {
  const last = segments.findLast(isMark)
  const since = Math.max(last?.to ?? segments[0]?.from ?? now, floor, newestReplica + warmUpMs)
  const forMs = Math.max(0, now - since)
  const unknown = 1 - quietMs(segments, now - idleMs, now) / idleMs
  const isDue = forMs >= idleMs && unknown <= mostUnknown && segments.at(-1)?.state === 'quiet'
  return { since, forMs, quietMs: Math.max(forMs, now - quietSince(segments, now)), unknown, isDue }
}

/** Returns the instant (ms) since which all looks were quiet; `now` if the last one was not. */
function quietSince(segments: readonly Segment[], now: number): number {
  let since: number | null = null
  for (const segment of segments.toReversed()) {
    if (segment.state !== 'quiet' || isMark(segment) || segment.to < (since ?? 0)) break
    since = segment.from
  }
  return since ?? now
}

/** Returns the ms of known quiet between two instants. */
export function quietMs(segments: readonly Segment[], from: number, to: number): number {
  return segments
    .filter(({ state }) => state === 'quiet')
    .reduce(
      (sum, segment) =>
        sum + knownShare(segment) * Math.max(0, Math.min(segment.to, to) - Math.max(segment.from, from)),
      0,
    )
}

/** Returns the known share of a quiet segment, 0 to 1. */
function knownShare({ from, to, unknownMs = 0 }: Pick<Segment, 'from' | 'to' | 'unknownMs'>): number {
  return unknownMs === 0 ? 1 : 1 - unknownMs / (to - from)
}

/** Returns the instant (ms) since which nothing is known, and why; null if that is less than a day. */
export function unknownForLong(
  segments: readonly Segment[],
  now: number,
): { readonly since: number; readonly missing: Words } | null {
  const known = segments.findLast(({ state }) => state !== 'unknown')
  const since = known?.to ?? segments[0]?.from ?? now
  const last = segments.at(-1)
  return last?.state === 'unknown' && now - since >= tellAfterMs ? { since, missing: last.why } : null
}

/** Returns the evidence in short: "no requests for 1 h 2 min". */
export function idleFor({ quietMs }: Pick<Idle, 'quietMs'>): Sentence {
  return say('idle.for', timesOf(quietMs))
}

/** Returns the evidence of a warning: "no requests for 1 h 2 min on both replicas (from vLLM metrics)". */
export function idleWords({ quietMs }: Pick<Idle, 'quietMs'>, { servers, seen, replicas, logs }: Evidence): Sentence {
  const metrics = say('idle.metrics', { known: servers.length > 0 ? 'yes' : 'no', servers: { all: servers } })
  const by = { all: [metrics, ...(logs > 0 ? [say('idle.logs')] : [])] }
  const all = seen + logs >= replicas ? 'yes' : 'no'
  return say('idle.evidence', { ...timesOf(quietMs), all, seen: seen + logs, replicas, by })
}

function timesOf(ms: number): { readonly hours: number; readonly minutes: number } {
  const whole = Math.floor(ms / 60_000)
  return { hours: Math.floor(whole / 60), minutes: whole % 60 }
}

/** How long segments are kept, ms. */
export const keptMs = 30 * dayMs
/** The shortest idle time that a policy may set, ms. Shorter segments are merged. */
const shortestIdleMs = 15 * 60_000

/** Adds the reading between two looks (ms) to the segments. Merges equal readings and short segments; gaps stay. */
export function withReading(
  segments: readonly Segment[],
  reading: Reading,
  { from, to }: Pick<Segment, 'from' | 'to'>,
) {
  const kept = segments.filter((segment) => segment.to > to - keptMs)
  const next = { ...reading, from, to }
  const mark = isMark(reading) ? kept.findLastIndex(isMark) : -1
  const before = kept[mark]
  if (before !== undefined && from - before.to < shortestIdleMs)
    return [...kept.slice(0, mark), { ...merged(before, next), state: before.state === 'busy' ? 'busy' : next.state }]
  const last = kept.at(-1)
  if (last === undefined || from > last.to || isMark(last) || isMark(next)) return [...kept, next]
  const isAlike = () => isShort(last) || JSON.stringify(last.why) === JSON.stringify(next.why)
  if (last.state === next.state && (last.state === 'quiet' || isAlike()))
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

function unknownIn(segment: Segment): number {
  return segment.state === 'quiet' ? (1 - knownShare(segment)) * (segment.to - segment.from) : 0
}

/** Returns the later segment, over the time of both. */
function merged(a: Segment, b: Segment): Segment {
  const unknownMs = unknownIn(a) + unknownIn(b)
  const { from } = a
  return { ...b, evidence: joined(a.evidence, b.evidence), from, ...(unknownMs > 0 && { unknownMs }) }
}

/** Adds up the requests, and takes the weaker of the other evidence. */
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
