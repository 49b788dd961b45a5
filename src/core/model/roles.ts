/** A person, identified by team and user id, never by name. */
export interface Actor {
  readonly team: string
  readonly user: string
}

/** Where a request was made: a Slack channel id, opaque to the core. */
export interface Place {
  readonly channel: string
  /** Picked from elsewhere, so the channel gives no role. */
  readonly chosen?: boolean
}

/** The actor of the policy file's own rules, which its editors have agreed to. */
export const policyFile: Actor = { team: '', user: '' }

export function isSame(a: Actor, b: Actor): boolean {
  return a.team === b.team && a.user === b.user
}

/** The holder of a role, as the policy file names it. */
export type Member =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'user' | 'group' | 'channel'; readonly id: string }

export function personNamed({ user }: Actor): Member {
  return { kind: 'user', id: user }
}

/** Each role includes the ones before it. */
export const roleNames = ['viewer', 'operator', 'approver', 'admin'] as const
export type Role = (typeof roleNames)[number]
export type Roles = Readonly<Record<Role, readonly Member[]>>

/** What Slack says about a person, looked up fresh. */
export interface Person {
  readonly user: string
  /** `full`: a member of the home workspace; no guest, bot, deactivated user or stranger in a shared channel. */
  readonly membership: 'full' | 'guest' | 'outside'
  /** Ids of the person's Slack user groups, among those that the policy names. */
  readonly groups: ReadonlySet<string>
  /** Some groups could not be read. The person counts as outside of them. */
  readonly unread?: true
}

export interface AskedIn {
  readonly channel: string
  readonly private: boolean
}

/** A requester's role at the request's place, looked up now. */
export interface RequesterContext {
  readonly actor: Actor
  readonly person: Person
  readonly role: Role | null
}

/** A channel that gives no role, for people who only picked it or are not in it. */
export const noChannel: AskedIn = { channel: '', private: false }

/**
 * Returns a person's highest role at a place, or null. An empty list means nobody. A guest is at most a viewer, and
 * only if named. A channel gives viewer, or operator if it is private.
 */
export function roleOf(person: Person, where: AskedIn, roles: Roles): Role | null {
  if (person.membership === 'outside') return null
  const held = roleNames.filter((role) => roles[role].some((member) => gives(member, role, person, where)))
  if (person.membership === 'full') return held.at(-1) ?? null
  return held.length > 0 ? 'viewer' : null
}

function gives(member: Member, role: Role, person: Person, where: AskedIn): boolean {
  if (member.kind === 'user') return member.id === person.user
  if (person.membership === 'guest') return false
  if (member.kind === 'channel')
    return member.id === where.channel && (role === 'viewer' || (role === 'operator' && where.private))
  return names(member, person)
}

/** Whether a list entry names this person, at any place. A channel names nobody, and `everyone` no guest. */
export function names(member: Member, person: Person): boolean {
  if (member.kind === 'everyone') return person.membership === 'full'
  return member.kind === 'user' ? member.id === person.user : member.kind === 'group' && person.groups.has(member.id)
}

/** Returns the entry of the policy that gives a person their role. */
export function givenBy(person: Person, where: AskedIn, roles: Roles): Member | null {
  if (roleOf(person, where, roles) === null) return null
  const giving = roleNames.flatMap((role) => roles[role].filter((member) => gives(member, role, person, where)))
  return giving.at(-1) ?? null
}

export function memberText(member: Member): string {
  return member.kind === 'everyone' ? 'everyone' : `${member.kind}:${member.id}`
}

export function includes(held: Role | null, needed: Role): boolean {
  return held !== null && roleNames.indexOf(held) >= roleNames.indexOf(needed)
}
