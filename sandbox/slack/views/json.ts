import type { JsonObject } from '../json.ts'
import type { Workspace } from '../workspace.ts'
import type { View } from './view.ts'

/** Returns a view in the shape that Slack's methods and payloads use. */
export function viewAsJson(workspace: Workspace, view: View): JsonObject {
  const { team, app } = workspace.settings
  return {
    private_metadata: '',
    callback_id: '',
    external_id: '',
    title: null,
    submit: null,
    close: null,
    clear_on_close: false,
    notify_on_close: false,
    ...view.given,
    id: view.id,
    team_id: team.id,
    type: view.type,
    blocks: view.blocks,
    state: { values: view.values },
    hash: view.hash,
    app_id: app.id,
    app_installed_team_id: team.id,
    bot_id: app.botId,
  }
}
