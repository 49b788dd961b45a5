import { knownPart } from './idle.ts'
import { type Evidence, isMark, type Reading, type Segment } from './reading.ts'

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
