import type { Webhook } from '../model/policy.ts'
import type { Change, Gap } from '../model/records.ts'
import type { Event, Request, Status } from '../model/request.ts'
import type { Actor } from '../model/roles.ts'
import type { Words } from '../model/words.ts'

/** The end of a chain: the number of its last entry, from 1, and that entry's MAC. 0 and '' before the first entry. */
export interface Head {
  readonly seq: number
  readonly mac: string
}

/** A stored entry: its text, and the MAC over that text and the previous MAC. */
export interface AuditLink extends Head {
  readonly text: string
}

/** A range of lost entries that an admin has accepted. */
export interface Acknowledgement extends Gap {
  readonly by: Actor
  readonly at: number
  /** The entry that records the acceptance. */
  readonly seq: number
}

/** The result of checking the whole chain. `says` is in whole sentences. */
export interface AuditVerdict {
  /** Every entry is as it was written, apart from accepted losses. */
  readonly well: boolean
  readonly says: Words
  readonly head: Head
  /** Gaps that nobody has accepted and after which the chain continues. */
  readonly gaps: readonly Gap[]
  readonly acknowledged: readonly Acknowledgement[]
}

/** The chain of everything that was decided and done in a project. */
export interface Audit {
  head(): Promise<Head>
  /** Returns the last pruned entry, which the first stored entry follows. */
  start(): Promise<Head>
  /** Reads entries from this number on, oldest first. */
  read(from: number, most: number): Promise<readonly AuditLink[]>
  /** Sets how far the chain had come according to a note outside it. From then on, a shorter chain is data loss. */
  expect(head: Head): void
  /** Checks all entries, and that these and all noted anchors are among them. Entries after the newest are unproven. */
  verify(anchors: readonly Head[]): Promise<AuditVerdict>
  /** Deletes every entry up to and including this one. */
  prune(last: Head): Promise<void>
}

/** A noted head and when it was noted, ms since 1970. */
export interface Anchor extends Head {
  readonly at: number
}

/** Notes of heads, kept outside the storage that they prove. */
export interface Anchors {
  /** Returns true for one worker an hour. */
  readonly turn: () => Promise<boolean>
  /** Returns the most recent note from any place. */
  readonly newest: () => Promise<Head | null>
  readonly note: (anchor: Anchor) => Promise<void>
}

/** Moves old entries out of a valid audit with these accepted losses, and returns where to; null: nothing was moved. */
export type Prune = (acknowledged: readonly Acknowledgement[]) => Promise<string | null>

/** The part of a proven audit entry that events are made from. */
export interface ProvenEntry extends Event {
  readonly request?: string
  /** The request's status after this entry. */
  readonly status?: Status
  readonly change?: Change
}

/** The entry with a number. `newer`: only a newer process can read it; `unproven`: its author is unknown. */
export interface AuditStep {
  readonly seq: number
  readonly entry: ProvenEntry | 'newer' | 'unproven'
}

/** The progress of a webhook. Times in ms since 1970. */
export interface WebhookState {
  /** The last audit entry that is fully sent, and how many events of the next one are sent or not wanted. */
  readonly seq: number
  readonly part: number
  /** Failed attempts to send the next event: how many, since when, why, and when to try again under the same policy. */
  readonly failing?:
    | {
        readonly tries: number
        readonly since: number
        readonly why: Words
        readonly next: number
        readonly policy?: string
        /** The event was wanted, and stays so if its endpoint is deleted or loses its tag. */
        readonly wanted?: true
      }
    | undefined
  readonly sentAt?: number
  /** When an event was last given up, and why. `failing`: attempts had failed, and no event has arrived since. */
  readonly lost?: { readonly at: number; readonly why: Words; readonly failing?: true }
}

/** `never`: the receiver will not accept this event. */
export type Sent = { readonly kind: 'taken' } | { readonly kind: 'failed' | 'never'; readonly why: Words }

/** What sending events needs from outside. */
export interface EventPorts {
  /** Lists the audit entries after a number, oldest first. */
  readonly after: (seq: number, most: number) => Promise<readonly AuditStep[]>
  readonly stateOf: (webhook: string) => Promise<WebhookState | null>
  readonly saveState: (webhook: string, delivery: WebhookState) => Promise<void>
  /** Whether there is a secret to sign with. */
  readonly isReady: (webhook: Webhook) => boolean
  /** Sends signed JSON text. Never throws. */
  readonly send: (webhook: Webhook, type: string, body: string) => Promise<Sent>
  /** Says how a request ended, for people who cannot see its card. */
  readonly endOf: (request: Request) => Words
  /** Links to a request's message in the chat; null if it has none. */
  readonly linkTo: (request: string) => Promise<string | null>
}
