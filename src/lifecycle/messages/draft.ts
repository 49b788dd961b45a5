import type { Offer, QueryAnswer } from '../../core/model/query-answer.ts'
import type { Status } from '../../core/model/request.ts'
import type { Actor } from '../../core/model/roles.ts'
import type { WorkflowStep } from '../../core/model/token.ts'
import { type Mention, saysNothing, type Words } from '../../core/model/words.ts'

interface Link {
  readonly link: string
  readonly label: Words
}

export type Piece = Words | { readonly bold: Words } | Link | Mention

/** A message as plain values. Each chat decides how it looks. */
export interface Draft {
  /** A full sentence, because notifications and screen readers get nothing else. */
  readonly says: Words
  readonly parts: readonly Part[]
}

export type Part =
  /** A paragraph, and a small line below it. */
  | { readonly kind: 'text'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'small'; readonly pieces: readonly (Words | Link | Mention)[] }
  /** Lines below each other, in a monospaced font. */
  | { readonly kind: 'lines'; readonly lines: readonly Words[] }
  /** `more`: up to five less common buttons, without a dialog of their own. */
  | { readonly kind: 'buttons'; readonly buttons: readonly DraftButton[]; readonly more?: readonly DraftButton[] }
  /** A list to choose from: several things, each with its own choices. */
  | {
      readonly kind: 'choose'
      readonly label: Words
      readonly groups: readonly { readonly label: string; readonly choices: readonly DraftButton[] }[]
    }
  | { readonly kind: 'answer'; readonly answer: QueryAnswer }

export interface DraftButton {
  readonly label: Words
  /** A press sends `value` as a line, opens its form, shows its answer to the channel, or answers that ask. */
  readonly does: 'line' | 'form' | 'show' | 'yes' | 'no'
  readonly value: string
  readonly style?: 'primary' | 'danger'
  /** Asks for confirmation first. */
  readonly sure?: { readonly title: Words; readonly text: Words; readonly yes: Words; readonly no: Words }
}

/** A message that should exist for a request, with its current content. */
export interface PlannedMessage {
  /** Stable throughout the request, such as `card`, `ask.1`, `reminder.1.2`, `file.0` or `end`. */
  readonly key: string
  readonly where: 'channel' | 'operations' | 'thread' | 'thread and channel' | 'private' | 'workflow'
  /** For private messages: the recipient, the channel, and the delivery whose response URL can be used. */
  readonly to?: {
    readonly user: string
    readonly channel: string
    readonly reply: string
    /** Answers a press in the card's thread, so it is shown there. */
    readonly inThread?: boolean
  }
  /** The content; for a file, what to say if the file cannot be sent. */
  readonly draft: Draft
  /** The person who asked. A notification starts with their name, because it cannot show mentions. */
  readonly asker?: Actor
  readonly file?: WantedFile
  /** For a workflow whose step waits for the end. */
  readonly report?: Report
  /** The secret to show below the text: the request's new token, or its calendar's address. Stored nowhere. */
  readonly secret?: 'token' | 'address'
  /** False for progress, which may be delayed or skipped; true for ends and questions. */
  readonly urgent: boolean
  /** The earliest time to post, ms since 1970. Most requests end sooner and then need no message in between. */
  readonly notBefore?: number
  /** A post from before is out of date (ms since 1970): the message is posted anew, and the old post becomes `card.old`. */
  readonly anewAfter?: number
  /** False: only edit the message if it was posted already. */
  readonly fresh: boolean
}

/** The outcome of a workflow step's request. */
export interface Report {
  readonly step: WorkflowStep
  readonly request: string
  readonly status: Status
  /** The person who decided, and the reason if they gave one. */
  readonly by?: Actor
  readonly because?: string
}

export interface WantedFile {
  readonly name: string
  readonly says: Words
  /** The file's place among those kept with the request, from 0. */
  readonly content: { readonly request: string; readonly at: number }
}

export function draft(says: Words, parts: readonly Part[]): Draft {
  return { says, parts }
}

export function sentenceDraft(says: Words): Draft {
  return draft(says, [textPart(says)])
}

export function textPart(...pieces: readonly Piece[]): Part {
  return { kind: 'text', pieces }
}

/** Returns a paragraph for words that may be empty. */
export function perhapsPart(words: Words): readonly Part[] {
  return saysNothing(words) ? [] : [textPart(words)]
}

export function smallPart(...pieces: readonly (Words | Link | Mention)[]): Part {
  return { kind: 'small', pieces }
}

export function buttonsPart(...buttons: readonly DraftButton[]): Part {
  return { kind: 'buttons', buttons }
}

/** Lines as buttons. A press counts as typing the line, so it gives no one additional rights. */
export function offersPart(offers: readonly Offer[] = []): readonly Part[] {
  return offers.length === 0 ? [] : [buttonsPart(...offers.slice(0, 10).map(lineButton))]
}

export function lineButton({ label, line, opens }: Offer): DraftButton {
  return { label, does: opens === 'form' ? 'form' : 'line', value: line }
}

/** An answer under its title. The chat adds its rows to the notification. */
export function answerDraft(answer: QueryAnswer): Draft {
  return draft(answer.title, [{ kind: 'answer', answer }])
}
