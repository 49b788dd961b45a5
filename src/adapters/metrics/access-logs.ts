import type { Replica } from '../../core/model/endpoint.ts'
import type { Circumstances, LogPlace } from '../../core/ports/metrics.ts'
import { isLooking } from './servers/define.ts'

/** What is known of the logs of an endpoint's replicas; plain values. */
export interface Overheard {
  /** When they were last read, ms since 1970 (UTC). */
  readonly at: number
  /** How far, by the replica's id. */
  readonly places: Readonly<Record<string, LogPlace>>
  /** Replicas that have written nothing that tells of use since the time before. */
  readonly silent: readonly string[]
  /** One that has. */
  readonly spoke?: string
}

/** ms between two reads of the logs of one endpoint, and for how long what they said is believed. */
const every = 5 * 60_000
const believed = every + 2 * 60_000

/** Whether the logs are to be read again. */
export function isDue(before: Overheard | undefined, now: number): boolean {
  return before === undefined || now - before.at >= every
}

/** Whether each of the replicas has been silent, as far as their logs were read lately. */
export function areSilent(overheard: Overheard | undefined, replicas: readonly Replica[], now: number): boolean {
  if (overheard === undefined || now - overheard.at > believed) return false
  return replicas.every(({ id }) => overheard.silent.includes(id))
}

/** Reads the logs on from where they were left. What a log says that is met for the first time may be of any time. */
export async function listen(
  logs: NonNullable<Circumstances['logs']>,
  replicas: readonly Replica[],
  before: Overheard | undefined,
  now: number,
): Promise<Overheard> {
  const ids = replicas.map(({ id }) => id)
  const known = Object.entries(before?.places ?? {}).filter(([id]) => ids.includes(id))
  const heard = await logs(Object.fromEntries(known))
  const met = known.flatMap(([id]) => (heard[id] === undefined ? [] : [{ id, ...heard[id] }]))
  const hasSpoken = met.map(({ id, lines, whole }) => ({
    id,
    whole,
    spoke: lines.some(({ text }) => isMeaningful(text)),
  }))
  const spoke = hasSpoken.find((one) => one.spoke)?.id
  return {
    at: now,
    places: Object.fromEntries([...known, ...Object.entries(heard).map(([id, { place }]) => [id, place] as const)]),
    silent: hasSpoken.flatMap((one) => (one.whole && !one.spoke ? [one.id] : [])),
    ...(spoke !== undefined && { spoke }),
  }
}

/** `GET /v1/models HTTP/1.1" 200`, as access logs have it whatever stands around it. */
const access = /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(\/[^\s"]*)/
/**
 * What vLLM and SGLang write in regular intervals, about throughput and queues. vLLM goes on until throughput was zero
 * twice in a row, so the line tells of use only while it holds a number above zero.
 */
const interval = /\b(?:Avg )?(?:prompt|generation|gen|input|output) throughput\b/i
const working =
  /(?:throughput(?: \([^)]*\))?:\s*|Running:\s*|#running-req:\s*|Waiting:\s*|#queue-req:\s*)(?!0(?:\.0+)?(?![\d.]))\d/i
/** Other lines that come by themselves. */
const periodic = /\b(?:uptime|heartbeat|keep-?alive|metrics? (?:were )?(?:exported|scraped)|all slots are idle)\b/i

/** Whether a line tells of use: neither somebody looking at health or metrics, nor what a server writes by itself. */
export function isMeaningful(line: string): boolean {
  if (line.trim() === '') return false
  const path = access.exec(line)?.[1]
  if (path !== undefined) return !isLooking(path)
  if (interval.test(line)) return working.test(line)
  return !periodic.test(line)
}
