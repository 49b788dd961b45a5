import type { Endpoint, Replica } from '../model/endpoint.ts'
import type { LogLine } from '../model/query-answer.ts'
import type { Reading, Segment } from '../model/reading.ts'
import type { Words } from '../model/words.ts'

/** How far a replica's log has been read: the file and its last line's number. */
export interface LogPlace {
  readonly file: string
  readonly line: number
}

/** What a replica has logged since the last read, oldest first, and how far it has been read now. */
export interface LogTail {
  readonly place: LogPlace
  readonly lines: readonly LogLine[]
  /** False if lines may be missing, as in a file that was not read before. */
  readonly whole: boolean
}

/** What a look at an endpoint needs besides the endpoint. */
export interface Circumstances {
  readonly replicas: readonly Replica[]
  /** The metrics path that a patch has set. */
  readonly path?: string | null
  /** The owner allows probing even though the endpoint is autoscaled. */
  readonly probeAutoscaled?: boolean
  /** What changed within the grace period, as the end of a sentence. */
  readonly changed?: Words
  /** Reads logs from these places on, by replica id, without unreadable replicas. Absent if logs may not be read. */
  readonly logs?: (from: Readonly<Record<string, LogPlace>>) => Promise<Readonly<Record<string, LogTail>>>
  /** The last look before a stop: reads everything again instead of reusing earlier looks. */
  readonly last?: boolean
}

/** Judges from metrics and logs whether endpoints are used. Its state between two looks is opaque to callers. */
export interface Watch {
  /** Looks at an endpoint at `now`, ms since 1970. Never throws. */
  look(
    endpoint: Endpoint,
    circumstances: Circumstances,
    before: unknown,
    now: number,
  ): Promise<{ readonly reading: Reading; readonly watched: unknown }>
}

/** What is stored about an endpoint between two looks. */
export interface WatchedEndpoint {
  /** When the last look happened, ms since 1970. */
  readonly at: number
  /** The watch's own state. */
  readonly kept: unknown
  /** When its newest replica started, ms since 1970, if the platform reports it. */
  readonly newest?: number
  /** As the platform wrote it. A different value shows that the endpoint has changed since that look. */
  readonly updatedAt?: string
  /** Its usage over 30 days, oldest first. */
  readonly segments: readonly Segment[]
}

/** An older reading says nothing about the present, ms. */
export const stale = 5 * 60_000

export function isStale({ at }: Pick<WatchedEndpoint, 'at'>, now: number): boolean {
  // The clock may have been set back since.
  return Math.abs(now - at) > stale
}

/** Returns the instant that the last reading speaks for, ms: its own, or `now` if the reading is stale. */
export function lookInstant(watched: Pick<WatchedEndpoint, 'at'>, now: number): number {
  return isStale(watched, now) ? now : watched.at
}

/** How many of the newest segments every look has available. */
export const segmentsAtHand = 16

export interface Readings {
  /** Returns every endpoint with its newest segments: at least `segmentsAtHand`, if it has so many. */
  watched(): Promise<ReadonlyMap<string, WatchedEndpoint>>
  /** Returns one endpoint with all its segments. */
  watchedOf(endpoint: string): Promise<WatchedEndpoint | null>
  /** Saves looks that continue the stored ones. Null deletes the endpoint's data. */
  keepWatched(changes: ReadonlyMap<string, WatchedEndpoint | null>): Promise<void>
}
