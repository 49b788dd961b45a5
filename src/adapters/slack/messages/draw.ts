import type { Button } from '@slack/types'
import type { QueryAnswer } from '../../../core/model/query-answer.ts'
import { type Language, say, type Words } from '../../../core/model/words.ts'
import { asText, rendered } from '../../../core/words/render.ts'
import {
  answerDraft,
  type Draft,
  type DraftButton,
  type Part,
  type Piece,
  type PlannedMessage,
} from '../../../lifecycle/messages/draft.ts'
import {
  type AnyBlock,
  contextLine,
  type Message,
  message,
  paragraph,
  preformatted,
  type SmallPiece,
} from '../kit/blocks.ts'
import { button, buttons, chooser, confirmed, overflow } from '../kit/buttons.ts'
import { isDirect, type RichPiece } from '../kit/text.ts'
import { answerBlocks, mentionsIn } from './query-answer.ts'

export interface RequestMessage extends Omit<PlannedMessage, 'draft'> {
  /** For a file, the message to send if the file cannot be sent. */
  readonly message: Message
  readonly language: Language
}

export function messageOf({ draft, ...planned }: PlannedMessage, language: Language): RequestMessage {
  const { channel = '', user } = planned.to ?? {}
  const isAlone = isDirect(channel) || channel === user
  return { ...planned, language, message: drawn(isAlone ? unshown(draft) : draft, language) }
}

/** Leaves out [Post to channel], which would post a second copy in a direct message. */
function unshown({ says, parts }: Draft): Draft {
  const left = parts.map((part) =>
    part.kind === 'buttons' ? { ...part, buttons: part.buttons.filter(({ does }) => does !== 'show') } : part,
  )
  return {
    says,
    parts: left.filter((part) => part.kind !== 'buttons' || [...part.buttons, ...(part.more ?? [])].length > 0),
  }
}

export function drawn({ says, parts }: Draft, language: Language): Message {
  const rows = parts.flatMap((part) => (part.kind === 'answer' ? spokenRows(part.answer, language) : []))
  return message(
    [asText(says, language), ...rows].join('. ').replace(/([.:?!])\. /g, '$1 '),
    parts.flatMap((part) => blocksOf(part, language)),
  )
}

export function shownMessage(answer: QueryAnswer, language: Language): Message {
  return drawn(answerDraft(answer), language)
}

export function sentence(language: Language, words: Words, ...below: readonly Button[]): Message {
  return message(asText(words, language), [
    paragraph(...rendered(words, language)),
    ...(below.length === 0 ? [] : [buttons(...below)]),
  ])
}

/** Writes the rows of an answer as text, for screen readers. */
function spokenRows({ items }: QueryAnswer, language: Language): readonly string[] {
  return items.slice(0, 20).map(({ text, detail = '', usages = [] }) => {
    const lines = usages.map(({ line }) => line).join(', ')
    const below = asText(detail, language) || lines
    const head = asText(text, language)
    return below === '' ? head : `${head.replace(/\.$/, '')}: ${below}`
  })
}

export function blocksOf(part: Part, language: Language): readonly AnyBlock[] {
  const drawnOf = (some: readonly DraftButton[]) => some.map((one, at) => buttonOf(one, at, some, language))
  switch (part.kind) {
    case 'text':
      return [paragraph(...part.pieces.flatMap((piece) => piecesIn(piece, language)))]
    case 'small':
      return [contextLine(...part.pieces.flatMap((piece) => smallIn(piece, language)))]
    case 'lines':
      return [preformatted(part.lines.map((line) => asText(line, language)))]
    case 'buttons': {
      const more = overflow(drawnOf(part.more ?? []))
      return [buttons(...drawnOf(part.buttons), ...(more === undefined ? [] : [more]))]
    }
    case 'choose':
      return [
        buttons(
          chooser(
            asText(part.label, language),
            part.groups.map(({ label, choices }) => ({ label, behind: drawnOf(choices) })),
          ),
        ),
      ]
    case 'answer':
      return answerBlocks(part.answer, language)
  }
}

function piecesIn(piece: Piece, language: Language): readonly RichPiece[] {
  if (typeof piece === 'string' || Array.isArray(piece) || 'say' in piece) return rendered(piece as Words, language)
  if (!('bold' in piece)) return smallIn(piece, language)
  return rendered(piece.bold, language).map((one) => (typeof one === 'string' ? { bold: one } : one))
}

function smallIn(piece: Exclude<Piece, { readonly bold: Words }>, language: Language): readonly SmallPiece[] {
  if (typeof piece === 'string' || !('link' in piece)) return mentionsIn(piece, language)
  return [{ link: piece.link, label: asText(piece.label, language) }]
}

/** Numbers buttons of one kind, because Slack requires unique ids within a block. */
function buttonOf(
  { label, does, value, style, sure }: DraftButton,
  at: number,
  all: readonly DraftButton[],
  language: Language,
) {
  const nth = all.slice(0, at).filter((one) => one.does === does).length
  const action = does === 'yes' || does === 'no' ? `answer:${does}` : does === 'show' ? does : `${does}:${nth}`
  const press = button(asText(label, language), action, value, style)
  if (sure === undefined) return press
  const read = (words: Words) => asText(words, language)
  return confirmed(press, read(sure.title), read(sure.text), read(sure.yes), read(sure.no))
}

/** Reads the project from an id that `tagWithProject` has made. */
export function projectIn(block: string): string | undefined {
  return /^project:([a-z0-9-]{1,32}):/.exec(block)?.[1]
}

/**
 * Ties the buttons of these blocks to a project, because their channel may belong to another one by then. `prefix`: makes
 * their ids unique among several lists of one view.
 */
export function tagWithProject(project: string, blocks: readonly AnyBlock[], prefix = ''): readonly AnyBlock[] {
  return blocks.map((block, at) => {
    const hasButtons = block.type === 'actions' || (block.type === 'section' && block.accessory !== undefined)
    const isTagged = !hasButtons || block.block_id !== undefined
    return isTagged ? block : { ...block, block_id: `project:${project}:${prefix}${at}` }
  })
}

/** Ties a message to its project. `named`: it also shows the project's name, for channels that projects share. */
export function ofProject(project: string, { text, blocks }: Message, language: Language, named: boolean): Message {
  const whole = tagWithProject(project, blocks)
  if (!named) return { text, blocks: whole }
  const says = asText(say('message.project', { project }), language)
  return { text: `${text} (${says})`, blocks: [...whole, contextLine(says)] }
}
