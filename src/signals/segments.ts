import type { Evidence, Reading, Segment } from '../domain/reading.ts'

const keptMs = 30 * 86_400_000

/**
 * Adds what was read between two looks to the segments kept so far, oldest first. A reading that says the same as the
 * last segment makes that one longer. `from` and `to`: ms since 1970 of the look before and of this one; what lies
 * between the last segment and `from` was not looked at, and stays open.
 */
export function extended(
  segments: readonly Segment[],
  reading: Reading,
  { from, to }: Pick<Segment, 'from' | 'to'>,
): readonly Segment[] {
  const kept = segments.filter((segment) => segment.to > to - keptMs)
  const last = kept.at(-1)
  if (last === undefined || !isSame(last, reading) || from > last.to) return [...kept, { ...reading, from, to }]
  return [...kept.slice(0, -1), { ...last, why: reading.why, evidence: joined(last.evidence, reading.evidence), to }]
}

/** Two restarts are two, and an owner is told each reason for not knowing. */
function isSame(last: Reading, next: Reading): boolean {
  if (last.state !== next.state || next.restarted === true || last.restarted === true) return false
  return next.state !== 'unknown' || last.why === next.why
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
