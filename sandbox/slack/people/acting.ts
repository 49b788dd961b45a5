import { type JsonObject, textAt } from '../json.ts'
import type { Answer } from '../link.ts'
import type { Message } from '../message.ts'
import { messageAsJson } from '../messages.ts'
import type { Slack } from '../slack.ts'
import { viewAsJson } from '../views/json.ts'
import { initialValues } from '../views/values.ts'
import type { View } from '../views/view.ts'
import type { Person } from '../workspace.ts'
import type { Seen } from './elements.ts'
import { interactionPayload, payloadChannel } from './payload.ts'

/** Sends one action: a pressed button, a chosen option. `overrides` replaces parts of the payload, to forge one. */
export function sendAction(
  slack: Slack,
  person: Person,
  seen: Seen,
  action: JsonObject,
  overrides: JsonObject = {},
): Promise<Answer> {
  const { workspace } = slack
  const payload = {
    type: 'block_actions',
    ...interactionPayload(workspace, person),
    ...placeOf(slack, person, seen),
    actions: [
      {
        ...action,
        type: textAt(seen.element, 'type') ?? 'button',
        action_id: textAt(seen.element, 'action_id') ?? '',
        block_id: textAt(seen.block, 'block_id') ?? '',
        action_ts: workspace.ids.ts(),
      },
    ],
    ...overrides,
  }
  return slack.send({ type: 'interactive', payload, acceptsAnswer: false })
}

function placeOf(slack: Slack, person: Person, { surface }: Seen): JsonObject {
  return surface.kind === 'message' ? onMessage(slack, person, surface.message) : inView(slack, person, surface.view)
}

function onMessage(slack: Slack, person: Person, message: Message): JsonObject {
  const { workspace } = slack
  return {
    ...containerOf(slack, message),
    trigger_id: workspace.triggers.issue({ user: person.id, channel: message.channel }),
    state: { values: initialValues(message.blocks) },
    response_url: slack.responseUrls.issue({ channel: message.channel, user: person.id, message: message.ts }),
  }
}

/** Describes the message of an interaction. Slack does not include an ephemeral message itself. */
export function containerOf({ workspace }: Slack, message: Message): JsonObject {
  const channel = workspace.channels.get(message.channel)
  const ephemeral = message.ephemeralTo !== undefined
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: ephemeral,
      ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    },
    ...(channel ? { channel: payloadChannel(channel) } : {}),
    ...(ephemeral ? {} : { message: messageAsJson(workspace, message) }),
  }
}

function inView({ workspace }: Slack, person: Person, view: View): JsonObject {
  return {
    container: { type: 'view', view_id: view.id },
    trigger_id: workspace.triggers.issue({ user: person.id, view: view.id }),
    view: viewAsJson(workspace, view),
  }
}
