import type { Actor } from './actor.ts'
import type { Vote } from './ask.ts'
import type { Picture } from './picture.ts'
import type { Member } from './policy.ts'

/** A line as a button. */
export interface Offer {
  readonly label: string
  readonly line: string
}

/** A text too long for a message: a file for whoever asked, and nobody else. */
export interface Attachment {
  readonly name: string
  readonly text: string
}

/** A query's answer, as plain values; the chat decides how they look. */
export interface Shown {
  readonly title: string
  readonly items: readonly {
    readonly text: string
    readonly detail?: string
    /** Named before the detail. */
    readonly who?: Actor
    /** Said before the name: "by its schedule, made by". */
    readonly through?: string
    /** Named after the text. */
    readonly whom?: readonly Member[]
    /** Named after the detail, behind these words. */
    readonly decided?: { readonly says: string; readonly votes: readonly Pick<Vote, 'by' | 'for'>[] }
    readonly offers?: readonly Offer[]
  }[]
  /** Lines of text set apart, as they were written. */
  readonly block?: readonly string[]
  readonly foot?: string
  readonly offers?: readonly Offer[]
  readonly files?: readonly Attachment[]
  /** For everybody who sees the answer; its numbers stand in the rows as well. */
  readonly picture?: Picture
}
