import { type Actor, isSame } from './roles.ts'
import type { Hold, OneOff, WeeklyRule } from './rules.ts'
import { type AccessToken, tokenKey } from './token.ts'
import type { Words } from './words.ts'

/** An endpoint that is never stopped by itself, and by people only with an approval. Times in ms since 1970. */
export interface Protection {
  readonly kind: 'protection'
  readonly endpoint: string
  readonly by: Actor
  readonly at: number
  readonly because?: string
}

/** All automation of the project pauses. */
export interface Freeze {
  readonly kind: 'freeze'
  readonly by: Actor
  readonly at: number
  /** Null: until somebody thaws it. */
  readonly until: number | null
  readonly because?: string
}

/** All changes of the project stop, since what is stored can no longer be trusted. */
export interface Lockdown {
  readonly kind: 'lockdown'
  readonly at: number
  readonly why: Words
}

/** Somebody who approves in the place of another. */
export interface StandIn {
  readonly kind: 'away'
  readonly who: Actor
  readonly to: Actor
  readonly at: number
  readonly until: number
}

/** Whether and how an endpoint is watched for idleness. Lengths in ms. */
export interface IdleRule {
  readonly kind: 'idle'
  readonly endpoint: string
  /** `try`: only tells what it would have done. `off`: never, whatever the team's rule. */
  readonly mode: 'on' | 'try' | 'off'
  readonly after: number
  /** How long before a stop people are told. */
  readonly warn: number
  /** Its owner has it stopped although the platform scales it by itself. */
  readonly autoscaled?: boolean
  readonly owner: Actor
  readonly at: number
}

/** When people started an endpoint again soon after it was stopped for idleness, ms since 1970, oldest first. */
export interface EarlyRestarts {
  readonly kind: 'regrets'
  readonly endpoint: string
  readonly at: readonly number[]
}

/** What people have laid down, beside the policy file. */
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

/** Each with its own meaning; a process acts on no plan beside one that it does not know. */
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

/** A change of records, written with the move that makes it. */
export interface Change {
  readonly put?: readonly StoredRecord[]
  /** Keys. */
  readonly drop?: readonly string[]
  /** Gives other values to what is in force, and stays so. */
  readonly alters?: true
  /** Entries of the audit that an admin accepts as lost by ending a lockdown. */
  readonly acknowledges?: { readonly gaps: readonly Gap[] }
}

/** Whether a change starts its endpoint at once: the start is another request, with a card of its own. */
export function startsAtOnce({ put = [] }: Change = {}): boolean {
  return put.some((one) => one.kind === 'once' && one.want === 'up' && one.ran !== true)
}

/** Audit entries that are missing or changed. `to` before `from`: something foreign. Earlier versions stored MACs as well. */
export interface Gap {
  readonly from: number
  readonly to: number
}

/** How far the work on one decision has come, as it is kept from look to look. */
export interface ReconcileState {
  /** Endpoint, rule, nominal instant and what is wanted. */
  readonly occurrence: string
  /**
   * `waits`: another request holds the endpoint, or what people were told can still be answered. `asked`: a request is
   * on its way. `met`: it was as wanted at some time, so whatever differs later is somebody's doing. `held`: a hold
   * stands in its way, and once that is gone it counts again. `left`: people, or too many failures, have ended it.
   */
  readonly state: 'waits' | 'asked' | 'met' | 'held' | 'left'
  /** Requests handed in for it. */
  readonly attempts: number
  /** When the state began, ms. */
  readonly at: number
  /** The decision that was met when this one was asked for ahead of its time, and counts until then. */
  readonly before?: string
  /** Of idleness: what its clock counts from at the earliest, ms; still to come while a hold lasts. */
  readonly since?: number
  /** Of idleness: the idle time of the policy file that was last seen, ms. */
  readonly after?: number
  /** What people were told and can answer until then (ms), and where that stands. */
  readonly told?: { readonly says: Words; readonly until: number; readonly channel?: string; readonly ts?: string }
}

/** One record of each kind for each thing it is about; of an endpoint's holds the newest counts. */
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

/** Records of which an endpoint has one at most. */
type EndpointKind = 'protection' | 'hold' | 'idle' | 'regrets'

export function endpointKey(kind: EndpointKind, endpoint: string): string {
  return `${kind}:${endpoint}`
}

export function recordOn<Kind extends EndpointKind>(
  records: Records,
  kind: Kind,
  endpoint: string,
): RecordOf<Kind> | undefined {
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

/** Whether a change lets all changes of the project be asked for again. */
export function endsLockdown(change: Change | undefined): boolean {
  return change?.drop?.includes('lockdown') === true
}

/** Whether a change lets a terminal act in somebody's name, which is theirs alone to confirm. */
export function admitsTerminal(change: Change | undefined): boolean {
  return newTokenIn(change)?.terminal === true
}

export function newTokenIn(change: Change | undefined): AccessToken | undefined {
  return change?.put?.filter((record) => record.kind === 'token').find(({ revoked }) => revoked !== true)
}

export function standInFor(records: Records, who: Actor, now: number): StandIn | null {
  return absencesAt(records, now).find((one) => isSame(one.who, who)) ?? null
}

export function absencesAt(records: Records, now: number): readonly StandIn[] {
  const all = [...records.values()].filter((record) => record.kind === 'away')
  return all.filter(({ at, until }) => at <= now && now < until)
}

/** Whom somebody stands in for now. Not transitive: a mandate is not handed on. */
export function principalsOf(records: Records, standIn: Actor, now: number): readonly Actor[] {
  return absencesAt(records, now).flatMap(({ who, to }) => (isSame(to, standIn) ? [who] : []))
}

/** What a change writes anew or takes away, as it was; where an endpoint had no idle watch of its own, the team's. */
export function replacedBy(change: Change, records: Records, team: IdleRule | null): readonly StoredRecord[] {
  const { put = [], drop = [] } = change
  return [...put.map(keyOf), ...drop].flatMap((key) => {
    const found = records.get(key)
    if (found !== undefined) return [found]
    return team !== null && key === endpointKey('idle', team.endpoint) ? [team] : []
  })
}
