import { isObject, type JsonObject } from '../json.ts'
import type { Trigger } from '../triggers.ts'
import { checkView, largestView } from '../validate/views.ts'
import { viewAsJson } from '../views/json.ts'
import {
  createView,
  findView,
  modalsOf,
  mostViews,
  replaceView,
  setHome,
  setModals,
  updatedView,
} from '../views/stack.ts'
import type { Workspace } from '../workspace.ts'
import type { Args } from './args.ts'
import type { Context, Methods } from './call.ts'
import { Refusal, refusalWith } from './refusal.ts'

/** Modals and the app's Home. They need no scope, because a trigger is the permission. */
export const viewMethods: Methods = {
  'views.open': { perMinute: 100, run: open },
  'views.push': { perMinute: 100, run: push },
  'views.update': { perMinute: 100, run: update },
  'views.publish': { perMinute: 100, run: publish },
}

function open({ workspace, args }: Context): JsonObject {
  const given = readView(args, 'modal')
  const { user } = redeem(workspace, args)
  const view = createView(workspace, given)
  setModals(workspace, user, [view])
  return { view: viewAsJson(workspace, view) }
}

function push({ workspace, args }: Context): JsonObject {
  const given = readView(args, 'modal')
  const { user, view: from } = redeem(workspace, args)
  const stack = modalsOf(workspace, user)
  if (from === undefined || stack.length === 0) throw new Refusal('not_found')
  if (stack.length >= mostViews) throw new Refusal('push_limit_reached')
  const view = createView(workspace, given)
  setModals(workspace, user, [...stack, view])
  return { view: viewAsJson(workspace, view) }
}

function update({ workspace, args }: Context): JsonObject {
  const found = findView(workspace, args.required('view_id'))
  if (!found) throw new Refusal('not_found')
  const given = readView(args, found.view.type)
  checkHash(found.view.hash, args)
  const view = updatedView(workspace, found.view, given)
  replaceView(workspace, found.user, view)
  return { view: viewAsJson(workspace, view) }
}

function publish({ workspace, args }: Context): JsonObject {
  const user = args.required('user_id')
  const given = readView(args, 'home')
  const person = workspace.people.get(user)
  if (!person || person.deleted || person.bot) throw new Refusal('user_not_found')
  const before = workspace.homes.get(user)
  if (before) checkHash(before.hash, args)
  const view = before ? updatedView(workspace, before, given) : createView(workspace, given)
  setHome(workspace, user, view)
  return { view: viewAsJson(workspace, view) }
}

/** Reads and checks the view of a call. */
function readView(args: Args, kind: 'modal' | 'home'): JsonObject {
  const given = args.json('view')
  checkGivenView(given, kind)
  return isObject(given) ? given : {}
}

/** Refuses a view as Slack would; also used for answers to a submission. */
export function checkGivenView(given: unknown, kind: 'modal' | 'home'): void {
  const problems = checkView(isObject(given) ? given : undefined, kind)
  if (problems.length > 0) throw refusalWith('invalid_arguments', problems)
  if (Buffer.byteLength(JSON.stringify(given)) > largestView) throw new Refusal('view_too_large')
}

function redeem(workspace: Workspace, args: Args): Trigger {
  const trigger = workspace.triggers.redeem(args.required('trigger_id'))
  if (typeof trigger === 'string') throw new Refusal(trigger)
  return trigger
}

function checkHash(current: string, args: Args): void {
  const hash = args.text('hash')
  if (hash !== undefined && hash !== current) throw new Refusal('hash_conflict')
}
