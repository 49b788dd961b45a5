import type { LogLine } from '../domain/tail.ts'
import { isLooking } from './observing.ts'

/** `GET /v1/models HTTP/1.1" 200`, as access logs have it whatever stands around it. */
const access = /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(\/[^\s"]*)/
/** What vLLM and SGLang write in regular intervals, about throughput and queues; the numbers say whether it works. */
const interval = /\b(?:Avg )?(?:prompt|generation|gen|input|output) throughput\b/i
const working =
  /(?:throughput(?: \([^)]*\))?:\s*|Running:\s*|#running-req:\s*|Waiting:\s*|#queue-req:\s*)(?!0(?:\.0+)?(?![\d.]))\d/i
/** Other lines that come by themselves. */
const periodic = /\b(?:uptime|heartbeat|keep-?alive|metrics? (?:were )?(?:exported|scraped)|all slots are idle)\b/i

/**
 * The last words of a replica's log that tell of use, as a mark to compare with the mark of the next look; '' when none
 * does. vLLM writes its line on throughput until that was zero twice in a row, so such a line tells of use only while it
 * holds a number above zero. The mark holds the time as the platform wrote it, whose zone is not to be relied on.
 */
export function lastWords(lines: readonly LogLine[]): string {
  const last = lines.findLast(({ text }) => isMeaningful(text))
  return last === undefined ? '' : `${last.at ?? ''} ${last.text}`.slice(0, 200)
}

/** Whether a line tells of use: neither somebody looking at health or metrics, nor what a server writes by itself. */
export function isMeaningful(line: string): boolean {
  if (line.trim() === '') return false
  const path = access.exec(line)?.[1]
  if (path !== undefined) return !isLooking(path)
  if (interval.test(line)) return working.test(line)
  return !periodic.test(line)
}
