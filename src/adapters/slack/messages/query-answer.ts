import type { Button, ContextBlock, KnownBlock } from '@slack/types'
import { isSame, policyFile } from '../../../core/model/actor.ts'
import type { Shown } from '../../../core/model/answer.ts'
import type { Note, Request } from '../../../core/model/request.ts'
import type { Member } from '../../../core/model/roles.ts'
import {
  button,
  buttons,
  type Message,
  message,
  offerButton,
  offered,
  paragraph,
  preformatted,
  row,
  small,
  smallWithin,
} from '../kit/blocks.ts'
import { hasInstant, inUtc, type Piece, shortened } from '../kit/rich-text.ts'
import { escaped } from '../kit/text.ts'
import { joined, toldIn, votersOf } from './approvers.ts'
import { peopleIn } from './facts.ts'

/** A sentence to one person, with buttons below it where there is something to press. */
export function sentence(text: string, ...below: readonly Button[]): Message {
  return message(text, [paragraph(text), ...(below.length === 0 ? [] : [buttons(...below)])])
}

/** Slack counts all texts of a message together, some 13,000 characters. This is what is left for the rows. */
const room = 7_000
/** A text of Slack's, with room: slack.md 4.3. */
const longest = 2_900
/** More rows than any answer has, and few enough for the blocks of a message. */
const most = 40
/** Longer than any title or foot of ours, unless a name in it is. */
const short = 300

/** A query's answer: a title, rows with their buttons, buttons below. */
export function shownMessage(shown: Shown): Message {
  const several = shown.items.slice(0, most)
  const left = shown.block === undefined ? room : room / 2
  const needed = several.reduce((sum, { text, detail = '' }) => sum + escaped(inUtc(text + detail)).length, 0)
  const each = needed <= left ? longest : Math.floor(left / Math.max(3, several.length))
  const items = several.flatMap((item) => itemBlocks(item, each))
  const spoken = [
    shown.title,
    ...shown.items.slice(0, 20).map(({ text, detail }) => (detail === undefined ? text : `${text}: ${detail}`)),
  ]
  return message(spoken.join('. ').replaceAll('.. ', '. '), [
    paragraph(...titleOf(shown)),
    ...items,
    ...(shown.block === undefined ? [] : [preformatted(shown.block)]),
    ...(shown.foot ? [smallWithin(short, shown.foot)] : []),
    ...offered(shown.offers ?? []),
  ])
}

/** The title, with its people where it is a line that names some. */
function titleOf({ title }: Shown): readonly Piece[] {
  return peopleIn(title).map((piece) => (typeof piece === 'string' ? { bold: shortened(piece, short) } : piece))
}

/**
 * A row, and below it who stands behind it, within `each` characters in all. Plain text can neither name people nor
 * tell the time in the reader's own zone: a row that does is a paragraph, with its button below. Several
 * buttons stand below in any case.
 */
function itemBlocks(item: Shown['items'][number], each: number): readonly KnownBlock[] {
  const { text, detail = '', who, whom, offers = [] } = item
  const [first] = offers
  const beside = first && offers.length === 1 ? offerButton(first) : undefined
  const under = offers.length > 1 ? offered(offers) : []
  const half = Math.floor(each / 2)
  const named = [...peopleIn(text), ...(whom === undefined ? [] : [' ', ...inSentence(whom)])]
  const words = named.filter((piece) => typeof piece === 'string')
  const below = behind(item, half)
  if (words.length < named.length || [...words, who === undefined ? detail : ''].some(hasInstant)) {
    const pieces = named.map((piece) => (typeof piece === 'string' ? shortened(piece, half) : piece))
    return [
      paragraph(...pieces),
      ...(who === undefined && detail === '' ? [] : [below]),
      ...(beside ? [buttons(beside)] : under),
    ]
  }
  return who === undefined
    ? [row([words.join(''), detail], beside, each), ...under]
    : [row([words.join('')], beside, half), below, ...under]
}

function inSentence(whom: readonly Member[]): readonly Piece[] {
  return whom.some(({ kind }) => kind === 'everyone') ? toldIn([{ kind: 'everyone' }]) : joined(whom)
}

/** Who stands behind a row, and who has decided it. */
function behind({ detail = '', who, through = '', decided }: Shown['items'][number], room: number): ContextBlock {
  const person = who === undefined ? [] : [through, { person: who }]
  const by = decided === undefined ? [] : [`· ${decided.says}`, ...votersOf(decided.votes)]
  return smallWithin(room, ...person, detail, ...by)
}

/** What one person is told about a request. */
export function noteMessage({ says, who, told }: Note): Message {
  return message(says, [paragraph(says, ...(who ? [' ', { person: who }, '.'] : told ? [' ', ...toldIn(told)] : []))])
}

/** What a query has come to: private with [Show here], or open to the channel with who asked. */
export function answerOf(request: Request, about: string | null): Message {
  const { shown, ending, line, open, actor } = request
  if (shown === undefined) {
    const says = [ending?.says ?? '', ending?.quote === undefined ? '' : `“${ending.quote}”`].join(' ').trim()
    return message(says, [
      paragraph(
        says,
        ...(ending?.told ? [' ', ...toldIn(ending.told)] : []),
        ...(about === null ? [] : [' ', { link: about, label: 'Go to it' }]),
      ),
      ...offered(ending?.offers ?? []),
    ])
  }
  const body = shownMessage(shown)
  // What nobody asked for by name says how anybody may ask for it.
  const asked = isSame(actor, policyFile) ? small(`/endpoint ${line}`) : small({ person: actor }, line)
  if (open === true) return message(body.text, [...body.blocks, asked])
  // What was sent as a file is for whoever asked (rules.md 17).
  const foot = request.files === undefined ? [buttons(button('Show here', 'show', line))] : []
  const drawn = shown.picture === undefined ? [] : [small('The chart comes as a direct message.')]
  return message(body.text, [...body.blocks, ...drawn, ...foot])
}
