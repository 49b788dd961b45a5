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

export interface Reading {
  readonly state: ReadingState
  /** The end of a sentence that begins with the state: "no counter moved on 2 of 2 replicas". */
  readonly why: string
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

/** Whether the idle clock begins anew with it. */
export function isMark({ state, restarted }: Reading): boolean {
  return state === 'busy' || restarted === true
}
