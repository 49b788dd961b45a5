import { plainText } from '../flatten.ts'
import { type JsonObject, objectAt, textAt } from '../json.ts'
import type { Slack } from '../slack.ts'
import { checkInputs } from '../validate/inputs.ts'
import { viewAsJson } from '../views/json.ts'
import { createView, modalsOf, mostViews, setModals, updatedView } from '../views/stack.ts'
import type { View } from '../views/view.ts'
import { Refusal } from '../web-api/refusal.ts'
import { checkGivenView } from '../web-api/views.ts'
import type { Person } from '../workspace.ts'
import { interactionPayload } from './payload.ts'
import { waitFor } from './waiting.ts'

export interface Submitted {
  readonly outcome: 'closed' | 'cleared' | 'updated' | 'pushed' | 'errors' | 'operation_timeout' | 'dispatch_failed'
  /** Errors by block id, found by Slack or reported by the app. */
  readonly errors: Readonly<Record<string, string>>
}

/** Waits until the modal on top has this title. */
export function waitForModal({ workspace }: Slack, person: Person, title: string, timeoutMs?: number): Promise<View> {
  const top = (): View | undefined => modalsOf(workspace, person.id).at(-1)
  return waitFor(
    workspace,
    () => (titleOf(top()) === title ? top() : undefined),
    () => `${person.name} sees no modal “${title}”; on top is ${titleOf(top()) ?? 'none'}.`,
    timeoutMs,
  )

  function titleOf(view: View | undefined): string | undefined {
    return view && plainText(workspace, objectAt(view.given, 'title'))
  }
}

/** Submits the modal on top, as its button does. */
export async function submit(slack: Slack, person: Person): Promise<Submitted> {
  const { workspace } = slack
  const view = modalsOf(workspace, person.id).at(-1)
  if (!view) throw new Error(`${person.name} has no modal open.`)
  const missing = checkInputs(view)
  if (Object.keys(missing).length > 0) return { outcome: 'errors', errors: missing }
  const payload = {
    type: 'view_submission',
    ...interactionPayload(workspace, person),
    trigger_id: workspace.triggers.issue({ user: person.id, view: view.id }),
    view: viewAsJson(workspace, view),
    response_urls: [],
  }
  const answer = await slack.send({ type: 'interactive', payload, acceptsAnswer: true })
  if (answer.kind !== 'acked') return trouble(slack, person, answer.kind)
  try {
    return follow(slack, person, view, answer.body)
  } catch (error) {
    if (error instanceof Refusal) return trouble(slack, person, 'dispatch_failed')
    throw error
  }
}

/** Does what the answer to a submission says; an empty answer closes the view. */
function follow({ workspace }: Slack, person: Person, view: View, body: JsonObject | undefined): Submitted {
  const stack = modalsOf(workspace, person.id)
  const action = textAt(body, 'response_action')
  const given = objectAt(body, 'view')
  if (action === undefined) {
    setModals(
      workspace,
      person.id,
      stack.filter((one) => one.id !== view.id),
    )
    return { outcome: 'closed', errors: {} }
  }
  if (action === 'clear') {
    setModals(workspace, person.id, [])
    return { outcome: 'cleared', errors: {} }
  }
  if (action === 'errors') return { outcome: 'errors', errors: readErrors(view, objectAt(body, 'errors')) }
  if (action !== 'update' && action !== 'push') throw new Refusal('invalid_response_action')
  checkGivenView(given, 'modal')
  if (action === 'push' && stack.length >= mostViews) throw new Refusal('push_limit_reached')
  const next = action === 'push' ? createView(workspace, given ?? {}) : updatedView(workspace, view, given ?? {})
  setModals(
    workspace,
    person.id,
    action === 'push' ? [...stack, next] : stack.map((one) => (one.id === view.id ? next : one)),
  )
  return { outcome: action === 'push' ? 'pushed' : 'updated', errors: {} }
}

/** Errors must name input blocks of this view. */
function readErrors(view: View, errors: JsonObject | undefined): Readonly<Record<string, string>> {
  const inputs = new Set(view.blocks.filter((block) => block['type'] === 'input').map((block) => block['block_id']))
  const read = Object.entries(errors ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  if (read.length === 0 || !read.every(([blockId]) => inputs.has(blockId))) throw new Refusal('invalid_errors')
  return Object.fromEntries(read)
}

function trouble({ workspace }: Slack, person: Person, outcome: 'operation_timeout' | 'dispatch_failed'): Submitted {
  workspace.news.tell('toast', { user: person.id, text: 'We had some trouble connecting. Try again?' })
  return { outcome, errors: {} }
}

/** Closes the modal on top, or all of them; notifies the app if the view asks for it. */
export async function close(slack: Slack, person: Person, all = false): Promise<void> {
  const { workspace } = slack
  const stack = modalsOf(workspace, person.id)
  const view = stack.at(-1)
  if (!view) throw new Error(`${person.name} has no modal open.`)
  const cleared = all || view.given['clear_on_close'] === true || stack.length === 1
  setModals(workspace, person.id, cleared ? [] : stack.slice(0, -1))
  if (view.given['notify_on_close'] !== true) return
  const payload = {
    type: 'view_closed',
    ...interactionPayload(workspace, person),
    view: viewAsJson(workspace, view),
    is_cleared: cleared,
  }
  await slack.send({ type: 'interactive', payload, acceptsAnswer: false })
}
