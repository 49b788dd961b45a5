import type { Replica } from '../../core/model/endpoint.ts'
import type { Circumstances, LogPlace } from '../../core/ports/endpoint-use.ts'

/** The logs of an endpoint's replicas, as they were last read. Stored as JSON. */
export interface LogReading {
  /** When they were last read, ms since 1970 (UTC). */
  readonly at: number
  /** How far each was read, by the replica's id. */
  readonly places: Readonly<Record<string, LogPlace>>
  /** Replicas that have shown no use since the last read. */
  readonly silent: readonly string[]
  /** A replica that has shown use. */
  readonly spoke?: string
}

/** ms between two reads of one endpoint's logs. */
const every = 5 * 60_000
/** How long a read is valid, ms. */
const validFor = every + 2 * 60_000

export function isDue(before: LogReading | undefined, now: number): boolean {
  return before === undefined || now - before.at >= every
}

/** Whether a valid read shows that each replica has been silent. */
export function areSilent(logs: LogReading | undefined, replicas: readonly Replica[], now: number): boolean {
  if (logs === undefined || now - logs.at > validFor) return false
  return replicas.every(({ id }) => logs.silent.includes(id))
}

/** Reads the logs from where the last read ended. A log that is read for the first time may hold lines of any time. */
export async function readAccessLogs(
  logs: NonNullable<Circumstances['logs']>,
  replicas: readonly Replica[],
  before: LogReading | undefined,
  now: number,
): Promise<LogReading> {
  const ids = replicas.map(({ id }) => id)
  const known = Object.entries(before?.places ?? {}).filter(([id]) => ids.includes(id))
  const tails = await logs(Object.fromEntries(known))
  const results = known.flatMap(([id]) => {
    const tail = tails[id]
    return tail === undefined
      ? []
      : [{ id, whole: tail.whole, used: tail.lines.some(({ text }) => isMeaningful(text)) }]
  })
  const spoke = results.find(({ used }) => used)?.id
  return {
    at: now,
    places: Object.fromEntries([...known, ...Object.entries(tails).map(([id, { place }]) => [id, place] as const)]),
    silent: results.flatMap(({ id, whole, used }) => (whole && !used ? [id] : [])),
    ...(spoke !== undefined && { spoke }),
  }
}

/** The request in a line of an access log: `GET /v1/models HTTP/1.1" 200`. */
const access = /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(\/[^\s"]*)/
/** Lines of vLLM and SGLang about throughput and queues. vLLM repeats them after use, so zero shows none. */
const interval = /\b(?:Avg )?(?:prompt|generation|gen|input|output) throughput\b/i
const working =
  /(?:throughput(?: \([^()]{0,80}\))?:\s*|Running:\s*|#running-req:\s*|Waiting:\s*|#queue-req:\s*)(?!0(?:\.0+)?(?![\d.]))\d/i
/** Other regular lines. */
const periodic = /\b(?:uptime|heartbeat|keep-?alive|metrics? (?:were )?(?:exported|scraped)|all slots are idle)\b/i

/** Whether a line shows use: neither a probe or scrape nor a regular line does. */
export function isMeaningful(line: string): boolean {
  if (line.trim() === '') return false
  const path = access.exec(line)?.[1]
  if (path !== undefined) return !isProbePath(path)
  if (interval.test(line)) return working.test(line)
  return !periodic.test(line)
}

const probePath =
  /(?:^|\/)_?(?:healthz?|health_generate|readyz?|readiness|livez?|liveness|ping|metrics|docs|redoc|openapi\.json|-\/routes)\/?(?:\?|$)/i

/** Whether a path is for probes and scrapes, not for use. */
export function isProbePath(path: string): boolean {
  return probePath.test(path)
}
