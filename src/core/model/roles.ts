/** Who acts. Identity is team and user id, never a name. */
export interface Actor {
  readonly team: string
  readonly user: string
}

/** Where something was asked: a Slack channel id, opaque to the core. */
export interface Place {
  readonly channel: string
  /** Picked from afar rather than stood in, so whatever role the channel gives is not given by it. */
  readonly chosen?: boolean
}

/** In whose name the policy file's own rules act: it has been agreed to by whoever may change it. */
export const policyFile: Actor = { team: '', user: '' }

export function isSame(a: Actor, b: Actor): boolean {
  return a.team === b.team && a.user === b.user
}

/** Who a role is given to, as the policy file names them. */
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

/** What Slack says of a person, looked up fresh. */
export interface Person {
  readonly user: string
  /** Member of the home workspace, not a guest, not a bot, not deactivated, no stranger of a shared channel. */
  readonly standing: 'full' | 'guest' | 'outside'
  /** Ids of the Slack user groups named in the policy that this person belongs to. */
  readonly groups: ReadonlySet<string>
  /** Some of those could not be read, and count as if this person were in none of them. */
  readonly unread?: true
}

export interface AskedIn {
  readonly channel: string
  readonly private: boolean
}

/** Somebody as they stand where a request was asked, looked up now. */
export interface RequesterContext {
  readonly actor: Actor
  readonly person: Person
  readonly role: Role | null
}

/** A channel that gives no role: of those who only picked it, or are not in it. */
export const noChannel: AskedIn = { channel: '', private: false }

/**
 * The highest role of a person at a place, or null. An empty list is nobody. A guest is a viewer at most and only
 * when named; a channel gives viewer, or operator where it is private.
 */
export function roleOf(person: Person, where: AskedIn, roles: Roles): Role | null {
  if (person.standing === 'outside') return null
  const held = roleNames.filter((role) => roles[role].some((member) => gives(member, role, person, where)))
  if (person.standing === 'full') return held.at(-1) ?? null
  return held.length > 0 ? 'viewer' : null
}

function gives(member: Member, role: Role, person: Person, where: AskedIn): boolean {
  if (member.kind === 'user') return member.id === person.user
  if (person.standing === 'guest') return false
  if (member.kind === 'channel')
    return member.id === where.channel && (role === 'viewer' || (role === 'operator' && where.private))
  return names(member, person)
}

/** Whether a list's entry means this person, wherever they are; a channel names nobody. */
export function names(member: Member, person: Person): boolean {
  if (member.kind === 'everyone') return true
  return member.kind === 'user' ? member.id === person.user : member.kind === 'group' && person.groups.has(member.id)
}

/** To whom the policy gives the role that somebody has. */
export function givenBy(person: Person, where: AskedIn, roles: Roles): Member | null {
  if (roleOf(person, where, roles) === null) return null
  const giving = roleNames.flatMap((role) => roles[role].filter((member) => gives(member, role, person, where)))
  return giving.at(-1) ?? null
}

/** A member as the policy file writes it. */
export function memberText(member: Member): string {
  return member.kind === 'everyone' ? 'everyone' : `${member.kind}:${member.id}`
}

export function includes(held: Role | null, needed: Role): boolean {
  return held !== null && roleNames.indexOf(held) >= roleNames.indexOf(needed)
}
