import type { Evidence, Reading, Segment } from './reading.ts'

const keptMs = 30 * 86_400_000
/** The shortest idle time there may be, in ms. A pause between two uses that is shorter decides nothing. */
const shortestIdleMs = 15 * 60_000

/**
 * Adds what was read between two looks to the segments kept so far, oldest first. A reading that says the same as the
 * last segment makes that one longer; short pauses of a busy endpoint are not kept, which keeps its segments few. `from` and `to`: ms since 1970 of the look before and of this one; what lies
 * between the last segment and `from` was not looked at, and stays open.
 */
export function extended(
  segments: readonly Segment[],
  reading: Reading,
  { from, to }: Pick<Segment, 'from' | 'to'>,
): readonly Segment[] {
  const recent = segments.filter((segment) => segment.to > to - keptMs)
  const kept = reading.state === 'busy' ? withoutPause(recent, from) : recent
  const last = kept.at(-1)
  if (last === undefined || !isSame(last, reading) || from > last.to) return [...kept, { ...reading, from, to }]
  return [...kept.slice(0, -1), { ...last, why: reading.why, evidence: joined(last.evidence, reading.evidence), to }]
}

function withoutPause(segments: readonly Segment[], until: number): readonly Segment[] {
  const index = segments.findLastIndex(({ state }) => state === 'busy')
  const busy = segments[index]
  if (busy === undefined || until - busy.to >= shortestIdleMs) return segments
  return [...segments.slice(0, index), { ...busy, to: until }]
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
