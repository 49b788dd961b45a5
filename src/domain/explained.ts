import type { Actor } from './actor.ts'
import type { Member } from './policy.ts'
import type { Offer } from './shown.ts'

/** What a line would do, in sentences. */
export interface Explained {
  readonly title: string
  readonly items: readonly {
    readonly text: string
    /** Named after it. */
    readonly whom?: readonly Member[]
    /** Named below it, before the detail. */
    readonly who?: Actor
    readonly detail?: string
    readonly offers?: readonly Offer[]
  }[]
}

/** One thing that was looked over. `says` tells what was seen, or what to do. */
export interface Check {
  readonly name: string
  readonly well: boolean
  readonly says: string
}
