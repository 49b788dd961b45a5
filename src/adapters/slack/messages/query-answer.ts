import type { Button, ContextBlock, KnownBlock } from '@slack/types'
import type { QueryAnswer } from '../../../core/model/answer.ts'
import type { Member } from '../../../core/model/roles.ts'
import type { Piece } from '../../../lifecycle/messages/draft.ts'
import { memberList, votersOf } from '../../../lifecycle/messages/facts.ts'
import {
  buttons,
  type Message,
  message,
  offerButton,
  offered,
  paragraph,
  preformatted,
  row,
  smallWithin,
} from '../kit/blocks.ts'
import { type AnyBlock, barChart } from '../kit/chart.ts'
import { escaped, everyone, hasInstant, inUtc, longestText, shortened } from '../kit/text.ts'

/** A sentence to one person, with buttons below it where there is something to press. */
export function sentence(text: string, ...below: readonly Button[]): Message {
  return message(text, [paragraph(text), ...(below.length === 0 ? [] : [buttons(...below)])])
}

/** Slack counts all texts of a message together, some 13,000 characters. This is what is left for the rows. */
const room = 7_000
/** More rows than any answer has, and few enough for the blocks of a message. */
const most = 40
/** Longer than any title or foot of ours, unless a name in it is. */
const short = 300

/** A query's answer: a title, rows with their buttons, buttons below. */
export function answerBlocks(answer: QueryAnswer): readonly AnyBlock[] {
  const { title, titleTold = [title], items, block, chart, foot, offers = [] } = answer
  const several = items.slice(0, most)
  const left = block === undefined ? room : room / 2
  const needed = several.reduce((sum, { text, detail = '' }) => sum + escaped(inUtc(text + detail)).length, 0)
  const each = needed <= left ? longestText : Math.floor(left / Math.max(3, several.length))
  return [
    paragraph(...titleTold.map((piece) => (typeof piece === 'string' ? { bold: shortened(piece, short) } : piece))),
    ...(chart === undefined ? [] : [barChart(chart)]),
    ...several.flatMap((item) => itemBlocks(item, each)),
    ...(block === undefined ? [] : [preformatted(block)]),
    ...(foot ? [smallWithin(short, foot)] : []),
    ...offered(offers),
  ]
}

/**
 * A row, and below it who stands behind it, within `each` characters in all. Plain text can neither name people nor
 * tell the time in the reader's own zone: a row that does is a paragraph, with its button below. Several
 * buttons stand below in any case.
 */
function itemBlocks(item: QueryAnswer['items'][number], each: number): readonly KnownBlock[] {
  const { text, told = [text], detail = '', who, whom, offers = [] } = item
  const [first] = offers
  const beside = first && offers.length === 1 ? offerButton(first) : undefined
  const under = offers.length > 1 ? offered(offers) : []
  const half = Math.floor(each / 2)
  const named: readonly Piece[] = [...told, ...(whom === undefined ? [] : [' ', ...inSentence(whom)])]
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
  return whom.some(({ kind }) => kind === 'everyone') ? [everyone] : memberList(whom)
}

/** Who stands behind a row, and who has decided it. */
function behind({ detail = '', who, through = '', decided }: QueryAnswer['items'][number], room: number): ContextBlock {
  const person = who === undefined ? [] : [through, { person: who }]
  const by = decided === undefined ? [] : [`· ${decided.says}`, ...votersOf(decided.votes)]
  return smallWithin(room, ...person, detail, ...by)
}
