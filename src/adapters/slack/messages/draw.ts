import type { QueryAnswer } from '../../../core/model/answer.ts'
import type { MembersOf } from '../../../core/policy/who-answers.ts'
import type { ClaimedRequest } from '../../../core/ports/services.ts'
import { answerDraft } from '../../../lifecycle/messages/answer.ts'
import type { Draft, DraftButton, Part } from '../../../lifecycle/messages/draft.ts'
import { type PlannedMessage, plannedMessages } from '../../../lifecycle/messages/planned.ts'
import {
  button,
  buttons,
  confirmed,
  contextLine,
  type Message,
  message,
  paragraph,
  preformatted,
  row,
} from '../kit/blocks.ts'
import type { AnyBlock } from '../kit/chart.ts'
import { answerBlocks } from './query-answer.ts'

/** A message that should exist, as Slack takes it. */
export interface RequestMessage extends Omit<PlannedMessage, 'draft'> {
  /** Of a file, what is said in its place when it cannot be sent. */
  readonly message: Message
}

/** Every message of a request, in the order they are to be sent. `about`: a link to the request that stood in its way. */
export function messagesOf(
  held: Pick<ClaimedRequest, 'request' | 'command'>,
  now: number,
  about: string | null,
  membersOf: MembersOf,
): readonly RequestMessage[] {
  return plannedMessages(held, now, about, membersOf).map(({ draft, ...planned }) => ({
    ...planned,
    message: drawn(draft),
  }))
}

export function drawn({ says, parts }: Draft): Message {
  return message(says, parts.flatMap(blocksOf))
}

export function shownMessage(answer: QueryAnswer): Message {
  return drawn(answerDraft(answer))
}

export function blocksOf(part: Part): readonly AnyBlock[] {
  switch (part.kind) {
    case 'text':
      return [paragraph(...part.pieces)]
    case 'small':
      return [contextLine(...part.pieces)]
    case 'plain':
      return [row([part.text])]
    case 'lines':
      return [preformatted(part.lines)]
    case 'buttons':
      return [buttons(...part.buttons.map(buttonOf))]
    case 'answer':
      return answerBlocks(part.answer)
  }
}

/** Slack wants every button of a block to have an id of its own. */
function buttonOf({ label, does, value, style, sure }: DraftButton, at: number, all: readonly DraftButton[]) {
  const nth = all.slice(0, at).filter((one) => one.does === does).length
  const action = does === 'yes' || does === 'no' ? `answer:${does}` : does === 'show' ? does : `${does}:${nth}`
  const press = button(label, action, value, style)
  return sure === undefined ? press : confirmed(press, sure)
}

/** A block's id that says of which project it is, wherever it stands. */
export function idIn(project: string, block: string): string {
  return `project:${project}:${block}`
}

export function projectIn(block: string): string | undefined {
  return /^project:([a-z0-9-]{1,32}):/.exec(block)?.[1]
}

/** The same blocks, whose buttons reach this project: the channel they are pressed in may be another's by then. */
export function tagWithProject(project: string, blocks: readonly AnyBlock[]): readonly AnyBlock[] {
  return blocks.map((block, at) => {
    const hasButtons = block.type === 'actions' || (block.type === 'section' && block.accessory !== undefined)
    return hasButtons && block.block_id === undefined ? { ...block, block_id: idIn(project, `${at}`) } : block
  })
}

/** A message of a project; `named`: it stands where people could take it for another's. */
export function ofProject(project: string, { text, blocks }: Message, named: boolean): Message {
  const whole = tagWithProject(project, blocks)
  return named
    ? { text: `${text} (project ${project})`, blocks: [...whole, contextLine(`Project ${project}`)] }
    : { text, blocks: whole }
}
