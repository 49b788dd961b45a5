import { setTimeout as wait } from 'node:timers/promises'
import type { Commands } from '../commands/commands.ts'
import type { Automation } from '../model/automation.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { RunningNow, Savings, UpcomingChange } from '../model/query-answer.ts'
import type { Request, Via } from '../model/request.ts'
import { type Actor, includes, type Place, type Role, roleNames } from '../model/roles.ts'
import { type Language, type Sentence, say } from '../model/words.ts'
import type { MembersOf } from '../policy/who-answers.ts'
import type { Bound, Clock, FormPreview, Freshness, People, SealedEntry } from '../ports/services.ts'
import { lackingText, noRoleText } from './authorize.ts'
import type { Intake } from './receive.ts'

/** A project as a door sees it: its channels, its storage and who may see what. */
export interface ProjectGateway extends Intake {
  readonly project: string
  /** A person's language, or the channels' language; and the person's time zone, null if unknown. */
  readonly languageOf: (user: string) => Promise<Language>
  readonly zoneOf: (actor: Actor) => Promise<string | null>
  /** From the current policy file. */
  readonly automation: () => Automation
  readonly namesOf: People['namesOf']
  /** Channel ids from the current policy file; `*` is every channel that no other project names. */
  readonly channels: () => readonly string[]
  /** Whether a channel is a direct conversation with the app. */
  readonly isDirect: (channel: string) => boolean
  /** The channel for cards that have none of their own, from the current policy file. */
  readonly operationsChannel: () => string | undefined
  readonly home: {
    /** Returns a person's role in a channel, or outside all channels (''). Throws if the lookup fails. */
    readonly roleOf: (actor: Actor, channel: string, sure?: Freshness) => Promise<Role | null>
    readonly membersOf: MembersOf
    /** Lists the rules' starts and stops within `span` (ms), or an endpoint's next one if none of them changes it. */
    coming(span: number): Promise<readonly UpcomingChange[]>
    running(endpoints: readonly Endpoint[]): Promise<RunningNow>
    saved(): Promise<Pick<Savings, 'total' | 'currency' | 'unseen' | 'cut'> | null>
    /** Returns a test for the requests that a person may approve or confirm, or `decline`. Throws if the lookup fails. */
    readonly answersOf: (actor: Actor, how?: 'decline') => Promise<(request: Request) => boolean>
    undoable(actor: Actor): Promise<readonly Request[]>
  }
  /** Whether a worker is running, which takes up what is stored. */
  isServed?(): Promise<boolean>
  /** Returns what is wrong with a line, or a preview of its rule, without calling the platform. */
  foresee?(where: Whereabouts, line: string): Promise<FormPreview | null>
  /** Keeps secret values until the call that needs them; absent without LAMPLIGHTER_KEY. */
  readonly sealer?: {
    /** Returns false if different values were already sealed; those stay. */
    seal(of: Bound, values: readonly SealedEntry[]): Promise<boolean>
  }
}

/** Returns the projects that a place could mean; empty if the place belongs to one project. */
export function unclear(gateways: Gateways, where: Where): Gateways {
  const { channel } = where
  const isAnybodys = gateways.some((gateway) => gateway.operationsChannel() === channel || gateway.isDirect(channel))
  const isApart = where.project === undefined && gateways.length > 1 && (channel === '' || isAnybodys)
  return isApart && gatewayFor(gateways, where) === undefined ? gateways : []
}

/** Says why a place has no project: its channel belongs to none, or the config no longer has the one that it names. */
export function noProjectText({ project }: Pick<Whereabouts, 'project'>): Sentence {
  return project === undefined ? say('project.none') : say('project.gone', { project })
}

type Gateways = readonly ProjectGateway[]
type Where = Pick<Whereabouts, 'channel' | 'project'>

/** Who asks, and where: `channel` is '' outside all channels. */
export interface Whereabouts extends Place {
  readonly actor: Actor
  /** Set only if the channel does not determine the project. */
  readonly project?: string | undefined
}

/** What every door needs, for any chat or program. */
export interface IntakeContext {
  readonly gateways: readonly ProjectGateway[]
  readonly commands: Commands
  readonly clock: Clock
}

/** Where a line, form or press came from, and where a reply can be sent while the chat still accepts one. */
export interface Origin extends Pick<Whereabouts, 'channel' | 'project'> {
  readonly replyUrl?: string | undefined
}

/** An incoming line, typed by a person or sent by a button, a form or a program. */
export interface Arrival extends Origin, Whereabouts, Pick<Request, 'open' | 'sealed' | 'through'> {
  /** The id of the delivery. Two arrivals with the same id become the same request. */
  readonly delivery: string
  readonly typed: string
  readonly via: Via
}

/** An arrival with what every door needs, and the project that it is for, if that is clear. */
export interface Visit extends IntakeContext, Arrival {
  readonly gateway: ProjectGateway | undefined
}

export function visitOf(context: IntakeContext, arrival: Arrival): Visit {
  return { ...context, ...arrival, gateway: gatewayFor(context.gateways, arrival) }
}

/** Resolves to `otherwise` if the promise fails or takes longer than `ms`, because Slack waits only 3 s. */
export function inTime<Value, Other>(promised: Promise<Value>, otherwise: Other, ms = 1_000): Promise<Value | Other> {
  return Promise.race([promised.catch(() => otherwise), wait(ms, otherwise, { ref: false })])
}

/** Returns a person's language, or English if the chat does not answer in time. */
export function languageFor([first]: Gateways, { user }: Actor): Promise<Language> {
  return first === undefined ? Promise.resolve('en') : inTime(first.languageOf(user), 'en')
}

/** Returns a person's role here; undefined if the chat does not answer in time. They then see nothing. */
function roleAt({ home }: ProjectGateway, actor: Actor, channel: string): Promise<Role | null | undefined> {
  return inTime(home.roleOf(actor, channel), undefined)
}

/** Says why a person without this role sees no names, forms or previews. Outside channels any role is enough. */
export async function whyClosedTo(
  gateway: ProjectGateway | undefined,
  { actor, channel, chosen, project }: Whereabouts,
  needed: Role = 'viewer',
): Promise<Sentence | null> {
  if (gateway === undefined) return noProjectText({ project })
  const role = await roleAt(gateway, actor, chosen === true ? '' : channel)
  if (role === null || role === undefined) return noRoleText(role)
  return channel === '' || includes(role, needed) ? null : lackingText(gateway.project, needed, gateway.home.membersOf)
}

/** Returns the project of this place, or all that it could mean. */
export function possible(gateways: Gateways, where: Where): Gateways {
  const own = gatewayFor(gateways, where)
  return own === undefined ? unclear(gateways, where) : [own]
}

/** Like `whyClosedTo`, for a place of several projects: null if the person has a role in any of them. */
export async function whyClosedAt(gateways: Gateways, where: Whereabouts): Promise<Sentence | null> {
  const found = await Promise.all(possible(gateways, where).map((gateway) => whyClosedTo(gateway, where)))
  if (found.includes(null)) return null
  if (found.length === 0) return noProjectText(where)
  // The person may have a role in the project whose lookup failed.
  return found.find((one) => one?.say !== 'role.none') ?? say('role.none')
}

/** Returns a person's highest role in any of the place's projects. */
export async function roleIn(gateways: Gateways, where: Whereabouts): Promise<Role | null | undefined> {
  const { actor, channel } = where
  const roles = await Promise.all(possible(gateways, where).map((gateway) => roleAt(gateway, actor, channel)))
  const best = roleNames.findLast((role) => roles.includes(role))
  return best ?? (roles.length === 0 || roles.includes(undefined) ? undefined : null)
}

export async function reachable(gateways: Gateways, actor: Actor, channel: string, needed: Role): Promise<Gateways> {
  const roles = await Promise.all(gateways.map((gateway) => roleAt(gateway, actor, channel)))
  return gateways.filter((_, at) => includes(roles[at] ?? null, needed))
}

/** Picks the named project; without a name the channel's, then the one for every channel, then the only one. */
export function gatewayFor(gateways: Gateways, { project, channel }: Where): ProjectGateway | undefined {
  // If the named project is gone, the endpoint name in the line may mean another endpoint elsewhere.
  if (project !== undefined) return gateways.find((gateway) => gateway.project === project)
  const [only, ...others] = gateways
  return (
    gateways.find(({ channels }) => channels().includes(channel)) ??
    gateways.find(({ channels }) => channels().includes('*')) ??
    (others.length === 0 && (channel === '' || only?.isDirect(channel)) ? only : undefined)
  )
}
