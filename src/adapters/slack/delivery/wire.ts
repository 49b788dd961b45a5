import type { WebClient } from '@slack/web-api'
import type { Language } from '../../../core/model/words.ts'
import type { MembersOf } from '../../../core/policy/who-answers.ts'
import type { WarnSparingly } from '../../../core/ports/meter.ts'
import type { Groups } from '../../../core/ports/request-store.ts'
import type { Clock, Log, People, Store, TokenSecrets } from '../../../core/ports/services.ts'
import type { Message } from '../kit/blocks.ts'
import type { RequestMessage } from '../messages/draw.ts'
import type { Failure } from '../web/calls.ts'
import type { SlackFetch } from '../web/client.ts'
import type { AddressOf, MessageLink } from './sent-messages.ts'

export interface Done {
  readonly kind: 'done'
  readonly channel: string
  readonly ts?: string
  /** It was there already, from an earlier try; it says what was meant then. */
  readonly found?: true
}

export interface Sending {
  /** Ours, kept in the message's metadata, so that it can be found again. */
  readonly id: string
  readonly channel: string
  readonly wanted: RequestMessage
  readonly thread?: string | undefined
  /** Set when an earlier try may have arrived, ms since 1970. */
  readonly unconfirmedSince?: number | undefined
  /** One copy more has been sent already. */
  readonly repeated?: true | undefined
}

/** What a delivery is made with. `fetch` is for addresses that Slack gives. */
export interface DeliveryParts {
  readonly client: WebClient
  readonly fetch: SlackFetch
  readonly store: Pick<Store, 'replyUrlOf' | 'fileOf' | 'postsOf'>
}

export interface Delivery {
  send(sending: Sending): Promise<Done | Failure>
  edit(at: { readonly channel: string; readonly ts: string }, message: Message): Promise<Done | Failure>
}

export interface Wire {
  readonly delivery: Delivery
  readonly operationsChannel: () => string | undefined
  /** Whether people could take what stands in this channel for another project's. */
  readonly isShared: (channel: string) => boolean
  /** Whom the policy gives a role, as the file says now. */
  readonly membersOf: MembersOf
  readonly tokens: Pick<TokenSecrets, 'secretOf'>
  /** What the project's channels read, as the file says now. */
  readonly language: () => Language
  readonly people: Pick<People, 'languageOf' | 'namesOf'>
  /** Asks for a channel's next message: 0, or the ms to wait. Urgent ones may use what is kept back for them. */
  readonly pace: (channel: string, urgent: boolean) => Promise<number>
  readonly holdGroup: Groups['holdGroup']
  readonly linkTo: MessageLink
  readonly addressOf: AddressOf
  readonly clock: Clock
  readonly log: Log
  /** Warns of what Slack refuses, once and then by count. */
  readonly warn: WarnSparingly
}
