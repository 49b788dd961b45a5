import type { JsonObject } from '../json.ts'
import { type Channel, type Person, teamOf, type Workspace } from '../workspace.ts'

/** Returns what every interaction contains: the person, the workspace and the app. */
export function interactionPayload(workspace: Workspace, person: Person): JsonObject {
  const { enterprise } = workspace.settings
  return {
    user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
    api_app_id: workspace.settings.app.id,
    // Deprecated by Slack and still sent; it proves nothing.
    token: 'deprecated-verification-token',
    team: teamOf(workspace, person),
    enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
    is_enterprise_install: false,
  }
}

/** Names a channel as payloads do: only public channels by their own name. */
export function payloadChannel(channel: Channel): { readonly id: string; readonly name: string } {
  const names = { public: channel.name, private: 'privategroup', im: 'directmessage' } as const
  return { id: channel.id, name: names[channel.kind] }
}
