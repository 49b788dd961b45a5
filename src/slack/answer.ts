import type { Button, KnownBlock } from '@slack/types'
import type { Request } from '../domain/request.ts'
import type { Shown } from '../domain/shown.ts'
import { visible } from '../domain/visible.ts'
import { button, buttons, type Message, message, named, paragraph, preformatted, row, small } from './blocks.ts'
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
  const left = shown.block === undefined ? room : room / 2
  const each = Math.floor(left / Math.max(3, several.length))
  const items = several.flatMap((item) => itemBlocks(item, each))
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

/** A row, and below it who stands behind it: plain text cannot name people. Within `each` characters in all. */
function itemBlocks({ text, detail = '', who, offers }: Shown['items'][number], each: number): readonly KnownBlock[] {
  const [first] = offers ?? []
  const beside = first && offerButton(first)
  if (who === undefined) return [row([text, detail], beside, each)]
  const half = Math.floor(each / 2)
  return [row([text], beside, half), named(who, detail, half)]
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
