import type { JsonObject } from '../json.ts'
import type { Context, Methods } from './call.ts'
import { Refusal } from './refusal.ts'

/** The app's identity, a test of the connection, and the address for a socket. */
export const authMethods: Methods = {
  'auth.test': { run: authTest },
  'api.test': { token: 'none', run: apiTest },
  'apps.connections.open': { token: 'app', run: openConnection },
}

function authTest({ workspace }: Context): JsonObject {
  const { team, app, enterprise } = workspace.settings
  return {
    url: `${workspace.origin}/`,
    team: team.name,
    user: app.name.toLowerCase(),
    team_id: team.id,
    user_id: app.botUserId,
    bot_id: app.botId,
    ...(enterprise && { enterprise_id: enterprise.id }),
    is_enterprise_install: false,
  }
}

function apiTest({ args }: Context): JsonObject {
  const error = args.text('error')
  if (error !== undefined) throw new Refusal(error, { args: args.all })
  return { args: args.all }
}

function openConnection({ workspace }: Context): JsonObject {
  if (workspace.settings.mode !== 'socket') throw new Refusal('not_allowed_token_type')
  return { url: `${workspace.origin.replace('http', 'ws')}/socket?ticket=${workspace.tickets.issue()}` }
}
