import type { ActionsBlock, Button, ContextBlock, KnownBlock, RichTextBlock, SectionBlock } from '@slack/types'
import type { Actor } from '../domain/actor.ts'
import { inUtc } from './instants.ts'
import { elementsOf, type Mention, markupOf, type Piece } from './pieces.ts'
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

/** One paragraph. */
export function paragraph(...pieces: readonly Piece[]): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: pieces.flatMap(elementsOf) }] }
}

/** Lines as they were written, one below the other, in letters of one width. */
export function preformatted(lines: readonly string[]): RichTextBlock {
  const text = cut(lines.map(inUtc).join('\n') || '–', most.text)
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] }
}

/** Lines of plain text, with a button beside them where there is one, in as many characters as there is `room` for. */
export function row(lines: readonly string[], beside?: Button, room: number = most.text): SectionBlock {
  const shown = lines.filter((line) => line !== '').map(inUtc)
  return {
    type: 'section',
    text: { type: 'plain_text', text: cut(shown.join('\n') || '–', room, escaped), emoji: false },
    ...(beside && { accessory: beside }),
  }
}

/** A small line below. Whoever is mentioned stands in an element of their own, since plain text cannot name them. */
export function small(...pieces: readonly (string | Mention)[]): ContextBlock {
  const elements = pieces
    .filter((piece) => piece !== '')
    .map((piece): ContextBlock['elements'][number] =>
      typeof piece === 'string'
        ? { type: 'plain_text', text: cut(inUtc(piece), 2_000, escaped), emoji: false }
        : { type: 'mrkdwn', text: markupOf(piece) },
    )
  return { type: 'context', elements: elements.slice(0, 10) }
}

/** Somebody, and behind the name plain text in as many characters as there is `room` for. */
export function nameBefore(person: Actor, text: string, room: number): ContextBlock {
  const shown = cut(inUtc(text), room, escaped) || '–'
  const said = { type: 'plain_text', text: shown, emoji: false } as const
  return { type: 'context', elements: [{ type: 'mrkdwn', text: markupOf({ person }) }, said] }
}

export function button(label: string, action: string, value: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    text: { type: 'plain_text', text: cut(inUtc(label), most.button, escaped), emoji: false },
    action_id: action,
    value: value.slice(0, most.value),
    ...(style && { style }),
  }
}

/** The button with a dialog of Slack's own before it counts: what would be done, why it is asked, yes and no. */
export function confirmed(one: Button, title: string, text: string, [yes, no]: readonly [string, string]): Button {
  const said = (words: string, room: number) =>
    ({ type: 'plain_text', text: cut(inUtc(words) || '–', room, escaped), emoji: false }) as const
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
  return { text: cut(inUtc(text), most.fallback, escaped), blocks: blocks.slice(0, most.blocks) }
}
