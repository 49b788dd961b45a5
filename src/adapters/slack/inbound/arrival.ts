import type { Commands } from '../../../core/commands/commands.ts'
import type { Actor } from '../../../core/model/actor.ts'
import type { Via } from '../../../core/model/request.ts'
import type { Clock, Log } from '../../../core/ports/services.ts'
import type { Form } from '../forms/form.ts'
import type { Message } from '../kit/blocks.ts'
import type { Door } from '../projects.ts'

/** What taking something in needs. */
export interface Reception {
  readonly doors: readonly Door[]
  readonly commands: Commands
  readonly clock: Clock
}

/** A line as it came in, whoever typed or pressed it. */
export interface Arrival {
  /** Of the delivery: the same delivery is the same request. */
  readonly delivery: string
  readonly typed: string
  readonly via: Via
  readonly actor: Actor
  /** '' on the Home and in the global shortcut. */
  readonly channel: string
  /** The channel was picked in a form. */
  readonly chosen?: boolean
  /** Where the channel does not tell it. */
  readonly project?: string
  readonly replyUrl: string | undefined
  /** Show the answer to the whole channel. */
  readonly open?: boolean
  /** A form has sealed the secret values that the line names. */
  readonly sealed?: boolean
}

/** What became of something that came in, for whoever sent it. */
export type Taken =
  /** Stored: the rest is shown when it is done. */
  | { readonly kind: 'taken' }
  /** To be told at once, and to that person alone. */
  | { readonly kind: 'said'; readonly message: Message }
  /** It takes more words: a form asks for them. */
  | { readonly kind: 'form'; readonly form: Form }

export interface Listening extends Reception {
  readonly log: Log
  /** Whether an address is Slack's, so that an answer may be sent there later. */
  readonly isSlacks: (url: string) => boolean
}
