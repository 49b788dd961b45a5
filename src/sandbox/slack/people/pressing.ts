import { plainText } from '../flatten.ts'
import { type JsonObject, objectAt, textAt } from '../json.ts'
import type { Answer } from '../link.ts'
import { messageAsJson } from '../messages.ts'
import type { Slack } from '../slack.ts'
import type { Person } from '../workspace.ts'
import { findButton, type SeenButton, type WhereButton } from './buttons.ts'
import { interactionPayload, payloadChannel } from './payload.ts'
import { initialValues } from './values.ts'
import { seen, waitFor } from './waiting.ts'

export interface PressOptions extends WhereButton {
  /** What to answer when the button asks back; true when left out. */
  readonly confirm?: boolean
  /** ms of real time to wait until the button is there; 10,000 when left out. */
  readonly timeoutMs?: number
}

export interface Pressed {
  /** What the button's own dialog asked, as `title: text`; undefined when it has none. */
  readonly asked: string | undefined
  /** `left` when the dialog was answered with no: nothing was sent. */
  readonly outcome: Answer['kind'] | 'left'
}

/** Waits for a button with this label and presses it. */
export async function press(slack: Slack, person: Person, label: string, options: PressOptions = {}): Promise<Pressed> {
  const { workspace } = slack
  const button = await waitFor(
    workspace,
    () => findButton(workspace, person, label, options),
    () =>
      `${person.name} sees no button [${label}]. What ${person.name} sees, newest first:\n${seen(workspace, person)}`,
    options.timeoutMs,
  )
  const dialog = objectAt(button.element, 'confirm')
  const asked =
    dialog && `${plainText(workspace, objectAt(dialog, 'title'))}: ${plainText(workspace, objectAt(dialog, 'text'))}`
  if (dialog && options.confirm === false) return { asked, outcome: 'left' }
  const answer = await pressRaw(slack, person, button)
  return { asked, outcome: answer.kind }
}

/** Presses a button as it was once seen. `overrides` replaces parts of the payload, to forge one. */
export function pressRaw(
  slack: Slack,
  person: Person,
  button: SeenButton,
  overrides: JsonObject = {},
): Promise<Answer> {
  const { element, block } = button
  const action = {
    ...buttonPart(element, 'text'),
    ...buttonPart(element, 'value'),
    ...buttonPart(element, 'style'),
    ...buttonPart(element, 'url'),
    type: textAt(element, 'type') ?? 'button',
    action_id: textAt(element, 'action_id') ?? '',
    block_id: textAt(block, 'block_id') ?? '',
  }
  return sendAction(slack, person, button, action, overrides)
}

/** Hands in an action on a message: a pressed button, a chosen option. */
export function sendAction(
  slack: Slack,
  person: Person,
  { message }: SeenButton,
  action: JsonObject,
  overrides: JsonObject = {},
): Promise<Answer> {
  const { workspace } = slack
  const channel = workspace.channels.get(message.channel)
  const ephemeral = message.ephemeralTo !== undefined
  const thread = message.threadTs === undefined ? {} : { thread_ts: message.threadTs }
  const payload = {
    type: 'block_actions',
    ...interactionPayload(workspace, person),
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: ephemeral,
      ...thread,
    },
    trigger_id: workspace.triggers.issue({ user: person.id, channel: message.channel }),
    ...(channel ? { channel: payloadChannel(channel) } : {}),
    // Slack does not send an ephemeral message along.
    ...(ephemeral ? {} : { message: messageAsJson(workspace, message) }),
    state: { values: initialValues(message.blocks) },
    response_url: slack.responseUrls.issue({ channel: message.channel, user: person.id, message: message.ts }),
    actions: [{ ...action, action_ts: workspace.ids.ts() }],
    ...overrides,
  }
  return slack.send({ type: 'interactive', payload, acceptsAnswer: false })
}

function buttonPart(element: JsonObject, key: string): JsonObject {
  return element[key] === undefined ? {} : { [key]: element[key] }
}
