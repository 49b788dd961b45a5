import type { Endpoint } from './endpoint.ts'
import type { Outlook } from './outlook.ts'
import type { Freeze } from './records.ts'
import type { Rule, Rules } from './rules.ts'

/** What is laid down about one endpoint. */
export interface Ruled {
  /** Named as it was last known where no list has it. */
  readonly endpoint: Pick<Endpoint, 'id' | 'name'>
  /** The platform has it no more, so that its rules rest. */
  readonly gone?: true
  /** Its own rules, then the team's. */
  readonly entries: readonly { readonly rule: Rule; readonly resting: boolean }[]
  /** What decides about it: without the rules that rest. */
  readonly rules: Rules
}

/** All that is laid down, endpoints by their names. */
export interface Schedules {
  readonly freeze: Freeze | null
  readonly ruled: readonly Ruled[]
  /** The next 7 days, where it was asked about one endpoint. */
  readonly outlooks: readonly Outlook[]
}
