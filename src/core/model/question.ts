import type { ApprovalSettings, Guard } from './policy.ts'
import type { Actor, Place } from './roles.ts'
import type { Words } from './words.ts'

/** A question to people before a request continues. Times in ms since 1970. */
export interface Ask {
  /** 1, 2, 3: an answer names the ask that it belongs to. */
  readonly n: number
  readonly at: number
  readonly expiresAt: number
  /** When the subject of the request ends by itself, if known. */
  readonly overAt?: number
  /** "It is active, 3 replicas." */
  readonly why: Words
  /** Why people are asked again, and what happened to their earlier answers. */
  readonly again?: Words
  /** The approval settings of this ask, even if the policy changes later. */
  readonly asking: ApprovalSettings
  /** The rule that requires the ask, in words, and what protects the endpoint. */
  readonly rule: Words
  readonly guard?: Guard
  /** It stops nothing and adds replicas. */
  readonly adds?: true
  /** Stand-ins as of the last check: who may approve for whom, and until when, ms. */
  readonly standIns?: readonly { readonly to: Actor; readonly of: Actor; readonly until: number }[]
  /** User ids of people who are named in the policy but could not approve. The ask does not name them. */
  readonly unable?: readonly string[]
  /** How often people were reminded, and when the next reminder is due. */
  readonly reminded: number
  readonly remindAt: number | null
  readonly fellBackAt?: number
  /** When the last look did not find the endpoint, ms since 1970. */
  readonly missedAt?: number
  /** For a notice: when it happens unless someone objects, and when it was due at first. */
  readonly due?: number
  readonly dueFirst?: number
  /** Why it was postponed: a busy endpoint is not stopped. */
  readonly busy?: Words
}

/** A request's id, which a button's line gives with the number of the question beside it, so that it answers no other. */
export const idWord = /^([\w-]{22})(?:\.(\d{1,3}))?$/

/** One person's approval. */
export interface Vote {
  readonly by: Actor
  readonly at: number
  /** The absent person for whom it was given. Each person counts once. */
  readonly for?: Actor
  /** Where it was given, because the place can give the role. */
  readonly place?: Place
}

export interface Decision extends Pick<Vote, 'by' | 'at' | 'place'> {
  readonly yes: boolean
  readonly because?: string
  /** An admin bypassed the approval and gave a reason. */
  readonly glass?: true
}

/** How people answered a request. `votes`: on the newest ask, each by a different person. */
export interface AnswersGiven {
  readonly votes?: readonly Vote[]
  readonly decision?: Decision
}

/** Returns the answers that decided a request: its own, or those to the run that it begins. Approvals come before a press. */
export function answersTo(request: AnswersGiven & { readonly agreed?: AnswersGiven }): AnswersGiven {
  const { agreed, decision } = request
  const isApproved = agreed?.votes !== undefined || agreed?.decision?.glass === true
  const isOwn = decision?.yes === false || (decision !== undefined && !isApproved)
  return isOwn ? request : (agreed ?? request)
}

/** The next days in words, one line per day, in one time zone. */
export interface DailyPreview {
  readonly zone: string
  readonly lines: readonly Words[]
}

/** How often a request may ask before it ends. */
export const mostAsks = 3
