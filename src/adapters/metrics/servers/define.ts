import type { Labels } from '../exposition/series.ts'

/**
 * What a series says: requests running or waiting now, requests ended so far, other work done so far, or when a counter
 * was born (Unix seconds).
 */
export type Role = 'open' | 'requests' | 'work' | 'born'

/** What one metric name means; counters of one `key` are added up. */
export interface Meaning {
  readonly role: Role
  readonly key: string
}

/** The servers of one kind, told by the names of their metrics. */
export interface Family {
  /** For people. */
  readonly title: string
  /** What a name means here; undefined for names that say nothing about use. */
  readonly meaningOf: (name: string) => Meaning | undefined
  /** How many of its names a page must hold to be recognised. */
  readonly least: number
  /** Whether a series counts: looking at health or metrics is no use. */
  readonly counts: (labels: Labels, role: Role) => boolean
  /** Its counters are not on the page before they have counted anything. */
  readonly lazy: boolean
  /** By default it writes a log line for every request, or in regular intervals while it works. */
  readonly logs: boolean
  /** Asked only where no other family is recognised. */
  readonly lastResort: boolean
}

/** Names without prefix; counters also without `_total`, which some clients append and others do not. */
interface Names {
  readonly title: string
  /** Stands before each name with `:` or `_`, since gateways rewrite colons (smg pull 813). */
  readonly prefix?: string
  readonly open: readonly string[]
  readonly requests: readonly string[]
  readonly work: readonly string[]
  readonly least?: number
  readonly counts?: Family['counts']
  readonly lazy?: boolean
  readonly logs?: boolean
}

/** A family whose names are known in full. */
export function defineFamily(names: Names): Family {
  const meanings = new Map<string, Meaning>()
  const starts = names.prefix === undefined ? [''] : [`${names.prefix}:`, `${names.prefix}_`]
  for (const start of starts) {
    for (const key of names.open) meanings.set(start + key, { role: 'open', key })
    for (const role of ['requests', 'work'] as const) {
      for (const key of names[role]) {
        meanings.set(start + key, { role, key })
        meanings.set(`${start}${key}_total`, { role, key })
        meanings.set(`${start}${key.replace(/_count$/, '')}_created`, { role: 'born', key })
      }
    }
  }
  return {
    title: names.title,
    meaningOf: (name) => meanings.get(name),
    least: names.least ?? 1,
    counts: names.counts ?? (() => true),
    lazy: names.lazy ?? false,
    logs: names.logs ?? false,
    lastResort: false,
  }
}

/** Labels under which servers and frameworks write the path of a request. */
const places = ['handler', 'path', 'route', 'endpoint', 'uri', 'url', 'http_route', 'http_target']
const looking =
  /(?:^|\/)_?(?:healthz?|health_generate|readyz?|readiness|livez?|liveness|ping|metrics|docs|redoc|openapi\.json|-\/routes)\/?(?:\?|$)/i

/** The path that a series counts requests of, if it says. */
export function pathOf(labels: Labels): string | undefined {
  for (const place of places) {
    const path = labels.get(place)
    if (path !== undefined) return path
  }
  return undefined
}

/** Whether requests of this path only look at the server: probes of the platform, scrapes, and our own. */
export function isLooking(path: string): boolean {
  return looking.test(path)
}
