import { isLooking } from './observing.ts'

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
