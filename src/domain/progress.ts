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
    /** How long the platform wants to be left alone before it is sent again, ms. */
    readonly pause?: number
    /** The platform's own sentence. */
    readonly says?: string
    /** What to do about it, where that sentence does not say. */
    readonly remedy?: string
    /** Nobody saw an answer; a later read showed the effect. */
    readonly inferred?: boolean
  }
}

/** A start or stop of unknown outcome that may still arrive, until `until` (ms since 1970). */
export interface LateCall {
  readonly goal: 'serving' | 'stopped'
  readonly until: number
}

export interface Progress {
  readonly sends: readonly Send[]
  /** Reads after the last call, newest last; only the last few are kept. */
  readonly looks: readonly Seen[]
  /** Until when it is not begun, ms since 1970: an earlier call of the opposite may still arrive. */
  readonly waitsUntil?: number
  /** Reached, or passed over after a setback. */
  readonly done?: boolean
}

/** Nobody saw what became of it when it was made. */
export function isUnclear({ outcome }: Send): boolean {
  return outcome === undefined || outcome.kind === 'unknown' || outcome.inferred === true
}

/** Whether two reads show the same. The status, and the replicas of what is stopped, go on settling by themselves. */
export function looksSame(a: Seen, b: Seen): boolean {
  const hasSameReplicas = a.active === false || a.replicas === b.replicas
  return a.active === b.active && hasSameReplicas && a.updatedAt === b.updatedAt
}
