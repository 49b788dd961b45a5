import { elementsOf, optionsOf } from '../elements.ts'
import { plainText } from '../flatten.ts'
import { isObject, type JsonObject, objectAt, textAt } from '../json.ts'
import type { Message } from '../message.ts'
import { modalsOf } from '../views/stack.ts'
import type { View } from '../views/view.ts'
import type { Person, Workspace } from '../workspace.ts'
import { channelNamed, visibleTo } from './places.ts'

/** What contains an interactive element. */
export type Surface =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'view'; readonly view: View }

/** A button or menu as a person once saw it: it can be used later, when its message no longer shows it. */
export interface Seen {
  readonly surface: Surface
  readonly block: JsonObject
  readonly element: JsonObject
}

export interface Where {
  /** Id or name of a channel, `modal` or `home`. By default the open modal; without one, every channel. */
  readonly in?: string
  /** ts of a thread's parent. */
  readonly thread?: string
  /** Index among the matches, newest first. */
  readonly nth?: number
}

/** Finds the newest button, or option of a ⋯ menu, with this label that the person can see. */
export function findButton(workspace: Workspace, person: Person, label: string, where: Where = {}): Seen | undefined {
  const found = surfacesFor(workspace, person, where).flatMap(seenOn).flatMap(pressable)
  return found.filter(({ element }) => isButton(workspace, element, label))[where.nth ?? 0]
}

/** Finds the newest field or menu with this label, placeholder or action id. */
export function findField(workspace: Workspace, person: Person, named: string, where: Where = {}): Seen | undefined {
  const found = surfacesFor(workspace, person, where).flatMap(seenOn)
  return found.filter((seen) => seen.element['type'] !== 'button' && namesOf(workspace, seen).includes(named))[
    where.nth ?? 0
  ]
}

function surfacesFor(workspace: Workspace, person: Person, where: Where): readonly Surface[] {
  const modal = modalsOf(workspace, person.id).at(-1)
  const home = workspace.homes.get(person.id)
  if (where.in === 'home') return home ? [{ kind: 'view', view: home }] : []
  if (where.in === 'modal' || (where.in === undefined && modal)) return modal ? [{ kind: 'view', view: modal }] : []
  const channel = where.in === undefined ? undefined : channelNamed(workspace, person, where.in).id
  return visibleTo(workspace, person, channel)
    .filter((m) => where.thread === undefined || m.threadTs === where.thread || m.ts === where.thread)
    .map((message) => ({ kind: 'message', message }))
}

function seenOn(surface: Surface): readonly Seen[] {
  const { blocks } = surface.kind === 'message' ? surface.message : surface.view
  return elementsOf(blocks).map(({ block, element }) => ({ surface, block, element }))
}

/** Turns a ⋯ menu into one element for each option, with the option chosen. */
function pressable(seen: Seen): readonly Seen[] {
  const { element } = seen
  if (element['type'] !== 'overflow') return element['type'] === 'button' ? [seen] : []
  return optionsOf(element).map((option) => ({ ...seen, element: { ...element, selected_option: option } }))
}

function isButton(workspace: Workspace, element: JsonObject, label: string): boolean {
  return plainText(workspace, objectAt(objectAt(element, 'selected_option') ?? element, 'text')) === label
}

function namesOf(workspace: Workspace, { block, element }: Seen): readonly string[] {
  const texts = [objectAt(block, 'label'), objectAt(element, 'placeholder'), objectAt(block, 'text')]
  return [...texts.filter(isObject).map((one) => plainText(workspace, one)), textAt(element, 'action_id') ?? '']
}
