import type { Unstored } from '../../../core/model/sentences.ts'

/** Redis' own words when it refuses a write; a script's come with more around them. */
const refusals: readonly (readonly [RegExp, Unstored])[] = [
  [/\bOOM\b/, 'full'],
  [/\b(READONLY|NOREPLICAS)\b/, 'readonly'],
  [/\b(LOADING|MASTERDOWN|CLUSTERDOWN|MOVED|TRYAGAIN|BUSY)\b/, 'changing'],
  [/\bMISCONF\b/, 'disk'],
  [/\b(NOAUTH|WRONGPASS|NOPERM)\b/, 'locked'],
]

/** What Redis' refusal means; null where it did not refuse, so that the write may have been made. */
export function refusalOf(error: Error): Unstored | null {
  const [, known] = refusals.find(([words]) => words.test(error.message)) ?? []
  if (known !== undefined) return known
  if (/Stream isn't writeable|Cluster isn't ready|ECONNREFUSED|ENOTFOUND/.test(error.message)) return 'away'
  return error.name === 'ReplyError' ? 'refused' : null
}

/** Only the connection's own errors are looked into: what ours say may hold words that somebody else has stored. */
const connections = /^(Error|ReplyError|RedisError|AbortError|MaxRetriesPerRequestError|ClusterAllFailedError)$/

/** The connection was lost, or the answer did not come in time. */
const cuts =
  /timed out|timeout|Connection is|Connection lost|connection close|max retries|\b(ECONN\w+|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)\b|Cluster is|Cluster redirections|slots cache|startup nodes|sentinels are unreachable|Node is disconnected/

/** Whether Redis cannot be asked now, or takes nothing now. Everything else is a fault of ours. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error && connections.test(error.name))) return false
  const why = refusalOf(error)
  return why === null ? cuts.test(error.message) : why !== 'refused'
}
