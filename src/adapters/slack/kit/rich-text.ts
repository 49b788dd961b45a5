import type { RichTextBlock } from '@slack/types'
import { isSame, policyFile } from '../../../core/model/actor.ts'
import { visible } from '../../../core/text/unicode.ts'
import { cutAtInstants, instant } from '../../../core/time/format.ts'
import type { Mention, Piece } from '../../../lifecycle/messages/draft.ts'
import { truncate } from './text.ts'

type Element = Extract<RichTextBlock['elements'][number], { type: 'rich_text_section' }>['elements'][number]

/** Slack takes 3,000 characters in one text; this leaves room. */
const longest = 2_900
/** What acts in nobody's name. */
const nobody = 'the policy file'
/** Whoever can be meant by a workspace. */
export const everyone = 'anybody in this workspace'
/** In the reader's own time zone and words: "tomorrow at 18:30". */
const format = '{date_short_pretty} at {time}'

/** Pieces are values, not markup, so nothing from outside can become a mention, a link or a format. */
export function elementsOf(piece: Piece): readonly Element[] {
  if (typeof piece === 'string') return textsOf(piece)
  if ('bold' in piece) return textsOf(piece.bold, { bold: true })
  if ('link' in piece) {
    const label = partsOf(piece.label, longest).filter((part) => typeof part === 'string')
    return [{ type: 'link', url: piece.link, text: label.join('') || '–' }]
  }
  if ('person' in piece)
    return isSame(piece.person, policyFile) ? textsOf(nobody) : [{ type: 'user', user_id: piece.person.user }]
  switch (piece.kind) {
    case 'everyone':
      return textsOf(everyone)
    case 'user':
      return [{ type: 'user', user_id: piece.id }]
    case 'group':
      return [{ type: 'usergroup', usergroup_id: piece.id }]
    case 'channel':
      return [{ type: 'channel', channel_id: piece.id }]
  }
}

/** Slack refuses an empty text, so nothing is no element. */
function textsOf(text: string, style?: { readonly bold: true }): readonly Element[] {
  return partsOf(text, longest).map((part): Element => {
    const styled = style !== undefined && { style }
    return typeof part === 'string'
      ? { type: 'text', text: part, ...styled }
      : { type: 'date', timestamp: Math.floor(part / 1000), format, fallback: written(part), ...styled }
  })
}

/** A mention in Slack's markup, for the few places that take nothing else. */
export function markupOf(mention: Mention): string {
  if ('person' in mention) return isSame(mention.person, policyFile) ? nobody : `<@${mention.person.user}>`
  if (mention.kind === 'everyone') return everyone
  const { kind, id } = mention
  return kind === 'user' ? `<@${id}>` : kind === 'group' ? `<!subteam^${id}>` : `<#${id}>`
}

/** An instant (ms) in the same markup, in the reader's own time zone. */
export function dateMarkup(ms: number): string {
  return `<!date^${Math.floor(ms / 1000)}^${format}|${written(ms)}>`
}

/** Letters that a date takes up in a message, with its format and what is shown in its place. */
const size = 100

const utc = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** A sentence cut where instants stand, in about `most` letters: what can be seen of its texts, and ms since 1970. */
export function partsOf(text: string, most: number): readonly (string | number)[] {
  let left = most
  const parts: (string | number)[] = []
  for (const part of seenParts(text)) {
    const length = typeof part === 'number' ? size : part.length
    if (length > left) {
      parts.push(typeof part === 'string' && left > 0 ? truncate(part, left) : '…')
      break
    }
    parts.push(part)
    left -= length
  }
  return parts
}

/** The same sentence in about `most` letters, its instants whole. */
export function shortened(text: string, most: number): string {
  return partsOf(text, most)
    .map((part) => (typeof part === 'number' ? instant(part) : part))
    .join('')
}

/** Whether a sentence tells a time. */
export function hasInstant(text: string): boolean {
  return cutAtInstants(text).some((part) => typeof part === 'number')
}

/** The sentence for plain text, where nobody's time zone is known: "20 Nov 2026, 09:30 UTC". */
export function inUtc(text: string): string {
  return seenParts(text)
    .map((part) => (typeof part === 'number' ? written(part) : part))
    .join('')
}

/** An instant for people whose time zone is not known. */
function written(ms: number): string {
  return `${utc.format(ms)} UTC`
}

/** Marks that frame no instant came from outside. */
function seenParts(text: string): readonly (string | number)[] {
  return cutAtInstants(text).map((part) => (typeof part === 'number' ? part : visible(part)))
}
