import type { Automation } from './automation.ts'
import type { Endpoint, Settings } from './endpoint.ts'
import type { Records } from './records.ts'
import type { FieldValues } from './request.ts'
import type { Words } from './words.ts'

/** What is known of an endpoint without asking the platform. */
export interface Remembered {
  /** As last listed. */
  readonly endpoint: Endpoint
  /** As they were last given; null if nobody has given any. */
  readonly settings: Settings | null
  readonly records: Records
  readonly automation: Automation
  /** ms since 1970. */
  readonly at: number
}

/** What holds there, as the form of a row shows it. */
export interface Current {
  /** Fields that begin with what holds, so that handing in the form untouched changes nothing. */
  readonly fills?: FieldValues
  /** What is said at a field that begins empty, since what stands there is added, or replaces a value that stays otherwise. */
  readonly beside?: Readonly<Record<string, Words>>
  /** What is said above all fields. */
  readonly now?: Words
  /** What a field that takes an id can be: value and name. */
  readonly choices?: Readonly<Record<string, readonly { readonly value: string; readonly name: Words }[]>>
}
