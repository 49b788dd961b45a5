import type { Webhook } from '../model/policy.ts'
import type { Change } from '../model/records.ts'
import type { Event, Request, Status } from '../model/request.ts'
import type { Words } from '../model/words.ts'

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
