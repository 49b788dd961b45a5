import type {
  Block,
  Button,
  ContextBlock,
  HeaderBlock,
  KnownBlock,
  Overflow,
  PlainTextElement,
  RichTextBlock,
  SectionBlock,
} from '@slack/types'
import { visible } from '../../../core/time/format.ts'
import {
  dateMarkup,
  elementsOf,
  escaped,
  inUtc,
  longestText,
  markupOf,
  partsOf,
  type RichPiece,
  truncate,
} from './text.ts'

/** Slack's limits (docs.slack.dev/reference/block-kit), some of them lowered. */
const most = {
  blocks: 45,
  small: 10,
  fallback: 3_000,
  name: 80,
} as const

/** Not yet in `@slack/types`: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
export interface ChartBlock extends Block {
  readonly type: 'data_visualization'
  readonly title: string
  readonly chart: object
}

export type AnyBlock = KnownBlock | ChartBlock

/** A message in Slack's form. `text` is a full sentence, because notifications and screen readers use nothing else. */
export interface Message {
  readonly text: string
  readonly blocks: readonly AnyBlock[]
}

/** Turns off name links and markup, so that Slack shows the text exactly as it is. */
export function asIs({ text, blocks }: Message) {
  return { text, blocks: [...blocks], link_names: false, parse: 'none' as const }
}

/** `room`: the limit in characters. */
export function plain(text: string, room: number): PlainTextElement {
  return { type: 'plain_text', text: truncate(inUtc(text), room, escaped), emoji: false }
}

export function paragraph(...pieces: readonly RichPiece[]): RichTextBlock {
  return paragraphs([pieces])
}

/** Puts lines closer together than blocks would be. */
export function paragraphs(lines: readonly (readonly RichPiece[])[]): RichTextBlock {
  return {
    type: 'rich_text',
    elements: lines.map((pieces) => ({ type: 'rich_text_section', elements: pieces.flatMap(elementsOf) })),
  }
}

export function header(title: string): HeaderBlock {
  return { type: 'header', text: plain(title, 150) }
}

export function preformatted(lines: readonly string[]): RichTextBlock {
  const text = truncate(lines.map(inUtc).join('\n') || '–', longestText)
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] }
}

/** Shows at most `room` characters of plain text, with a button or menu beside them. */
export function row(lines: readonly string[], beside?: Button | Overflow, room: number = longestText): SectionBlock {
  const shown = lines.filter((line) => line !== '').map(inUtc)
  return {
    type: 'section',
    text: { type: 'plain_text', text: truncate(shown.join('\n') || '–', room, escaped), emoji: false },
    ...(beside && { accessory: beside }),
  }
}

type Small = ContextBlock['elements'][number]

export type SmallPiece = Exclude<RichPiece, { readonly bold: string } | { readonly code: string }>

export function contextLine(...pieces: readonly SmallPiece[]): ContextBlock {
  return smallWithin(2_000, ...pieces)
}

/**
 * Cuts each text to `room` characters. Mentions and instants get elements of their own, because plain text can hold
 * neither. If that makes more elements than Slack allows, times are written in UTC.
 */
export function smallWithin(room: number, ...pieces: readonly SmallPiece[]): ContextBlock {
  const shown = pieces.flatMap((piece, at): readonly (string | Small)[] => {
    if (typeof piece === 'object' && 'link' in piece) {
      return [{ type: 'mrkdwn', text: `<${escaped(piece.link)}|${escaped(piece.label)}>`, verbatim: true }]
    }
    if (typeof piece !== 'string') {
      return [{ type: 'mrkdwn', text: `${markupOf(piece)}${leading(mark, pieces[at + 1])}` }]
    }
    const isAfter = at > 0 && typeof pieces[at - 1] !== 'string'
    const text = (isAfter ? piece.slice(leading(mark, piece).length) : piece).trim()
    return text === '' ? [] : [text]
  })
  const whole = shown.flatMap((piece) => (typeof piece === 'string' ? timed(piece, room) : [piece]))
  const short = shown.map((piece) => (typeof piece === 'string' ? plain(piece, room) : piece))
  return { type: 'context', elements: whole.length <= most.small ? whole : short.slice(0, most.small) }
}

/** Returns the punctuation that begins a text and would look lost in its own element; '' for anything else. */
function leading(lost: RegExp, piece: unknown): string {
  return typeof piece === 'string' ? (lost.exec(piece)?.[0] ?? '') : ''
}

/** Splits a text into words and instants, which Slack shows in each reader's zone, with the punctuation after each. */
function timed(text: string, room: number): readonly Small[] {
  const parts = partsOf(text, Number.POSITIVE_INFINITY)
  const length = parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? 100 : escaped(part).length), 0)
  if (length > room || parts.every((part) => typeof part === 'string')) return [plain(text, room)]
  return parts.flatMap((part, at): readonly Small[] => {
    if (typeof part === 'string') {
      const rest = typeof parts[at - 1] === 'number' ? part.slice(leading(afterTime, part).length) : part
      return rest.trim() === '' ? [] : [plain(rest.trim(), room)]
    }
    return [{ type: 'mrkdwn', text: `${dateMarkup(part, text)}${leading(afterTime, parts[at + 1])}`, verbatim: true }]
  })
}

const mark = /^[.,;:)”]+/
/** Includes the particle after a Korean time. */
const afterTime = /^[가-힣.,;:)”]+/

/** Removes the final period, because more text follows. */
export function undotted<Piece>(piece: Piece | string): Piece | string {
  return typeof piece === 'string' ? piece.replace(/\.$/, '') : piece
}

export function message(text: string, blocks: readonly AnyBlock[]): Message {
  return { text: truncate(inUtc(text), most.fallback, escaped), blocks: blocks.slice(0, most.blocks) }
}

export function saidBy(name: string, { text, blocks }: Message): Message {
  return { text: `${truncate(visible(name), most.name, escaped)}: ${text}`, blocks }
}

/** Lists the forms to try until Slack accepts one: all, all but the chart, one short sentence, that without blocks. */
export function simplerForms(whole: Message): readonly Message[] {
  const blocks = whole.blocks.filter(({ type }) => type !== 'data_visualization')
  const short = shortMessage(whole)
  const words = blocks.length === whole.blocks.length ? [] : [{ ...whole, blocks }]
  return [whole, ...words, short, { text: short.text, blocks: [] }]
}

export function shortMessage({ text }: Message): Message {
  const short = truncate(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'), 500)
  return message(short, [paragraph(short)])
}
