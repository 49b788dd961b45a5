import type { Webhook } from '../model/policy.ts'
import type { Change, Gap } from '../model/records.ts'
import type { Event, Request, Status } from '../model/request.ts'
import type { Actor } from '../model/roles.ts'
import type { Words } from '../model/words.ts'

/** How far a chain has come: the number of its last entry, from 1, and that entry's MAC. 0 and '' before the first. */
export interface Head {
  readonly seq: number
  readonly mac: string
}

/** One entry as it is stored: what was written, and the MAC over it and over the one before. */
export interface AuditLink extends Head {
  readonly text: string
}

/** A loss that an admin has accepted as a whole: the entries from a number to another. */
export interface Acknowledgement extends Gap {
  readonly by: Actor
  readonly at: number
  /** The entry that says so. */
  readonly seq: number
}

/** What a look through the whole chain has found. `says` is whole sentences. */
export interface AuditVerdict {
  /** Everything is as it was written, but for losses that were accepted. */
  readonly well: boolean
  readonly says: Words
  readonly head: Head
  /** Those that nobody has accepted, and that the chain goes on behind. */
  readonly gaps: readonly Gap[]
  readonly acknowledged: readonly Acknowledgement[]
}

/** The chain of everything that was decided and done in a project. */
export interface Audit {
  head(): Promise<Head>
  /** What its first entry follows: the last one that was pruned. */
  start(): Promise<Head>
  /** Entries from that number on, oldest first. */
  read(from: number, most: number): Promise<readonly AuditLink[]>
  /** From now on anything older is loss of data: how far the chain had come, as it was noted elsewhere. */
  expect(head: Head): void
  /** Checks every entry, and that these anchors and all noted ones are among them; what follows the newest one is unproven. */
  verify(anchors: readonly Head[]): Promise<AuditVerdict>
  /** Forgets everything up to this entry. */
  prune(last: Head): Promise<void>
}

/** A head as it was noted, and when; ms since 1970. */
export interface Anchor extends Head {
  readonly at: number
}

/** Where heads are noted outside the storage that they prove. */
export interface Anchors {
  /** True for one worker an hour. */
  readonly turn: () => Promise<boolean>
  /** The one noted last, wherever. */
  readonly newest: () => Promise<Head | null>
  readonly note: (anchor: Anchor) => Promise<void>
}

/** Moves what is too old out of a well audit with these accepted losses, and returns where to; null: nothing is. */
export type Prune = (acknowledged: readonly Acknowledgement[]) => Promise<string | null>

/** An entry of the audit that was proven to be ours, as far as events are made of it. */
export interface ProvenEntry extends Event {
  readonly request?: string
  /** Of the request, as this entry left it. */
  readonly status?: Status
  readonly change?: Change
}

/** The entry at a number. `newer`: only a newer process can read it; `unproven`: nobody knows whose it is. */
export interface AuditStep {
  readonly seq: number
  readonly entry: ProvenEntry | 'newer' | 'unproven'
}

/** How far a webhook has come. Times in ms since 1970. */
export interface WebhookState {
  /** The last entry of the audit that is done with, and how many events of the next one are. */
  readonly seq: number
  readonly part: number
  /** Failed tries of what is next: how many, since when, why, and when it is tried again. */
  readonly failing?:
    | { readonly tries: number; readonly since: number; readonly why: Words; readonly next: number }
    | undefined
  /** When something last arrived. */
  readonly sentAt?: number
  /** When something was last given up, and why. */
  readonly lost?: { readonly at: number; readonly why: Words }
}

/** `never`: the receiver says that it will not take this one. */
export type Sent = { readonly kind: 'taken' } | { readonly kind: 'failed' | 'never'; readonly why: Words }

/** What telling others of events needs from outside. */
export interface EventPorts {
  /** Entries of the audit after a number, oldest first. */
  readonly after: (seq: number, most: number) => Promise<readonly AuditStep[]>
  readonly stateOf: (webhook: string) => Promise<WebhookState | null>
  readonly saveState: (webhook: string, delivery: WebhookState) => Promise<void>
  /** Whether there is a secret to sign with. */
  readonly isReady: (webhook: Webhook) => boolean
  /** Sends a text of JSON, signed. Never throws. */
  readonly send: (webhook: Webhook, type: string, body: string) => Promise<Sent>
  /** How a request ended, as a sentence for whoever sees no card. */
  readonly endOf: (request: Request) => Words
  /** Where a request stands in the chat; null where it does not. */
  readonly linkTo: (request: string) => Promise<string | null>
}
