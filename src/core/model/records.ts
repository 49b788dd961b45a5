import { type Actor, isSame } from './roles.ts'
import type { Hold, OneOff, WeeklyRule } from './rules.ts'
import { type AccessToken, tokenKey } from './token.ts'
import { reasonIn, type Sentence, say, type Words } from './words.ts'

/** An endpoint that automation never stops, and that people stop only with an approval. Times in ms since 1970. */
export interface Protection {
  readonly kind: 'protection'
  readonly endpoint: string
  readonly by: Actor
  readonly at: number
  readonly because?: string
}

/** Says who protects an endpoint, since when and why. */
export function protectorText({ by, at, because }: Protection): Sentence {
  return say('guard.person', { by: { person: by }, at: { at }, ...reasonIn(because) })
}

/** A pause of all automation in the project. */
export interface Freeze {
  readonly kind: 'freeze'
  readonly by: Actor
  readonly at: number
  /** Null: until someone thaws it. */
  readonly until: number | null
  readonly because?: string
}

/** A block on all changes in the project, because stored data can no longer be trusted. */
interface Lockdown {
  readonly kind: 'lockdown'
  readonly at: number
  readonly why: Words
}

/** A delegation: `to` approves for `who`. */
export interface StandIn {
  readonly kind: 'away'
  readonly who: Actor
  readonly to: Actor
  readonly at: number
  readonly until: number
}

/** An endpoint's idle rule. Lengths in ms. */
export interface IdleRule {
  readonly kind: 'idle'
  readonly endpoint: string
  /** `try`: only reports what it would have done. `off`: never, even if the team has a rule. */
  readonly mode: 'on' | 'try' | 'off'
  readonly after: number
  /** How long before a stop people are warned. */
  readonly warn: number
  /** The owner allows stops even though the platform autoscales the endpoint. */
  readonly autoscaled?: boolean
  readonly owner: Actor
  readonly at: number
}

/** When people restarted an endpoint soon after an idle stop, ms since 1970, oldest first. */
interface EarlyRestarts {
  readonly kind: 'regrets'
  readonly endpoint: string
  readonly at: readonly number[]
}

/** What people have set up, besides the policy file. */
export type StoredRecord =
  | Protection
  | Freeze
  | Lockdown
  | StandIn
  | WeeklyRule
  | OneOff
  | Hold
  | IdleRule
  | EarlyRestarts
  | AccessToken

export type RecordOf<Kind extends StoredRecord['kind']> = Extract<StoredRecord, { readonly kind: Kind }>

export function isRule(record: StoredRecord): record is WeeklyRule | OneOff {
  return record.kind === 'weekly' || record.kind === 'once'
}

/** Whether it acts in the name of its owner, who must be an operator. */
export function isOwned(record: StoredRecord): record is WeeklyRule | OneOff | IdleRule {
  return isRule(record) || (record.kind === 'idle' && record.mode !== 'off')
}

/** All known kinds. A process does not act on a plan while there is a record of an unknown kind. */
export const recordKinds: readonly StoredRecord['kind'][] = [
  'protection',
  'freeze',
  'lockdown',
  'away',
  'weekly',
  'once',
  'hold',
  'idle',
  'regrets',
  'token',
]

export type Records = ReadonlyMap<string, StoredRecord>

/** A change of records, written together with the move that makes it. */
export interface Change {
  readonly put?: readonly StoredRecord[]
  /** Keys. */
  readonly drop?: readonly string[]
  /** Changes something that stays in force. Of a run that starts its endpoint: a schedule continues it. */
  readonly alters?: true
  /** Lost audit entries that an admin accepts by ending a lockdown. */
  readonly acknowledges?: { readonly gaps: readonly Gap[] }
}

/** Leaves out the end of a hold that a look made, perhaps after people were asked for the start that ends it. */
export function withoutLookedHolds(change: Change, records: Records): Change {
  if (!startsAtOnce(change)) return change
  const { drop = [], ...rest } = change
  const left = drop.filter((key) => {
    const one = records.get(key)
    return one?.kind !== 'hold' || one.by !== 'console' || one.also !== undefined
  })
  return left.length === drop.length ? change : left.length === 0 ? rest : { ...rest, drop: left }
}

/** Returns the one-time schedule that a change makes; the first one if an undo brings others back. */
export function onceIn({ put = [] }: Change = {}): OneOff | undefined {
  return put.find((one) => one.kind === 'once')
}

/** Whether a change starts its endpoint at once. The start is another request with its own card. */
export function startsAtOnce({ put = [] }: Change = {}): boolean {
  return put.some((one) => one.kind === 'once' && one.want === 'up' && one.ran !== true)
}

/** Whether a change makes a schedule that starts its endpoint. */
export function startsByHours({ put = [] }: Change = {}): boolean {
  return put.some((one) => one.kind === 'weekly' && one.direction === 'up')
}

/** Missing or changed audit entries. `to` before `from`: a foreign entry. Earlier versions also stored MACs. */
export interface Gap {
  readonly from: number
  readonly to: number
}

/** The progress of one decision, kept between two checks. */
export interface ReconcileState {
  /** The endpoint, the rule, the nominal instant and the wanted state. */
  readonly occurrence: string
  /**
   * `waits`: another request holds the endpoint, or people can still answer a warning. `asked`: a request is on its
   * way. `met`: the endpoint had the wanted state, so a later difference is someone's change. `held`: a hold blocks it
   * and it counts again afterwards. `left`: people, or too many failures, have ended it.
   */
  readonly state: 'waits' | 'asked' | 'met' | 'held' | 'left'
  /** Requests handed in for it. */
  readonly attempts: number
  /** When the state began, ms since 1970. */
  readonly at: number
  /** The decision that was met when this one was requested early. It counts until this one is due. */
  readonly before?: string
  /** Until when people held it back, ms since 1970: it is not late for that. */
  readonly heldUntil?: number | undefined
  /** When a failed attempt is made again, ms since 1970; null once it is given up. */
  readonly again?: number | null
  /** For an idle rule: the earliest start of its clock, ms since 1970; in the future during a hold. */
  readonly since?: number
  /** For an idle rule: the idle time last seen in the policy file, ms. */
  readonly after?: number
  /** A warning that people can answer until then (ms since 1970), and where it was posted. */
  readonly told?: { readonly says: Words; readonly until: number; readonly channel?: string; readonly ts?: string }
}

/** Returns a record's key. There is one record per kind and subject; an endpoint's newest hold replaces the others. */
export function keyOf(record: StoredRecord): string {
  if (record.kind === 'away') return awayKey(record.who)
  if (record.kind === 'token') return tokenKey(record.id)
  if (isRule(record)) return ruleKey(record.id)
  return 'endpoint' in record ? endpointKey(record.kind, record.endpoint) : record.kind
}

export function awayKey({ team, user }: Actor): string {
  return `away:${team}:${user}`
}

export function ruleKey(id: string): string {
  return `rule:${id}`
}

/** Kinds of which an endpoint has at most one record. */
type EndpointKind = 'protection' | 'hold' | 'idle' | 'regrets'

export function endpointKey(kind: EndpointKind, endpoint: string): string {
  return `${kind}:${endpoint}`
}

export function recordOn<Kind extends EndpointKind>(records: Records, kind: Kind, endpoint: string) {
  return records.get(endpointKey(kind, endpoint)) as RecordOf<Kind> | undefined
}

export function freezeAt(records: Records, now: number): Freeze | null {
  const found = records.get('freeze')
  return found?.kind === 'freeze' && (found.until === null || now < found.until) ? found : null
}

export function lockdownIn(records: Records): Lockdown | null {
  const found = records.get('lockdown')
  return found?.kind === 'lockdown' ? found : null
}

export function endsLockdown(change: Change | undefined): boolean {
  return change?.drop?.includes('lockdown') === true
}

/** Whether a change lets a terminal act in a person's name. Only that person may confirm it. */
export function admitsTerminal(change: Change | undefined): boolean {
  return newTokenIn(change)?.terminal === true
}

export function newTokenIn(change: Change | undefined): AccessToken | undefined {
  return change?.put?.filter((record) => record.kind === 'token').find(({ revoked }) => revoked !== true)
}

export function absencesAt(records: Records, now: number): readonly StandIn[] {
  const all = [...records.values()].filter((record) => record.kind === 'away')
  return all.filter(({ at, until }) => at <= now && now < until)
}

/** Returns the people for whom someone stands in now. A delegation cannot be passed on. */
export function principalsOf(records: Records, standIn: Actor, now: number): readonly Actor[] {
  return absencesAt(records, now).flatMap(({ who, to }) => (isSame(to, standIn) ? [who] : []))
}

/** Returns the previous records that a change replaces or drops. A missing idle rule counts as the team's. */
export function replacedBy(change: Change, records: Records, team: IdleRule | null): readonly StoredRecord[] {
  const { put = [], drop = [] } = change
  return [...put.map(keyOf), ...drop].flatMap((key) => {
    const found = records.get(key)
    if (found !== undefined) return [found]
    return team !== null && key === endpointKey('idle', team.endpoint) ? [team] : []
  })
}
