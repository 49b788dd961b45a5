import type { Labels } from './series.ts'

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
