import type { ApprovalSettings, Guard } from './policy.ts'
import type { Actor, Place } from './roles.ts'
import type { Words } from './words.ts'

/** What people are asked before a request goes on. Times in ms since 1970. */
export interface Ask {
  /** 1, 2, 3: an answer names the ask it belongs to. */
  readonly n: number
  readonly at: number
  readonly expiresAt: number
  /** When what it is about ends by itself, where that is known. */
  readonly overAt?: number
  /** "It is active, 3 replicas." */
  readonly why: Words
  /** Why it is asked once more, and what has become of what people said before. */
  readonly again?: Words
  /** What was asked for under it, whatever the policy says later. */
  readonly asking: ApprovalSettings
  /** The rule that asks, in words, and what protects the endpoint. */
  readonly rule: Words
  readonly guard?: Guard
  /** It takes nothing down, and brings up more replicas. */
  readonly adds?: true
  /** Who may approve in the place of whom, as of when it was last looked at, and until when, ms. */
  readonly standIns?: readonly { readonly to: Actor; readonly of: Actor; readonly until: number }[]
  /** People whom the policy names and who could not approve when it was asked, by user id. They are not named. */
  readonly unable?: readonly string[]
  /** How often people have been reminded, and when they are next. */
  readonly reminded: number
  readonly remindAt: number | null
  readonly fellBackAt?: number
  /** Of a notice: when it happens unless somebody objects, and when it was to happen at first. */
  readonly due?: number
  readonly dueFirst?: number
  /** Why it is put off: what is in use is not stopped at the minute. */
  readonly busy?: Words
  /** How often it was put off since nobody could be told. */
  readonly untold?: number
}

/** One person's yes on the way to an approval. */
export interface Vote {
  readonly by: Actor
  readonly at: number
  /** Whose place it was given in; a mandate counts once. */
  readonly for?: Actor
  /** Where it was given, which may be what gives the role. */
  readonly place?: Place
}

export interface Decision {
  readonly by: Actor
  readonly at: number
  readonly yes: boolean
  readonly because?: string
  readonly place?: Place
  /** An admin has passed the approval, and said why. */
  readonly glass?: true
}

/** The next days as words, a line a day, as the clocks of one zone show them. */
export interface DailyPreview {
  readonly zone: string
  readonly lines: readonly Words[]
}
