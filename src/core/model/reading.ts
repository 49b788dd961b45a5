import type { Words } from './words.ts'

/** Whether an endpoint was used between two looks. Only a period known to be quiet counts as quiet. */
export type ReadingState = 'busy' | 'quiet' | 'unknown'

/** The evidence for a reading. Small, because it is stored. */
export interface Evidence {
  /** Servers recognized by their metrics, under their usual names: "vLLM". */
  readonly servers: readonly string[]
  /** Requests that finished since the previous look. */
  readonly requests: number
  /** Requests running or waiting at the look. */
  readonly open: number
  readonly replicas: number
  /** Replicas whose metrics were read. */
  readonly seen: number
  /** Replicas judged by their logs, because no scrape reached them. */
  readonly logs: number
}

export const noEvidence: Evidence = { servers: [], requests: 0, open: 0, replicas: 0, seen: 0, logs: 0 }

export interface Reading {
  readonly state: ReadingState
  /** The end of a sentence that begins with the state: "no requests on both replicas". */
  readonly why: Words
  readonly evidence: Evidence
  /** A server restarted, so nothing can be compared with earlier looks and the idle clock starts again. */
  readonly restarted?: true
}

/** A period with one state, kept for 30 days. `from` and `to` in ms since 1970 (UTC). */
export interface Segment extends Reading {
  readonly from: number
  readonly to: number
  /** For a quiet period, how many ms of it are unknown. */
  readonly unknownMs?: number
}

export interface Idle {
  /** When the clock started, ms since 1970. */
  readonly since: number
  /** The time on the clock, ms. */
  readonly forMs: number
  /** How long it has been quiet as far as known, also before the clock started, ms. Shown to people. */
  readonly quietMs: number
  /** The unknown share of the last idle period: 0 to 1. */
  readonly unknown: number
  /** It may be stopped if one more look agrees. */
  readonly isDue: boolean
}

/** An endpoint's usage as of the last look, and its consequences. */
export interface Use {
  /** Null: the endpoint is stopped. */
  readonly last: Segment | null
  /** How long it has been quiet, as in `Idle`, ms. */
  readonly quietMs: number
  /** The idle clock, which does not start before its rule, the end of a hold and the like. */
  readonly clock: Pick<Idle, 'since' | 'forMs' | 'unknown'>
  /** The quiet time after which it counts as idle, ms. */
  readonly idleMs: number
  /** Absent without an idle rule. */
  readonly watched?: {
    readonly mode: 'on' | 'try' | 'off'
    /** Why it is not stopped anyway, as the end of a sentence; or null. */
    readonly spared: Words | null
    /** How many early restarts have lengthened the idle time. */
    readonly earlyRestarts: number
  }
}

/** Whether this reading restarts the idle clock. */
export function isMark({ state, restarted }: Reading): boolean {
  return state === 'busy' || restarted === true
}
