import type { JsonObject } from './json.ts'
import { type Node, parseMrkdwn, parseTokens } from './mrkdwn/parse.ts'

/** What a message says. An update replaces it as a whole. */
export interface Content {
  readonly text: string
  readonly blocks: readonly JsonObject[]
  /** False if the post asked for unstyled text; mentions and links are still parsed. */
  readonly mrkdwn?: boolean
}

/** Parses the text of a message. */
export function textNodes({ text, mrkdwn = true }: Pick<Content, 'text' | 'mrkdwn'>): readonly Node[] {
  return mrkdwn ? parseMrkdwn(text) : parseTokens(text)
}

export interface Message extends Content {
  /** The channel's id. Together with `ts` it identifies the message, because `ts` is unique only per channel. */
  readonly channel: string
  readonly ts: string
  /** The author's id. */
  readonly user: string
  /** Set if an app wrote it. */
  readonly botId?: string
  readonly threadTs?: string
  /** Whether it is a reply that is also shown in the channel. */
  readonly broadcast: boolean
  /** Whether it shows "(edited)", as after an update without blocks. */
  readonly edited: boolean
  readonly deleted: boolean
  /** The id of the only person who sees it. */
  readonly ephemeralTo?: string
  readonly metadata?: JsonObject
  readonly files: readonly string[]
  /** Its earlier contents, oldest first. */
  readonly versions: readonly Content[]
  /** Whether the post asked Slack to turn bare names into mentions (`link_names`, `parse: full`). */
  readonly linksNames: boolean
  /** Whether Slack turns bare addresses of the text into links: yes, unless the post said `parse: none`. */
  readonly linksAddresses: boolean
}
