import { type Family, isProbePath, type Meaning, pathOf } from './define.ts'

const runtimes = /^(?:process|python|go|promhttp|nodejs|jvm|tokio)_/
const open: Meaning = { role: 'open', key: 'in_progress' }
const requests: Meaning = { role: 'requests', key: 'requests' }
const timed: Meaning = { role: 'work', key: 'timed' }

/**
 * Any web service that counts as the usual libraries do. A counter without a path does not count, since our own scrapes
 * may move it; a gauge does, since it may be the only sign of a long request. Names are added up under few keys, since
 * anybody may choose them.
 */
export const web: Family = {
  title: 'web',
  meaningOf,
  counts(labels, role) {
    const path = pathOf(labels)
    return path === undefined ? role === 'open' : !isProbePath(path)
  },
  lastResort: true,
}

function meaningOf(name: string): Meaning | undefined {
  if (runtimes.test(name)) return undefined
  if (name.endsWith('_in_progress') || name.endsWith('_inprogress')) return open
  if (name.endsWith('_requests_total')) return requests
  return name === 'http_request_duration_seconds_count' ? timed : undefined
}
