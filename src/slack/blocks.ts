import type { ActionsBlock, Button, ContextBlock, KnownBlock, RichTextBlock, SectionBlock } from '@slack/types'
import type { Actor } from '../domain/actor.ts'
import { visible } from '../domain/visible.ts'
import { cut, escaped } from './text.ts'

/** Slack's limits, with room: slack.md 4.3. */
const most = {
  text: 2_900,
  button: 75,
  value: 2_000,
  blocks: 45,
  fallback: 3_000,
  dialog: { title: 100, text: 300, button: 30 },
} as const

/** A message as Slack takes it. `text` is a full sentence: notifications and screen readers have nothing else. */
export interface Message {
  readonly text: string
  readonly blocks: readonly KnownBlock[]
}

export type Piece =
  | string
  | { readonly bold: string }
  | { readonly person: Actor }
  | { readonly link: string; readonly label: string }

/** One paragraph. Pieces are values, not markup, so nothing from outside can become a mention, a link or a format. */
export function paragraph(...pieces: readonly Piece[]): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: pieces.filter(isSomething).map(elementOf) }],
  }
}

/** Slack refuses an empty text. */
function isSomething(piece: Piece): boolean {
  return piece !== '' && !(typeof piece === 'object' && 'bold' in piece && piece.bold === '')
}

type Element = Extract<RichTextBlock['elements'][number], { type: 'rich_text_section' }>['elements'][number]

function elementOf(piece: Piece): Element {
  if (typeof piece === 'string') return { type: 'text', text: cut(visible(piece), most.text) }
  if ('bold' in piece) return { type: 'text', text: cut(visible(piece.bold), most.text), style: { bold: true } }
  if ('person' in piece) return { type: 'user', user_id: piece.person.user }
  return { type: 'link', url: piece.link, text: cut(visible(piece.label), most.text) }
}

/** Lines as they were written, one below the other, in letters of one width. */
export function preformatted(lines: readonly string[]): RichTextBlock {
  const text = cut(lines.map(visible).join('\n') || '–', most.text)
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] }
}

/** Lines of plain text, with a button beside them where there is one, in as many characters as there is `room` for. */
export function row(lines: readonly string[], beside?: Button, room: number = most.text): SectionBlock {
  const shown = lines.filter((line) => line !== '').map(visible)
  return {
    type: 'section',
    text: { type: 'plain_text', text: cut(shown.join('\n') || '–', room, escaped), emoji: false },
    ...(beside && { accessory: beside }),
  }
}

/** A small line below. People stand in elements of their own, since plain text cannot name them. */
export function small(...pieces: readonly (string | { readonly person: Actor })[]): ContextBlock {
  const elements = pieces
    .filter((piece) => piece !== '')
    .map((piece): ContextBlock['elements'][number] =>
      typeof piece === 'string'
        ? { type: 'plain_text', text: cut(visible(piece), 2_000, escaped), emoji: false }
        : { type: 'mrkdwn', text: `<@${piece.person.user}>` },
    )
  return { type: 'context', elements: elements.slice(0, 10) }
}

/** Somebody, and behind the name plain text in as many characters as there is `room` for. */
export function named(person: Actor, text: string, room: number): ContextBlock {
  const shown = cut(visible(text), room, escaped) || '–'
  const said = { type: 'plain_text', text: shown, emoji: false } as const
  return { type: 'context', elements: [{ type: 'mrkdwn', text: `<@${person.user}>` }, said] }
}

export function button(label: string, action: string, value: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    text: { type: 'plain_text', text: cut(visible(label), most.button, escaped), emoji: false },
    action_id: action,
    value: value.slice(0, most.value),
    ...(style && { style }),
  }
}

/** The button with a dialog of Slack's own before it counts: what would be done, why it is asked, yes and no. */
export function confirmed(one: Button, title: string, text: string, [yes, no]: readonly [string, string]): Button {
  const said = (words: string, room: number) =>
    ({ type: 'plain_text', text: cut(visible(words) || '–', room, escaped), emoji: false }) as const
  const { dialog } = most
  return {
    ...one,
    confirm: {
      title: said(title, dialog.title),
      text: said(text, dialog.text),
      confirm: said(yes, dialog.button),
      deny: said(no, dialog.button),
      style: 'danger',
    },
  }
}

export function buttons(...elements: readonly Button[]): ActionsBlock {
  return { type: 'actions', elements: [...elements] }
}

/** Puts a message together within Slack's limits. */
export function message(text: string, blocks: readonly KnownBlock[]): Message {
  return { text: cut(visible(text), most.fallback, escaped), blocks: blocks.slice(0, most.blocks) }
}
