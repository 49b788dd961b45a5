import type { RichTextBlock } from '@slack/types'
import { cutAtInstants, instant, isKoreanTime, outsideText, visible } from '../../../core/time/format.ts'
import type { Named, Rendered } from '../../../core/words/render.ts'

/** Whether a channel is a direct message, whose id begins with D. */
export function isDirect(channel: string): boolean {
  return channel.startsWith('D')
}

/** Escapes only the control characters of Slack's markup; names would look wrong otherwise. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, (mark) => (mark === '&' ? '&amp;' : mark === '<' ? '&lt;' : '&gt;'))
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Cuts a text to `most` UTF-16 units, between characters as people see them, and adds an ellipsis. The length counts
 * after `written`, which may escape characters, so that no entity is cut in two.
 */
export function truncate(text: string, most: number, written: (text: string) => string = String): string {
  const whole = written(text)
  if (whole.length <= most) return whole
  // The next unit decides where a character ends, so one more unit is enough, however long the text is.
  const head = text.slice(0, most + 1)
  // Finding one character is a thousand times faster than finding all before it.
  if (written(head) === head) return `${head.slice(0, graphemes.segment(head).containing(most - 1)?.index ?? 0)}…`
  let kept = ''
  // In printable ASCII each unit is a character, so the slow segmenter is not needed.
  const characters = /^[ -~]*$/.test(head) ? head : Array.from(graphemes.segment(head), ({ segment }) => segment)
  for (const character of characters) {
    const more = written(character)
    if (kept.length + more.length > most - 1) break
    kept += more
  }
  return `${kept}…`
}

/**
 * Restores what a person typed, except that a person becomes an id, which commands need: `<@U1|ana>` is @U1, and
 * `<#C1|ops>` is #ops. It makes one pass, so nothing is decoded twice.
 */
export function typedText(text: string): string {
  return outsideText(text).replace(
    /<([^<>|]*)(?:\|([^<>]*))?>|&(amp|lt|gt);/g,
    (whole, inner?: string, label?: string, entity?: string) => {
      if (entity !== undefined) return entity === 'amp' ? '&' : entity === 'lt' ? '<' : '>'
      if (inner === undefined) return whole
      if (label === undefined || label === '' || inner.startsWith('@'))
        return /^[@#!]/.test(inner) ? inner : typedText(inner)
      return `${inner.startsWith('#') ? '#' : ''}${typedText(label)}`
    },
  )
}

type Element = Extract<RichTextBlock['elements'][number], { type: 'rich_text_section' }>['elements'][number]

/** Slack's limit for one text is 3,000 characters; this leaves room. */
export const longestText = 2_900

/** Slack writes this in the reader's zone: "tomorrow at 18:30", or "내일 오후 6:30" in a Korean text. */
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

/** Slack refuses an empty text, so an empty text gets no element. */
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

/** Writes a mention in Slack's markup, for the few places that need it. */
export function markupOf(mention: Named): string {
  const { kind, id } = idOf(mention)
  return kind === 'user' ? `<@${id}>` : kind === 'group' ? `<!subteam^${id}>` : `<#${id}>`
}

/** Writes an instant (ms) in the same markup. Slack shows it in the reader's zone. */
export function dateMarkup(ms: number, text: string): string {
  return `<!date^${Math.floor(ms / 1000)}^${formatIn(text)}|${written(ms, text)}>`
}

/** How many characters a date takes in a message, with its format and fallback. */
const size = 100

export function dateFormat(language: string, timeZone: string): Intl.DateTimeFormat {
  const style = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(language, { timeZone, hourCycle: 'h23', ...style })
}

const [inEnglish, inKorean] = ['en-GB', 'ko'].map((language) => dateFormat(language, 'UTC'))

/** Splits a sentence into visible text and instants (ms since 1970), in about `most` characters. */
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

/** Shortens a sentence to about `most` characters without cutting an instant. */
export function shortened(text: string, most: number): string {
  const language = isKoreanTime(text) ? 'ko' : 'en'
  return partsOf(text, most)
    .map((part) => (typeof part === 'number' ? instant(part, language) : part))
    .join('')
}

export function hasInstant(text: string): boolean {
  return cutAtInstants(text).some((part) => typeof part === 'number')
}

/** Writes instants in UTC, for plain text in which the reader's zone is unknown: "20 Nov 2026, 09:30 UTC". */
export function inUtc(text: string): string {
  return seenParts(text)
    .map((part) => (typeof part === 'number' ? written(part, text) : part))
    .join('')
}

function written(ms: number, text: string): string {
  return `${(isKoreanTime(text) ? inKorean : inEnglish)?.format(ms)} UTC`
}

/** Splits a text at its instants. A mark that frames no instant came from outside, so it is made visible. */
export function seenParts(text: string): readonly (string | number)[] {
  return cutAtInstants(text).map((part) => (typeof part === 'number' ? part : visible(part)))
}
