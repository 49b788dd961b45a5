import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Plan } from '../../core/model/plan.ts'
import type { Demand, Exposure } from '../../core/model/policy.ts'
import type { Outlook } from '../../core/model/question.ts'
import type { Change, Records } from '../../core/model/records.ts'

/** What would be done now, what it takes, and the digest of everything a person agrees to. */
export interface Proposal {
  readonly kind: 'plan'
  /** As read this moment, where it is about one. */
  readonly endpoint?: Endpoint
  readonly plan: Plan
  /** Of our own records, where it is about those; `means` says what holds from then on. */
  readonly change?: Change
  readonly means?: string
  /** What would be done right away by a rule it lays down; '' where nothing would. */
  readonly atOnce?: string
  /** What it was planned on. */
  readonly records: Records
  /** Until when its first step has to wait for a call that may still arrive and would undo it, ms since 1970. */
  readonly waitsUntil?: number
  /** What the next days come to by it, where it lays down a rule. */
  readonly preview?: readonly Outlook[]
  readonly exposure: Exposure
  readonly demand: Demand
  readonly digest: string
  /** "It is active, 3 replicas." */
  readonly why: string
}

export type Proposed =
  | Proposal
  /** `asItIs`: it would change nothing about the endpoint as it is now. */
  | { readonly kind: 'no'; readonly says: string; readonly asItIs?: true }
  | { readonly kind: 'later'; readonly says: string }
