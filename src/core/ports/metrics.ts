import type { LogLine } from '../model/answer.ts'
import type { Endpoint, Replica } from '../model/endpoint.ts'
import type { Reading, Segment } from '../model/reading.ts'
import type { Words } from '../model/words.ts'

/** How far the log of a replica has been read: the file, and the number of the last line. */
export interface LogPlace {
  readonly file: string
  readonly line: number
}

/** What a replica has written since its log was last read, oldest first, and how far it has been read by now. */
export interface LogTail {
  readonly place: LogPlace
  readonly lines: readonly LogLine[]
  /** False where some of it may be missing, as in a file that was not read before. */
  readonly whole: boolean
}

/** What a look at an endpoint needs to know besides the endpoint itself. */
export interface Circumstances {
  readonly replicas: readonly Replica[]
  /** The metric path that a patch has set. */
  readonly path?: string | null
  /** Its owner lets it be asked although it scales by itself. */
  readonly probeAutoscaled?: boolean
  /** What somebody changed within its time of grace, as the end of a sentence. */
  readonly changed?: Words
  /** Reads the logs from these places on, by the replica's id; without a replica that cannot be read. Absent: nobody may. */
  readonly logs?: (from: Readonly<Record<string, LogPlace>>) => Promise<Readonly<Record<string, LogTail>>>
  /** It is about to be stopped, so nothing is taken from an earlier look that can be read now. */
  readonly last?: boolean
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
export interface WatchedEndpoint {
  /** ms since 1970 of the last look. */
  readonly at: number
  /** The watch's own. */
  readonly kept: unknown
  /** When the newest of its replicas started, ms since 1970, where the platform says so. */
  readonly newest?: number
  /** As the platform wrote it; another one shows that something was done to it since that look. */
  readonly updatedAt?: string
  /** How it was used, oldest first, for 30 days. */
  readonly segments: readonly Segment[]
}

/** A reading older than this says nothing about now. ms. */
export const stale = 5 * 60_000

/** Whether what was last read says nothing about `now` (ms). */
export function isStale({ at }: Pick<WatchedEndpoint, 'at'>, now: number): boolean {
  return now - at > stale
}

/** Of which instant what was read at the last look is told at `now`: of that look, unless it is too long ago. ms. */
export function lookInstant(watched: Pick<WatchedEndpoint, 'at'>, now: number): number {
  return isStale(watched, now) ? now : watched.at
}

/** As many segments of an endpoint are at hand at every look. */
export const segmentsAtHand = 16

export interface Readings {
  /** Of every endpoint, with the newest segments only: `fewest` of them or more, where there are as many. */
  watched(): Promise<ReadonlyMap<string, WatchedEndpoint>>
  /** With all segments. */
  watchedOf(endpoint: string): Promise<WatchedEndpoint | null>
  /** What is given continues what is kept. Null forgets. */
  keepWatched(changes: ReadonlyMap<string, WatchedEndpoint | null>): Promise<void>
}
