import type { RichTextBlock } from '@slack/types'
import { cutAtInstants, instant, isKoreanTime, outsideText, visible } from '../../../core/time/format.ts'
import type { Named, Rendered } from '../../../core/words/render.ts'
import { dateFormat } from './zoned.ts'

/** Whether a channel is a direct message: their ids begin with D. */
export function isDirect(channel: string): boolean {
  return channel.startsWith('D')
}

/** Escapes what Slack reads as control characters of its markup; nothing else, or names would look wrong. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, (mark) => (mark === '&' ? '&amp;' : mark === '<' ? '&lt;' : '&gt;'))
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * At most `most` UTF-16 units, cut between what people see as characters, with an ellipsis where something is gone.
 * What has to be `written` in another way is measured as it is written, so that no entity is cut in two.
 */
export function truncate(text: string, most: number, written: (text: string) => string = String): string {
  const whole = written(text)
  if (whole.length <= most) return whole
  // Where a character ends is decided by the one after it, so one unit more is looked at and never a whole long text.
  const head = text.slice(0, most + 1)
  // To find one character is a thousand times faster than to find all before it.
  if (written(head) === head) return `${head.slice(0, graphemes.segment(head).containing(most - 1)?.index ?? 0)}…`
  let kept = ''
  // Among printable ASCII each unit is a character, which need not be found out slowly.
  const characters = /^[ -~]*$/.test(head) ? head : Array.from(graphemes.segment(head), ({ segment }) => segment)
  for (const character of characters) {
    const more = written(character)
    if (kept.length + more.length > most - 1) break
    kept += more
  }
  return `${kept}…`
}

/** What a person typed, out of what Slack made of it: `<@U1|ana>` is @U1. One pass, so nothing is undone twice. */
export function typedText(text: string): string {
  return outsideText(text).replace(
    /<([^<>|]*)(?:\|([^<>]*))?>|&(amp|lt|gt);/g,
    (whole, inner?: string, label?: string, entity?: string) => {
      if (entity !== undefined) return entity === 'amp' ? '&' : entity === 'lt' ? '<' : '>'
      if (inner === undefined) return whole
      if (/^[@#!]/.test(inner)) return inner
      return typedText(label === undefined || label === '' ? inner : label)
    },
  )
}

type Element = Extract<RichTextBlock['elements'][number], { type: 'rich_text_section' }>['elements'][number]

/** Slack takes 3,000 characters in one text; this leaves room. */
export const longestText = 2_900

/** In the reader's own time zone and words: "tomorrow at 18:30", and in a Korean text "내일 오후 6:30". */
function formatIn(text: string): string {
  return isKoreanTime(text) ? '{date_short_pretty} {time}' : '{date_short_pretty} at {time}'
}

export type RichPiece = Rendered | { readonly link: string; readonly label: string }

/** Pieces are values, not markup, so nothing from outside can become a mention, a link or a format. */
export function elementsOf(piece: RichPiece): readonly Element[] {
  if (typeof piece === 'string') return textsOf(piece)
  if ('bold' in piece) return textsOf(piece.bold, { bold: true })
  if ('code' in piece) return [{ type: 'text', text: inUtc(piece.code) || '–', style: { code: true } }]
  if ('link' in piece) {
    const label = partsOf(piece.label, longestText).filter((part) => typeof part === 'string')
    return [{ type: 'link', url: piece.link, text: label.join('') || '–' }]
  }
  const { kind, id } = idOf(piece)
  if (kind === 'user') return [{ type: 'user', user_id: id }]
  return kind === 'group' ? [{ type: 'usergroup', usergroup_id: id }] : [{ type: 'channel', channel_id: id }]
}

function idOf(mention: Named) {
  return 'person' in mention ? ({ kind: 'user', id: mention.person.user } as const) : mention
}

/** Slack refuses an empty text, so nothing is no element. */
function textsOf(text: string, style?: { readonly bold: true }): readonly Element[] {
  return partsOf(text, longestText).map((part): Element => {
    const styled = style !== undefined && { style }
    return typeof part === 'string'
      ? { type: 'text', text: part, ...styled }
      : {
          type: 'date',
          timestamp: Math.floor(part / 1000),
          format: formatIn(text),
          fallback: written(part, text),
          ...styled,
        }
  })
}

/** A mention in Slack's markup, for the few places that take nothing else. */
export function markupOf(mention: Named): string {
  const { kind, id } = idOf(mention)
  return kind === 'user' ? `<@${id}>` : kind === 'group' ? `<!subteam^${id}>` : `<#${id}>`
}

/** An instant (ms) of a text in the same markup, in the reader's own time zone. */
export function dateMarkup(ms: number, text: string): string {
  return `<!date^${Math.floor(ms / 1000)}^${formatIn(text)}|${written(ms, text)}>`
}

/** Letters that a date takes up in a message, with its format and what is shown in its place. */
const size = 100

const [inEnglish, inKorean] = ['en-GB', 'ko'].map((language) => dateFormat(language, 'UTC'))

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
  const language = isKoreanTime(text) ? 'ko' : 'en'
  return partsOf(text, most)
    .map((part) => (typeof part === 'number' ? instant(part, language) : part))
    .join('')
}

export function hasInstant(text: string): boolean {
  return cutAtInstants(text).some((part) => typeof part === 'number')
}

/** The sentence for plain text, where nobody's time zone is known: "20 Nov 2026, 09:30 UTC". */
export function inUtc(text: string): string {
  return seenParts(text)
    .map((part) => (typeof part === 'number' ? written(part, text) : part))
    .join('')
}

function written(ms: number, text: string): string {
  return `${(isKoreanTime(text) ? inKorean : inEnglish)?.format(ms)} UTC`
}

/** Marks that frame no instant came from outside. */
export function seenParts(text: string): readonly (string | number)[] {
  return cutAtInstants(text).map((part) => (typeof part === 'number' ? part : visible(part)))
}
