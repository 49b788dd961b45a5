/** What a read showed, kept small. */
export interface Seen {
  /** ms since 1970. */
  readonly at: number
  readonly active: boolean | null
  readonly status?: string
  readonly replicas?: number
  readonly running?: number
  readonly updatedAt?: string
}

/** One call as journalled: written before it is made, completed when it is answered. */
export interface Send {
  readonly at: number
  readonly before: Seen
  /** Absent: nobody recorded how it ended, so it may or may not have been applied. */
  readonly outcome?: {
    readonly kind: 'answered' | 'refused' | 'failed' | 'unknown' | 'unreached'
    readonly at: number
    /** The platform's own sentence. */
    readonly says?: string
    /** Nobody saw an answer; a later read showed the effect. */
    readonly inferred?: boolean
  }
}

export interface Progress {
  readonly sends: readonly Send[]
  /** Reads after the last call, newest last; only the last few are kept. */
  readonly looks: readonly Seen[]
  /** Reached, or passed over after a setback. */
  readonly done?: boolean
}
