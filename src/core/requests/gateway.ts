import { setTimeout as wait } from 'node:timers/promises'
import type { RunningNow, Savings, UpcomingChange } from '../model/answer.ts'
import type { Automation } from '../model/automation.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Request } from '../model/request.ts'
import { type Actor, includes, type Role, roleNames } from '../model/roles.ts'
import { type Language, type Sentence, say } from '../model/words.ts'
import type { MembersOf } from '../policy/who-answers.ts'
import type { Bound, FormPreview, Freshness, People, SealedEntry } from '../ports/services.ts'
import { lackingText, noRoleText } from './authorize.ts'
import type { Intake } from './receive.ts'

/** A project as a door sees it: which channels are its own, and where its requests are stored. */
export interface ProjectGateway extends Intake {
  readonly project: string
  /** What somebody reads, else what the project's channels do; and their time zone, if anybody knows it. */
  readonly languageOf: (user: string) => Promise<Language>
  readonly zoneOf: (actor: Actor) => Promise<string | null>
  /** As the policy file says now. */
  readonly automation: () => Automation
  readonly namesOf: People['namesOf']
  /** Channel ids, as the policy file says now; `*` is every channel that no other project names. */
  readonly channels: () => readonly string[]
  /** Whether a channel is a conversation with the app alone. */
  readonly isDirect: (channel: string) => boolean
  /** Where cards go that belong to no channel, as the policy file says now. */
  readonly operationsChannel: () => string | undefined
  /** What the Home and the menu ask for. */
  readonly home: {
    /** Operations that are not over. */
    open(): Promise<readonly Request[]>
    /** The role somebody has in a channel, or outside all channels (''). Throws if the lookup fails. */
    roleOf(actor: Actor, channel: string, sure?: Freshness): Promise<Role | null>
    /** Names of rows that somebody cannot use, whatever their role. Throws if the lookup fails. */
    uselessTo(actor: Actor, channel: string): Promise<readonly string[]>
    readonly membersOf: MembersOf
    /** What rules will do within `span` (ms), or of an endpoint that they leave as it is until then, next; the next first. */
    coming(span: number): Promise<readonly UpcomingChange[]>
    /** The cost of running endpoints, and which of these are idle. */
    running(endpoints: readonly Endpoint[]): Promise<RunningNow>
    saved(): Promise<Pick<Savings, 'total' | 'currency'> | null>
    /** Has a worker list the endpoints within seconds. */
    listAgain(): Promise<void>
    /** Tells which requests somebody may answer. Throws if the lookup fails. */
    answersOf(actor: Actor): Promise<(request: Request) => boolean>
    userIn(words: readonly string[]): Promise<string | null>
    undoable(actor: Actor): Promise<readonly Request[]>
  }
  /** What is wrong with a line, or the rule that it would make. No call is made for it. */
  foresee?(where: Whereabouts, line: string): Promise<FormPreview | null>
  /** Keeps secret values until the call that needs them; absent without LAMPLIGHTER_KEY. */
  readonly sealer?: {
    /** False where values were sealed for it already: those stay. */
    seal(of: Bound, values: readonly SealedEntry[]): Promise<boolean>
  }
}

/** The projects that may be meant in a place of several; empty if the place belongs to one. */
export function unclear(gateways: Gateways, where: Where): Gateways {
  const { channel } = where
  const isAnybodys = gateways.some((gateway) => gateway.operationsChannel() === channel || gateway.isDirect(channel))
  const isApart = gateways.length > 1 && (channel === '' || isAnybodys)
  return isApart && gatewayFor(gateways, where) === undefined ? gateways : []
}

type Gateways = readonly ProjectGateway[]
type Where = Pick<Whereabouts, 'channel' | 'project'>

/** Who asks, and where. */
export interface Whereabouts {
  readonly actor: Actor
  readonly channel: string
  /** Where the channel does not tell it. */
  readonly project?: string | undefined
  /** The channel was picked in a form. */
  readonly chosen?: boolean
}

/** A promise's result, or `otherwise` if it fails or takes longer than `ms`: Slack waits 3 s for an answer or a form. */
export function soon<Value, Other>(promised: Promise<Value>, otherwise: Other, ms = 1_000): Promise<Value | Other> {
  return Promise.race([promised.catch(() => otherwise), wait(ms, otherwise, { ref: false })])
}

/** Somebody's language, if the chat tells it in time. */
export function languageFor([first]: Gateways, { user }: Actor): Promise<Language> {
  return first === undefined ? Promise.resolve('en') : soon(first.languageOf(user), 'en')
}

/** The role somebody has here; undefined if the chat does not tell it in time, and they are shown nothing. */
function roleAt({ home }: ProjectGateway, actor: Actor, channel: string): Promise<Role | null | undefined> {
  return soon(home.roleOf(actor, channel), undefined)
}

/**
 * Why somebody without this role is shown no names, forms or previews here. Outside all channels they are offered only
 * what they may use.
 */
export async function whyClosedTo(
  gateway: ProjectGateway | undefined,
  { actor, channel, chosen }: Whereabouts,
  needed: Role = 'viewer',
): Promise<Sentence | null> {
  if (gateway === undefined) return say('project.none')
  const role = await roleAt(gateway, actor, chosen === true ? '' : channel)
  if (role === null || role === undefined) return noRoleText(role)
  return channel === '' || includes(role, needed) ? null : lackingText(gateway.project, needed, gateway.home.membersOf)
}

/** The project that is meant, or all that may be. */
export function possible(gateways: Gateways, where: Where): Gateways {
  const own = gatewayFor(gateways, where)
  return own === undefined ? unclear(gateways, where) : [own]
}

/** The same for a place of several projects: null where they have a role in any of them. */
export async function whyClosedAt(gateways: Gateways, where: Whereabouts): Promise<Sentence | null> {
  const found = await Promise.all(possible(gateways, where).map((gateway) => whyClosedTo(gateway, where)))
  if (found.includes(null)) return null
  if (found.length === 0) return say('project.none')
  // They may have a role in a project whose lookup failed.
  return found.find((one) => one?.say !== 'role.none') ?? say('role.none')
}

/** The endpoints that somebody may pick from, as last listed; null for somebody without a role. */
export async function endpointsFor(gateways: Gateways, where: Whereabouts): Promise<readonly Endpoint[] | null> {
  const gateway = gatewayFor(gateways, where)
  if (gateway === undefined || (await whyClosedTo(gateway, where)) !== null) return null
  return (await gateway.store.names())?.endpoints ?? []
}

/** What somebody may ask for here; in a place of several projects in any of them. */
export async function reachIn(gateways: Gateways, where: Whereabouts): Promise<Reach> {
  const { actor, channel } = where
  const reachAt = async (gateway: ProjectGateway): Promise<Reach> => {
    const useless = soon(gateway.home.uselessTo(actor, channel), [])
    const [role, without] = await Promise.all([roleAt(gateway, actor, channel), useless])
    return { role, without }
  }
  const [first, ...others] = await Promise.all(possible(gateways, where).map(reachAt))
  return others.reduce<Reach>(either, first ?? { role: undefined, without: [] })
}

function either(a: Reach, b: Reach): Reach {
  const without = a.without.filter((name) => b.without.includes(name))
  const roles = [a.role, b.role]
  const [best = null] = roleNames.toReversed().filter((role) => roles.includes(role))
  return { role: best === null && roles.includes(undefined) ? undefined : best, without }
}

/** The projects in which somebody may ask for what takes a role. */
export async function reachable(gateways: Gateways, actor: Actor, channel: string, needed: Role): Promise<Gateways> {
  const roles = await Promise.all(gateways.map((gateway) => roleAt(gateway, actor, channel)))
  return gateways.filter((_, at) => includes(roles[at] ?? null, needed))
}

export interface Reach {
  readonly role: Role | null | undefined
  /** Names of rows that are of no use to them. */
  readonly without: readonly string[]
}

/** The project that is named, else that of the channel, else the one for every channel, else the only one there is. */
export function gatewayFor(gateways: Gateways, { project, channel }: Where): ProjectGateway | undefined {
  return (
    gateways.find((gateway) => gateway.project === project) ??
    gateways.find(({ channels }) => channels().includes(channel)) ??
    gateways.find(({ channels }) => channels().includes('*')) ??
    (channel === '' && gateways.length === 1 ? gateways[0] : undefined)
  )
}
