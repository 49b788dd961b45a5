import type { Button } from '@slack/types'
import type { Request } from '../domain/request.ts'
import type { Shown } from '../domain/shown.ts'
import { visible } from '../domain/visible.ts'
import { button, buttons, type Message, message, paragraph, preformatted, row, small } from './blocks.ts'
import { offerButton, offered } from './offers.ts'
import { cut } from './text.ts'

/** A sentence to one person, with buttons below it where there is something to press. */
export function sentence(text: string, ...below: readonly Button[]): Message {
  return message(text, [paragraph(text), ...(below.length === 0 ? [] : [buttons(...below)])])
}

/** Slack counts all texts of a message together, some 13,000 characters. This is what is left for the rows. */
const room = 7_000
/** Longer than any title or foot of ours, unless a name in it is. */
const short = 300

/** A query's answer: a title, rows with at most one button beside each, buttons below. */
export function shownMessage(shown: Shown): Message {
  const several = shown.items.slice(0, 30)
  const each = Math.floor(room / Math.max(3, several.length))
  const items = several.flatMap(({ text, detail = '', who, offers }) => {
    const [first] = offers ?? []
    const beside = row(who === undefined ? [text, detail] : [text], first && offerButton(first), each)
    return who === undefined ? [beside] : [beside, small({ person: who }, cut(visible(detail), each))]
  })
  const spoken = [
    shown.title,
    ...shown.items.slice(0, 20).map(({ text, detail }) => (detail === undefined ? text : `${text}: ${detail}`)),
  ]
  return message(spoken.join('. '), [
    paragraph({ bold: cut(visible(shown.title), short) }),
    ...items,
    ...(shown.block === undefined ? [] : [preformatted(shown.block)]),
    ...(shown.foot ? [small(cut(visible(shown.foot), short))] : []),
    ...offered(shown.offers ?? []),
  ])
}

/** What a query has come to: private with [Show here], or open to the channel with who asked. */
export function answerOf(request: Request, about: string | null): Message {
  const { shown, ending, line, open, actor } = request
  if (shown === undefined) {
    const says = [ending?.says ?? '', ending?.quote === undefined ? '' : `“${ending.quote}”`].join(' ').trim()
    return message(says, [
      paragraph(says, ...(about === null ? [] : [' ', { link: about, label: 'Go to it' }])),
      ...offered(ending?.offers ?? []),
    ])
  }
  const body = shownMessage(shown)
  if (open === true) return message(body.text, [...body.blocks, small({ person: actor }, line)])
  // What was sent as a file is for whoever asked (rules.md 17).
  const foot = request.files === undefined ? [buttons(button('Show here', 'show', line))] : []
  return message(body.text, [...body.blocks, ...foot])
}
