import type { Labels } from './exposition.ts'

/** The meaning of a series: open requests, ended requests, other work done, or the creation of a counter (Unix seconds). */
export type MetricRole = 'open' | 'requests' | 'work' | 'born'

/** The meaning of a metric name. Counters with one `key` are added up. */
export interface Meaning {
  readonly role: MetricRole
  readonly key: string
}

/** A kind of server, recognized by the names of its metrics. */
export interface Family {
  readonly title: string
  /** Undefined for names that do not show use. */
  readonly meaningOf: (name: string) => Meaning | undefined
  /** How many of its names a page needs to be recognized; 1 by default. */
  readonly least?: number
  /** Whether a series counts; by default each does. Requests for health or metrics do not. */
  readonly counts?: (labels: Labels, role: MetricRole) => boolean
  /** Its counters appear only once they have counted something. */
  readonly lazy?: true
  /** By default it logs every request, or writes regular lines while it works. */
  readonly logs?: true
  /** Used only if no other family is recognized. */
  readonly lastResort?: true
}

/** Names without prefix, and counters without `_total`, which only some clients append. */
interface Names extends Omit<Family, 'meaningOf'> {
  /** Precedes each name with `:` or `_`, because gateways rewrite colons (smg pull 813). */
  readonly prefix?: string
  readonly open: readonly string[]
  readonly requests: readonly string[]
  readonly work: readonly string[]
}

export function defineFamily({ prefix, open, requests, work, ...family }: Names): Family {
  const meanings = new Map<string, Meaning>()
  const starts = prefix === undefined ? [''] : [`${prefix}:`, `${prefix}_`]
  for (const start of starts) {
    for (const key of open) meanings.set(start + key, { role: 'open', key })
    for (const key of [...requests, ...work]) {
      const role = requests.includes(key) ? 'requests' : 'work'
      meanings.set(start + key, { role, key })
      meanings.set(`${start}${key}_total`, { role, key })
      meanings.set(`${start}${key.replace(/_count$/, '')}_created`, { role: 'born', key })
    }
  }
  return { ...family, meaningOf: (name) => meanings.get(name) }
}

const pathLabels = ['handler', 'path', 'route', 'endpoint', 'uri', 'url', 'http_route', 'http_target']
const probePath =
  /(?:^|\/)_?(?:healthz?|health_generate|readyz?|readiness|livez?|liveness|ping|metrics|docs|redoc|openapi\.json|-\/routes)\/?(?:\?|$)/i

/** The path of the requests that a series counts, if it has one. */
export function pathOf(labels: Labels): string | undefined {
  return pathLabels.map((name) => labels.get(name)).find((path) => path !== undefined)
}

/** Whether a path is for probes and scrapes, not for use. */
export function isProbePath(path: string): boolean {
  return probePath.test(path)
}
