import type { Offer, QueryAnswer } from '../../core/model/answer.ts'
import type { Status } from '../../core/model/request.ts'
import type { Actor } from '../../core/model/roles.ts'
import type { WorkflowStep } from '../../core/model/token.ts'
import type { Mention, Words } from '../../core/model/words.ts'

interface Link {
  readonly link: string
  readonly label: Words
}

/** A paragraph is made of these. */
export type Piece = Words | { readonly bold: Words } | Link | Mention

/** What a message says, as plain values; each chat decides how that looks. */
export interface Draft {
  /** A full sentence: notifications and screen readers have nothing else. */
  readonly says: Words
  readonly parts: readonly Part[]
}

export type Part =
  /** A paragraph, and a small line below one. */
  | { readonly kind: 'text'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'small'; readonly pieces: readonly (Words | Link | Mention)[] }
  /** Text from outside, as it is. */
  | { readonly kind: 'plain'; readonly text: string }
  /** One below the other, in letters of one width. */
  | { readonly kind: 'lines'; readonly lines: readonly Words[] }
  /** `more`: up to five that are rarely wanted, without a dialog of their own. */
  | { readonly kind: 'buttons'; readonly buttons: readonly DraftButton[]; readonly more?: readonly DraftButton[] }
  /** One of many, chosen from a list: for each of some things, what can be done about it. */
  | {
      readonly kind: 'choose'
      readonly label: Words
      readonly groups: readonly { readonly label: string; readonly choices: readonly DraftButton[] }[]
    }
  | { readonly kind: 'answer'; readonly answer: QueryAnswer }

export interface DraftButton {
  readonly label: Words
  /**
   * What a press does with `value`: hands it in as a line, opens the form of that line, shows its answer to everybody
   * in the channel, or answers the ask of that name.
   */
  readonly does: 'line' | 'form' | 'show' | 'yes' | 'no'
  readonly value: string
  readonly style?: 'primary' | 'danger'
  /** Asked once more before it counts. */
  readonly sure?: { readonly title: Words; readonly text: Words; readonly yes: Words; readonly no: Words }
}

/** One message that should exist for a request, as it should read now. */
export interface PlannedMessage {
  /** Stable for the life of the request: `card`, `ask.1`, `own.1`, `reminder.1.2`, `end`, `answer`, `note.…`. */
  readonly key: string
  readonly where: 'channel' | 'operations' | 'thread' | 'thread and channel' | 'private' | 'workflow'
  /** For private ones: to whom, in which channel, and whose response address serves. */
  readonly to?: {
    readonly user: string
    readonly channel: string
    readonly reply: string
    /** It answers a press in the card's thread, and belongs there. */
    readonly inThread?: boolean
  }
  /** What it says; of a file, what is said in its place when it cannot be sent. */
  readonly draft: Draft
  /** Whose question it is: notifications know no mentions, so it begins with their name there. */
  readonly asker?: Actor
  readonly file?: WantedFile
  /** For the workflow whose step waits for the end. */
  readonly report?: Report
  /** Below the words stands the token that this request has made, or the address of its calendar; it is kept nowhere. */
  readonly secret?: 'token' | 'address'
  /** Progress may wait and be skipped; ends and questions may not. */
  readonly urgent: boolean
  /** Not before this time, ms: most requests are over sooner, and then need no word in between. */
  readonly notBefore?: number
  /** False: it is only edited where it already stands. */
  readonly fresh: boolean
}

/** How the request of a workflow's step has ended. */
export interface Report {
  readonly step: WorkflowStep
  readonly request: string
  readonly status: Status
  /** Who said yes or no, and why if they said so. */
  readonly by?: Actor
  readonly because?: string
}

/** A file with the sentence above it. */
export interface WantedFile {
  readonly name: string
  readonly says: Words
  /** Which of the files that are kept beside a request, from 0. */
  readonly content: { readonly request: string; readonly at: number }
}

export function draft(says: Words, parts: readonly Part[]): Draft {
  return { says, parts }
}

export function sentenceDraft(says: Words, ...below: readonly DraftButton[]): Draft {
  return draft(says, [textPart(says), ...(below.length === 0 ? [] : [buttonsPart(...below)])])
}

export function textPart(...pieces: readonly Piece[]): Part {
  return { kind: 'text', pieces }
}

/** A paragraph of its own for what is not always said. */
export function perhapsPart(words: Words): readonly Part[] {
  return words === '' ? [] : [textPart(words)]
}

export function smallPart(...pieces: readonly (Words | Link | Mention)[]): Part {
  return { kind: 'small', pieces }
}

export function buttonsPart(...buttons: readonly DraftButton[]): Part {
  return { kind: 'buttons', buttons }
}

/** Lines as buttons. Whoever presses one hands the line in as if typed, so it gives nobody more than they have. */
export function offersPart(offers: readonly Offer[] = []): readonly Part[] {
  return offers.length === 0 ? [] : [buttonsPart(...offers.slice(0, 10).map(lineButton))]
}

export function lineButton({ label, line, opens }: Offer): DraftButton {
  return { label, does: opens === 'form' ? 'form' : 'line', value: line }
}

/** An answer, called by its title; the chat says its rows as well. */
export function answerDraft(answer: QueryAnswer): Draft {
  return draft(answer.title, [{ kind: 'answer', answer }])
}
