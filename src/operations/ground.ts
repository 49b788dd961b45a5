import type { Actor } from '../domain/actor.ts'
import type { Automation } from '../domain/automation.ts'
import type { Bounds } from '../domain/demand.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { Role } from '../domain/policy.ts'
import type { Acknowledged, Change, Records } from '../domain/records.ts'

/** What a change of our own records is made from. */
export interface Ground {
  /** Read live, where the row has a field for one. */
  readonly endpoint: Endpoint | undefined
  /** The part of the policy file that protects it. */
  readonly protectedBy: string | null
  /** The request it is made by, for the ids of new records. */
  readonly id: string
  readonly records: Records
  /** Rules can only be carried out where there is a channel to tell people in. */
  readonly operationsChannel: boolean
  readonly automation: Automation
  readonly by: Actor
  readonly role: Role | null
  /** When it was asked for, ms since 1970, and the asker's time zone. */
  readonly at: number
  readonly zone: string
  readonly bounds: Bounds
  /** In a lockdown: what is missing, in sentences, and what ending it takes as it is. */
  readonly damage?: { readonly says: string; readonly acknowledges?: Acknowledged }
}

/** A change, with a sentence about what holds from then on; or why there is nothing to change. */
export type Changing = { readonly change: Change; readonly means: string } | { readonly wrong: string }
