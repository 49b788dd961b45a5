import { type JsonObject, objectsAt } from '../json.ts'
import { withIds } from '../validate/blocks.ts'
import type { Workspace } from '../workspace.ts'
import { initialValues } from './values.ts'
import type { Values, View } from './view.ts'

/** Slack's limit of modals on top of each other. */
export const mostViews = 3

/** Creates a view from what the app gave. */
export function createView(workspace: Workspace, given: JsonObject): View {
  const blocks = withIds(objectsAt(given, 'blocks'), workspace.ids)
  return {
    id: workspace.ids.next('V'),
    type: given['type'] === 'home' ? 'home' : 'modal',
    given,
    blocks,
    hash: hashOf(workspace),
    values: initialValues(blocks),
  }
}

/** Returns the view with new content; input stays if its block id and action id stay. */
export function updatedView(workspace: Workspace, view: View, given: JsonObject): View {
  const blocks = withIds(objectsAt(given, 'blocks'), workspace.ids)
  return { ...view, given, blocks, hash: hashOf(workspace), values: kept(initialValues(blocks), view.values) }
}

function hashOf({ settings, ids }: Workspace): string {
  return `${Math.floor(settings.clock.now() / 1000)}.${ids.next('h')}`
}

function kept(fresh: Values, old: Values): Values {
  const values: Record<string, Record<string, JsonObject>> = {}
  for (const [blockId, actions] of Object.entries(fresh)) {
    const block: Record<string, JsonObject> = {}
    for (const [actionId, value] of Object.entries(actions)) {
      const before = old[blockId]?.[actionId]
      block[actionId] = before && before['type'] === value['type'] ? before : value
    }
    values[blockId] = block
  }
  return values
}

export function modalsOf(workspace: Workspace, user: string): readonly View[] {
  return workspace.modals.get(user) ?? []
}

export function setModals(workspace: Workspace, user: string, views: readonly View[]): void {
  workspace.modals.set(user, views)
  workspace.news.tell('view', { user })
}

export function setHome(workspace: Workspace, user: string, view: View): void {
  workspace.homes.set(user, view)
  workspace.news.tell('view', { user })
}

/** Puts a changed view back in its place: in the person's stack, or on their Home. */
export function replaceView(workspace: Workspace, user: string, view: View): void {
  const replaced = modalsOf(workspace, user).map((one) => (one.id === view.id ? view : one))
  if (view.type === 'home') setHome(workspace, user, view)
  else setModals(workspace, user, replaced)
}

/** Finds a view and the person who has it. */
export function findView(workspace: Workspace, id: string): { user: string; view: View } | undefined {
  for (const [user, views] of [
    ...workspace.modals,
    ...[...workspace.homes].map(([user, home]) => [user, [home]] as const),
  ]) {
    const view = views.find((one) => one.id === id)
    if (view) return { user, view }
  }
  return undefined
}
