import type { JsonObject } from './json.ts'
import { type Node, parseMrkdwn, parseTokens } from './mrkdwn/parse.ts'

/** What a message says; a message is changed by giving it another one of these. */
export interface Content {
  readonly text: string
  readonly blocks: readonly JsonObject[]
  readonly attachments: readonly JsonObject[]
  /** False when the post asked for its text not to be styled; mentions and links are read all the same. */
  readonly mrkdwn?: boolean
}

/** The text of a message, read. */
export function textNodes({ text, mrkdwn = true }: Pick<Content, 'text' | 'mrkdwn'>): readonly Node[] {
  return mrkdwn ? parseMrkdwn(text) : parseTokens(text)
}

export interface Message extends Content {
  /** Id of the channel; with `ts` the key of the message, since `ts` alone is unique per channel only. */
  readonly channel: string
  readonly ts: string
  /** Id of the author. */
  readonly user: string
  /** Set when an app wrote it. */
  readonly botId?: string
  readonly threadTs?: string
  /** A reply that is shown in the channel too. */
  readonly broadcast: boolean
  /** Shown with "(edited)": an update without blocks. */
  readonly edited: boolean
  readonly deleted: boolean
  /** Id of the one person who sees it. */
  readonly ephemeralTo?: string
  readonly metadata?: JsonObject
  readonly files: readonly string[]
  /** Names of reactions, with the people who gave them. */
  readonly reactions: ReadonlyMap<string, ReadonlySet<string>>
  /** What it said before, oldest first. */
  readonly versions: readonly Content[]
  /** The post asked Slack to turn bare names into mentions (`link_names`, `parse: full`). */
  readonly linksNames: boolean
  /** Slack turns bare addresses of the text into links, unless the post said `parse: none`. */
  readonly linksAddresses: boolean
  /** Unfurling as asked for by the post; undefined when it did not say. */
  readonly unfurls: { readonly links?: boolean; readonly media?: boolean }
}
