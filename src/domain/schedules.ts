import type { Endpoint } from './endpoint.ts'
import type { Outlook } from './outlook.ts'
import type { Freeze, IdleRule } from './records.ts'
import type { Rule, Rules } from './rules.ts'

/** What is laid down about one endpoint. */
export interface Ruled {
  /** Named as it was last known where no list has it. */
  readonly endpoint: Pick<Endpoint, 'id' | 'name'>
  /** The platform has it no more, so that its rules rest. */
  readonly gone?: true
  /** Its own rules, then the team's. */
  readonly entries: readonly { readonly rule: Rule; readonly resting: boolean }[]
  /** How it is watched for idleness: by its own rule, else by the team's. Absent: it is not, and nobody would. */
  readonly idle?: Watching
  /** What decides about it: without the rules that rest. */
  readonly rules: Rules
}

/** An idle watch; one that is off is told of only where the team's rule would hold otherwise. */
export interface Watching {
  readonly rule: IdleRule
  readonly resting: boolean
}

/** All that is laid down, endpoints by their names. */
export interface Schedules {
  readonly freeze: Freeze | null
  readonly ruled: readonly Ruled[]
  /** The next 7 days, where it was asked about one endpoint. */
  readonly outlooks: readonly Outlook[]
}
