import type { Actor } from './actor.ts'
import type { StandIn } from './records.ts'

/** How somebody stands in a project besides their role. */
export interface You {
  /** Those in whose place they may approve now. */
  readonly absent: readonly Actor[]
  /** Who approves in theirs. */
  readonly standIn: StandIn | null
  /** How many requests wait that they may answer. */
  readonly waiting: number
  /** Version of the policy that this is by; `none` where there is no file. */
  readonly policy: string
}
