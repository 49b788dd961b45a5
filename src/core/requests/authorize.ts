import { type Change, isOwned } from '../model/records.ts'
import { isAutomatic, type Request } from '../model/request.ts'
import {
  type Actor,
  type AskedIn,
  givenBy,
  includes,
  isSame,
  type Member,
  names,
  noChannel,
  type Person,
  type Place,
  policyFile,
  type RequesterContext,
  type Role,
  roleNames,
  roleOf,
} from '../model/roles.ts'
import { type Sentence, say, type Words } from '../model/words.ts'
import type { MembersOf } from '../policy/who-answers.ts'
import type { Freshness, Services } from '../ports/services.ts'

type Knows = Pick<Services, 'people' | 'policy'>

export type Authorization =
  | { readonly kind: 'may'; readonly role: Role | null; readonly by: Member | null }
  /** `unsure`: the lookup failed. `lacks`: the role that is missing. `stranger`: a person without any role. */
  | {
      readonly kind: 'not'
      readonly says: Words
      readonly unsure?: true
      readonly lacks?: Role
      readonly stranger?: Person
    }

/** Whether a person is known to have no role in any channel. */
export async function isStranger(services: Knows, actor: Actor, authorization: Authorization): Promise<boolean> {
  if (authorization.kind === 'may' || authorization.stranger === undefined || authorization.stranger.unread === true)
    return false
  const { stranger } = authorization
  // A channel gives a role to full members only.
  if (stranger.membership !== 'full') return true
  const { roles } = services.policy()
  const members = roleNames.flatMap((role) => roles[role])
  const channels = new Set(members.flatMap((member) => (member.kind === 'channel' ? [member.id] : [])))
  const places = await Promise.all([...channels].map((channel) => services.people.where({ channel }, actor)))
  return places.every((where) => where !== null && roleOf(stranger, where, roles) === null)
}

/** How to store a refusal: refusals of people without any role are only counted. */
export async function refusalStorage(services: Knows, authorization: Authorization, request: Request) {
  const { actor, line } = request
  if (isAutomatic(request) || !(await isStranger(services, actor, authorization))) return {}
  return { change: { stranger: true as const }, event: { by: actor, detail: line } }
}

/** The refusal for a person without a role (null), or whose role could not be looked up (undefined). */
export function noRoleText(role: null | undefined): Sentence {
  return role === null ? say('role.none') : say('role.unchecked')
}

/** The refusal for a person whose role is too low. If nobody has a higher role, the project has no policy file yet. */
export function lackingText(project: string, needed: Role, membersOf: MembersOf): Sentence {
  const isReadOnly = (['operator', 'approver', 'admin'] as const).every((role) => membersOf(role).length === 0)
  return isReadOnly ? say('role.noPolicy') : lackingIn(project, needed, membersOf('admin'))
}

function lackingIn(project: string, role: Role, admins: readonly Member[]): Sentence {
  return say('role.lacking', { role, project, admins: admins.length === 0 ? 'none' : { any: admins } })
}

/** Looks up a person's current role and groups at a place. Null if the lookup fails. */
export async function lookUpPerson(
  services: Knows,
  actor: Actor,
  place: Place,
  freshness?: Freshness,
): Promise<(RequesterContext & { readonly where: AskedIn }) | null> {
  const stood = place.chosen === true ? noChannel : services.people.where(place, actor, freshness)
  const [person, where] = await Promise.all([services.people.who(actor, freshness), stood])
  if (person === null || where === null) return null
  return { actor, person, role: roleOf(person, where, services.policy().roles), where }
}

/** Whether the requester may make this request. Rules from the policy file always may. */
export async function authorizeRequester(
  services: Services,
  request: Request,
  needed: Role,
  freshness?: Freshness,
): Promise<Authorization> {
  const { actor, place } = request
  if (isAutomatic(request) && isSame(actor, policyFile)) return { kind: 'may', role: needed, by: null }
  if (isAutomatic(request)) return authorizeOwner(services, actor, place.channel, needed, freshness)
  const authorization = await authorize(services, actor, place, needed, freshness)
  if (authorization.kind === 'not' || request.through?.token !== 'workflow') return authorization
  const person = await services.people.who(actor, freshness)
  if (person === null) return { kind: 'not', says: say('role.unchecked'), unsure: true }
  const isNamed = services.policy().workflows.some((member) => names(member, person))
  return isNamed ? authorization : { kind: 'not', says: say('workflow.notAllowed') }
}

/** Whether the owner of a rule may still operate, judged where the rule's cards are, which the owner did not choose. */
export async function authorizeOwner(
  services: Services,
  owner: Actor,
  channel = services.operationsChannel() ?? '',
  needed: Role = 'operator',
  freshness?: Freshness,
): Promise<Authorization> {
  // A channel that can't be looked up matters only to owners whose role comes from it.
  const anywhere = await authorize(services, owner, { channel, chosen: true }, needed, freshness)
  if (anywhere.kind === 'may') return anywhere
  return authorize(services, owner, { channel }, needed, freshness)
}

/** Says why a person can't own a rule: it would be paused as soon as it is made. Null if they can. */
export async function unfitOwner(
  services: Services,
  { actor, place }: Pick<Request, 'actor' | 'place'>,
  { put = [] }: Change,
): Promise<Words | null> {
  if (!put.some((record) => isOwned(record) && isSame(record.owner, actor))) return null
  const authorization = await authorizeOwner(services, actor)
  if (authorization.kind === 'may' || authorization.unsure === true) return null
  // Explaining a line assumes the role.
  const here = await authorize(services, actor, place, 'operator')
  return here.kind === 'may' ? say('role.elsewhere') : null
}

/** Whether a person has the role now. A failed lookup counts as a refusal. */
export async function authorize(
  services: Services,
  actor: Actor,
  place: Place,
  needed: Role,
  freshness?: Freshness,
): Promise<Authorization> {
  const stands = await lookUpPerson(services, actor, place, freshness)
  if (stands === null) return { kind: 'not', says: say('role.unchecked'), unsure: true }
  const { person, where, role } = stands
  const stranger = role === null ? { stranger: person } : {}
  if (person.membership === 'outside') return { kind: 'not', says: say('role.outsider'), ...stranger }
  const { roles, version } = services.policy()
  if (includes(role, needed)) return { kind: 'may', role, by: givenBy(person, where, roles) }
  if (person.membership === 'guest') return { kind: 'not', says: say('role.guest'), ...stranger }
  if (version === 'none' && needed !== 'viewer') return { kind: 'not', says: say('role.noPolicy'), ...stranger }
  const lacking = lackingIn(services.project, needed, roles.admin)
  const isInGroups = roleNames.some((one) => includes(one, needed) && roles[one].some(({ kind }) => kind === 'group'))
  if (person.unread && isInGroups)
    return { kind: 'not', says: [lacking, say('role.groupsUnread')], unsure: true, ...stranger }
  return { kind: 'not', says: lacking, lacks: needed, ...stranger }
}
