import type { Words } from './words.ts'

/** Whether an endpoint was used between two looks at it. What is not known to be quiet is not quiet. */
export type ReadingState = 'busy' | 'quiet' | 'unknown'

/** What a reading stands on; small, since it is kept. */
export interface Evidence {
  /** Servers recognised by their metrics, as people call them: "vLLM". */
  readonly servers: readonly string[]
  /** Requests that ended since the look before. */
  readonly requests: number
  /** Requests running or waiting at the look. */
  readonly open: number
  readonly replicas: number
  /** Replicas whose metrics were read. */
  readonly seen: number
  /** Replicas judged by their logs, as no scrape reached them. */
  readonly logs: number
}

export const noEvidence: Evidence = { servers: [], requests: 0, open: 0, replicas: 0, seen: 0, logs: 0 }

export interface Reading {
  readonly state: ReadingState
  /** The end of a sentence that begins with the state: "no requests on both replicas". */
  readonly why: Words
  readonly evidence: Evidence
  /** A server began anew, so nothing from before can be compared and the idle clock starts again. */
  readonly restarted?: true
}

/** A time of one state, kept for 30 days. `from` and `to` in ms since 1970 (UTC). */
export interface Segment extends Reading {
  readonly from: number
  readonly to: number
  /** Of a quiet time, ms in it about which nothing is known. */
  readonly unknownMs?: number
}

/** What the idle clock of an endpoint must not reach behind. In ms since 1970 (UTC), where there is such a thing. */
export interface ClockLimits {
  /** From when on quiet counts, for all that people have laid down. */
  readonly floor?: number | undefined
  /** When the newest replica started. */
  readonly newestReplica?: number | undefined
}

export interface Idle {
  /** Since when the clock runs, ms since 1970. */
  readonly since: number
  /** ms on the clock. */
  readonly forMs: number
  /** ms for which it has been quiet as far as is known, also before the clock began; what people are told. */
  readonly quietMs: number
  /** Of the last idle time, how much nothing is known about: 0 to 1. */
  readonly unknown: number
  /** It may be stopped, once one more look says so too. */
  readonly candidate: boolean
}

/** How an endpoint is used, as far as anybody has looked lately, and what comes of that. */
export interface Use {
  /** Null: it is stopped. */
  readonly last: Segment | null
  /** ms for which it has been quiet, as `Idle` has it. */
  readonly quietMs: number
  /** The idle clock, which does not begin before its rule, a hold's end and the like. */
  readonly clock: Pick<Idle, 'since' | 'forMs' | 'unknown'>
  /** ms of quiet after which it counts as idle. */
  readonly idleMs: number
  /** Absent where nobody has it watched. */
  readonly watched?: {
    readonly mode: 'on' | 'try' | 'off'
    /** Why it is not stopped all the same, as the end of a sentence; or null. */
    readonly spared: Words | null
    /** How many early restarts have made the idle time longer. */
    readonly earlyRestarts: number
  }
}

/** Whether the idle clock begins anew with it. */
export function isMark({ state, restarted }: Reading): boolean {
  return state === 'busy' || restarted === true
}
