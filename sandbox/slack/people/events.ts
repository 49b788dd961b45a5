import type { JsonObject } from '../json.ts'
import type { Answer } from '../link.ts'
import type { Slack } from '../slack.ts'
import { viewAsJson } from '../views/json.ts'
import { directChannel, type Person } from '../workspace.ts'
import { interactionPayload } from './payload.ts'

export async function sendEvent(slack: Slack, event: JsonObject): Promise<Answer> {
  const { workspace } = slack
  const { team, app, clock } = workspace.settings
  const payload = {
    token: 'deprecated-verification-token',
    team_id: team.id,
    api_app_id: app.id,
    event: { ...event, event_ts: workspace.ids.ts() },
    type: 'event_callback',
    event_id: workspace.ids.next('Ev'),
    event_time: Math.floor(clock.now() / 1000),
    authorizations: [
      { enterprise_id: null, team_id: team.id, user_id: app.botUserId, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
  }
  return await slack.send({ type: 'events_api', payload, acceptsAnswer: false })
}

/** Opens the app's Home, as a click on the app does. */
export async function openHome(slack: Slack, person: Person): Promise<void> {
  const { workspace } = slack
  const view = workspace.homes.get(person.id)
  await sendEvent(slack, {
    type: 'app_home_opened',
    user: person.id,
    channel: directChannel(workspace, person.id).id,
    tab: 'home',
    ...(view ? { view: viewAsJson(workspace, view) } : {}),
  })
}

/** Runs a global shortcut. */
export async function runShortcut(slack: Slack, person: Person, callbackId: string): Promise<Answer['kind']> {
  const { workspace } = slack
  const payload = {
    type: 'shortcut',
    ...interactionPayload(workspace, person),
    callback_id: callbackId,
    trigger_id: workspace.triggers.issue({ user: person.id }),
    action_ts: workspace.ids.ts(),
  }
  return (await slack.send({ type: 'interactive', payload, acceptsAnswer: false })).kind
}
