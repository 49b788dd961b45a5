import { plainText } from '../flatten.ts'
import { isObject, type JsonObject, objectAt, objectsAt, textAt } from '../json.ts'
import type { Message } from '../message.ts'
import type { Person, Workspace } from '../workspace.ts'
import { channelNamed, visibleTo } from './places.ts'

/** A button as somebody once saw it: it can be pressed later, when the message no longer shows it. */
export interface SeenButton {
  readonly message: Message
  readonly block: JsonObject
  readonly element: JsonObject
}

export interface WhereButton {
  /** Id or name of a channel. */
  readonly in?: string
  /** ts of a thread's parent. */
  readonly thread?: string
  /** The how-manieth from the newest, counted from 0. */
  readonly nth?: number
}

/** The newest button with this label that the person can see. */
export function findButton(
  workspace: Workspace,
  person: Person,
  label: string,
  where: WhereButton = {},
): SeenButton | undefined {
  const channel = where.in === undefined ? undefined : channelNamed(workspace, person, where.in).id
  const buttons = visibleTo(workspace, person, channel)
    .filter((m) => where.thread === undefined || m.threadTs === where.thread || m.ts === where.thread)
    .flatMap((message) => elementsOf(message.blocks).map(({ block, element }) => ({ message, block, element })))
    .filter(({ element }) => element['type'] === 'button' && plainText(workspace, objectAt(element, 'text')) === label)
  return buttons[where.nth ?? 0]
}

/** Everything in these blocks that can be pressed, chosen or filled in, with the block it stands in. */
export function elementsOf(
  blocks: readonly JsonObject[],
): readonly { readonly block: JsonObject; readonly element: JsonObject }[] {
  return blocks.flatMap((block) => {
    const single = [objectAt(block, 'accessory'), objectAt(block, 'element')].filter(isObject)
    const several =
      block['type'] === 'actions' || block['type'] === 'context_actions' ? objectsAt(block, 'elements') : []
    return [...single, ...several]
      .filter((one) => textAt(one, 'action_id') !== undefined)
      .map((element) => ({ block, element }))
  })
}
