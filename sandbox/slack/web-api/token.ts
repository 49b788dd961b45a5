import type { Json } from '../json.ts'
import type { Workspace } from '../workspace.ts'
import type { Context, Method } from './call.ts'
import { Refusal } from './refusal.ts'

/** Returns the token of a call, from its header or its body. */
export function readToken(authorization: string | undefined, inBody: Json | undefined): string | undefined {
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')
  return bearer?.[1] ?? (typeof inBody === 'string' ? inBody : undefined)
}

export function checkToken({ settings }: Workspace, method: Method, token: string | undefined): void {
  const wanted = method.token ?? 'bot'
  if (wanted === 'none') return
  if (token === undefined) throw new Refusal('not_authed')
  if (token !== settings.botToken && token !== settings.appToken) throw new Refusal('invalid_auth')
  if ((wanted === 'bot') !== (token === settings.botToken)) throw new Refusal('not_allowed_token_type')
}

/** Refuses with the scopes that are needed and those that are granted, as Slack does. */
export function checkScopes(context: Context, method: Method): void {
  const { scopes } = context.workspace.settings
  const missing = (method.scopes?.(context) ?? []).filter((scope) => !scopes.includes(scope))
  if (missing.length > 0) throw new Refusal('missing_scope', { needed: missing.join(','), provided: scopes.join(',') })
}
