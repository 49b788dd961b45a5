import type { Actor } from '../model/actor.ts'
import type { IsKnownSecret } from '../text/redact.ts'

export interface SealedEntry {
  readonly key: string
  readonly value: string
}

/** What a seal is bound to: it opens nowhere else. */
export interface Bound {
  readonly request: string
  readonly endpoint: string
  readonly actor: Actor
  readonly field: string
}

/** Secret values on their way from a form to a call. */
export interface Seals {
  /** `life`: ms after which they are thrown away at the latest. False where others are there already: those stay. */
  seal(of: Bound, entries: readonly SealedEntry[], life: number): Promise<boolean>
  /** Null when it is gone, or was made for something else. */
  open(of: Bound): Promise<readonly SealedEntry[] | null>
  /** Values are thrown away as soon as nothing can need them any more. */
  forget(request: string, field: string): Promise<void>
  /** Tells a value that was once sealed, by its digest alone. */
  known(): Promise<IsKnownSecret>
}
