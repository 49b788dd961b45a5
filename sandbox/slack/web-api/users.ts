import type { JsonObject } from '../json.ts'
import type { Person, Workspace } from '../workspace.ts'
import type { Context, Methods } from './call.ts'
import { nextCursor, page } from './pages.ts'
import { Refusal } from './refusal.ts'

export const userMethods: Methods = {
  'users.info': { scopes: () => ['users:read'], perMinute: 100, run: info },
  'users.list': { scopes: () => ['users:read'], perMinute: 20, run: list },
  'usergroups.list': { scopes: () => ['usergroups:read'], perMinute: 20, run: listGroups },
  'usergroups.users.list': { scopes: () => ['usergroups:read'], perMinute: 20, run: listGroupUsers },
}

function info({ workspace, args }: Context): JsonObject {
  const person = workspace.people.get(args.required('user'))
  if (!person) throw new Refusal('user_not_found')
  const locale = args.flag('include_locale') === true ? { locale: person.locale ?? 'en-US' } : {}
  return { user: { ...personAsJson(workspace, person), ...locale } }
}

function list({ workspace, args }: Context): JsonObject {
  // Strangers are found only by id; a workspace lists its own people.
  const own = [...workspace.people.values()].filter((person) => !person.stranger)
  const { items, next } = page(own, args, 200)
  return { members: items.map((person) => personAsJson(workspace, person)), ...nextCursor(next) }
}

function listGroups({ workspace, args }: Context): JsonObject {
  const withUsers = args.flag('include_users') ?? false
  const shown = [...workspace.usergroups.values()].filter((group) => args.flag('include_disabled') || !group.disabled)
  return {
    usergroups: shown.map((group) => ({
      id: group.id,
      team_id: workspace.settings.team.id,
      is_usergroup: true,
      name: group.name ?? group.handle,
      handle: group.handle,
      date_delete: group.disabled ? 1 : 0,
      user_count: group.users.length,
      ...(withUsers ? { users: group.users } : {}),
    })),
  }
}

function listGroupUsers({ workspace, args }: Context): JsonObject {
  const group = workspace.usergroups.get(args.required('usergroup'))
  if (!group || (group.disabled && !args.flag('include_disabled'))) throw new Refusal('no_such_subteam')
  return { users: group.users }
}

function personAsJson(workspace: Workspace, person: Person): JsonObject {
  const { enterprise } = workspace.settings
  const realName = person.realName ?? person.name
  const seesEmail = workspace.settings.scopes.includes('users:read.email') && person.email !== undefined
  return {
    id: person.id,
    team_id: person.teamId,
    name: person.name,
    deleted: person.deleted ?? false,
    real_name: realName,
    tz: person.tz,
    profile: {
      real_name: realName,
      display_name: person.name,
      team: person.teamId,
      ...(seesEmail ? { email: person.email } : {}),
    },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: person.guest !== undefined,
    is_ultra_restricted: person.guest === 'single',
    is_bot: person.bot ?? false,
    is_app_user: false,
    is_stranger: person.stranger ?? false,
    ...(enterprise &&
      person.teams && {
        enterprise_user: {
          id: person.enterpriseUserId ?? person.id,
          enterprise_id: enterprise.id,
          enterprise_name: enterprise.name,
          is_admin: false,
          is_owner: false,
          is_primary_owner: false,
          teams: person.teams,
        },
      }),
    updated: 0,
  }
}
