import type { Automation } from './automation.ts'
import type { Endpoint, Settings } from './endpoint.ts'
import type { Records } from './records.ts'
import type { FieldValues } from './request.ts'
import type { Actor } from './roles.ts'
import type { Words } from './words.ts'

/** What is known without asking the platform. For a row about an endpoint this includes the endpoint. */
export interface Remembered {
  /** As last listed. */
  readonly endpoint: Endpoint
  /** As last seen in an answer; null if never seen. */
  readonly settings: Settings | null
  readonly records: Records
  readonly automation: Automation
  /** The person who asks. */
  readonly by: Actor
  /** ms since 1970. */
  readonly at: number
}

/** An endpoint's current values, as a row's form shows them. */
export interface Current {
  /** Fields that start with the current value, so that an unchanged form changes nothing. */
  readonly fills?: FieldValues
  /** Hints at fields that start empty because their value is added to the current one, or replaces it. */
  readonly beside?: Readonly<Record<string, Words>>
  /** Shown above all fields. */
  readonly now?: Words
  /** The possible values of a field that takes an id, with their names. */
  readonly choices?: Readonly<Record<string, readonly { readonly value: string; readonly name: Words }[]>>
}
