import type { WebClient } from '@slack/web-api'
import type { Language } from '../../../core/model/words.ts'
import type { MembersOf } from '../../../core/policy/who-answers.ts'
import type { WarnSparingly } from '../../../core/ports/meter.ts'
import type { Groups } from '../../../core/ports/request-store.ts'
import type { Clock, Log, People, Store, TokenSecrets } from '../../../core/ports/services.ts'
import type { Message } from '../kit/blocks.ts'
import type { RequestMessage } from '../messages/draw.ts'
import type { SlackFetch } from '../web/client.ts'
import type { Failure } from '../web/failures.ts'
import type { AddressOf, MessageLink } from './sent-messages.ts'

export interface Done {
  readonly kind: 'done'
  readonly channel: string
  readonly ts?: string
  /** The message was already there from an earlier attempt, with the text of that time. */
  readonly found?: true
}

export interface Sending {
  /** Our own id, kept in the message's metadata so that a search can find it. */
  readonly id: string
  readonly channel: string
  readonly wanted: RequestMessage
  readonly thread?: string | undefined
  /** Set if an earlier attempt may have arrived: the time of the first one, ms since 1970. */
  readonly unconfirmedSince?: number | undefined
  /** A second copy has already been sent. */
  readonly repeated?: true | undefined
}

/** What `createDelivery` needs. `fetch` calls the URLs that Slack returns. */
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
  /** Whether messages in this channel must name their project. */
  readonly isShared: (channel: string) => boolean
  /** The members of a role in the current policy file. */
  readonly membersOf: MembersOf
  readonly tokens: Pick<TokenSecrets, 'secretOf'>
  /** The language of the project's channels in the current policy file. */
  readonly language: () => Language
  readonly people: Pick<People, 'languageOf' | 'namesOf'>
  /** Takes a channel's next slot. Returns 0, or the ms to wait. Urgent messages may use a reserve. */
  readonly pace: (channel: string, urgent: boolean) => Promise<number>
  readonly claimGroup: Groups['claimGroup']
  readonly linkTo: MessageLink
  readonly addressOf: AddressOf
  readonly clock: Clock
  readonly log: Log
  /** Logs a repeated refusal by Slack once, then its count. */
  readonly warn: WarnSparingly
}
