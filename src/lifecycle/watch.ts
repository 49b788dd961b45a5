import type { Endpoint, Replica } from '../domain/endpoint.ts'
import type { Reading, Segment } from '../domain/reading.ts'

/** What a look at an endpoint needs to know besides the endpoint itself. */
export interface Circumstances {
  readonly replicas: readonly Replica[]
  /** The metric path that a patch has set. */
  readonly path?: string | null
  /** What somebody changed within its time of grace, as the end of a sentence. */
  readonly changed?: string
}

/** Tells from what endpoints show of themselves whether they are used. What it keeps between two looks is its own. */
export interface Watch {
  /** `now` in ms since 1970. Never throws. */
  look(
    endpoint: Endpoint,
    circumstances: Circumstances,
    before: unknown,
    now: number,
  ): Promise<{ readonly reading: Reading; readonly watched: unknown }>
}

/** What is kept of an endpoint from look to look. */
export interface Watched {
  /** ms since 1970 of the last look. */
  readonly at: number
  /** The watch's own. */
  readonly kept: unknown
  /** When the newest of its replicas started, ms since 1970, where the platform says so. */
  readonly newest?: number
  /** How it was used, oldest first, for 30 days. */
  readonly segments: readonly Segment[]
}

/** As many segments of an endpoint are at hand at every look. */
export const fewest = 16

/** Where that is kept. */
export interface Readings {
  /** Of every endpoint, with the newest segments only: `fewest` of them or more, where there are as many. */
  watched(): Promise<ReadonlyMap<string, Watched>>
  /** With all segments. */
  watchedOf(endpoint: string): Promise<Watched | null>
  /** What is given continues what is kept. Null forgets. */
  keepWatched(changes: ReadonlyMap<string, Watched | null>): Promise<void>
}
