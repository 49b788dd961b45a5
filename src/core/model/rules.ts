import type { Day } from '../time/calendar.ts'
import { type Window, windowText } from '../time/weekly-window.ts'
import { placeOfZone } from '../time/zone.ts'
import { type Actor, isSame } from './roles.ts'
import { type Sentence, say, type Words } from './words.ts'

/** How often a rule's start or stop may fail before the rule waits for its next change. */
export const mostAttempts = 3

/**
 * Weekly times in which an endpoint is up or down. `up`: up inside, and down outside all up-windows of its level.
 * `down`: down inside, no effect outside, never starts. In force from `made` (ms since 1970). Plain data, because it is
 * stored.
 */
export interface WeeklyRule {
  readonly kind: 'weekly'
  readonly id: string
  /** Null: a team rule, for every endpoint whose own rules want nothing. */
  readonly endpoint: string | null
  readonly direction: 'up' | 'down'
  readonly window: Window
  /** A zone in the spelling of `readZone`. */
  readonly zone: string
  readonly owner: Actor
  readonly made: number
  /** Also applies while the platform autoscales the endpoint; otherwise such an endpoint is left alone. */
  readonly autoscaled?: true
}

/**
 * A one-time change from `at` (ms since 1970) until before `until`; without `until`, until the next weekly change, or
 * for a day if there is no weekly rule. An `up` with `until` ends in a stop, unless the weekly rules then want the
 * endpoint up; that stop also lasts until their next change or for a day. Of several, only the last begun counts. The
 * first stop after it, by anyone, drops an `up`; the first start after it drops a `down`.
 */
export interface OneOff {
  readonly kind: 'once'
  readonly id: string
  readonly endpoint: string
  readonly want: 'up' | 'down'
  readonly at: number
  readonly until?: number
  readonly owner: Actor
  /** The endpoint was already running when this was made, so only the end changes anything. */
  readonly ran?: true
}

/** Pauses automation from `at` until before `until` (ms since 1970). `console`: someone acted outside this product. */
export interface Hold {
  readonly kind: 'hold'
  readonly id: string
  readonly endpoint: string
  readonly at: number
  readonly until: number
  readonly by: Actor | 'console'
  /** When the skipped stop was due, ms since 1970. The hold lasts as long as that stop would have. */
  readonly skips?: number
  /** Not requested: `by` started or stopped the endpoint against its rules. */
  readonly against?: true
  /** People with earlier holds, each until their own end: another person's longer hold does not replace theirs. */
  readonly also?: readonly Keeper[]
}

/** A person who relies on a hold until this time, ms since 1970. */
export interface Keeper {
  readonly by: Actor
  readonly until: number
}

export type Rule = WeeklyRule | OneOff | Hold

/** All that decides about one endpoint, without paused rules. Ended holds and one-offs stay until they are spent. */
export interface Rules {
  /** The endpoint's own rules and the team's, in any order. */
  readonly weekly: readonly WeeklyRule[]
  readonly once: readonly OneOff[]
  readonly holds: readonly Hold[]
  /** Holidays: on these dates, in a rule's own zone, no up-window begins. */
  readonly skip: ReadonlySet<Day>
  readonly protected: boolean
  /** How long before a stop people are warned, ms. A stop after a pause is left out if a start follows that soon. */
  readonly notice?: number
  /** From `at` until before `until` (ms since 1970); null if the end is unknown. */
  readonly freeze: { readonly at: number; readonly until: number | null } | null
  /** The start or stop that is wanted now failed and is tried again then, ms since 1970; null: it was given up. */
  readonly again?: number | null | undefined
}

/** Whether an endpoint is up or down contrary to its rules. */
export function isAgainst(want: 'up' | 'down' | 'hands off', active: boolean | null): want is 'up' | 'down' {
  return want !== 'hands off' && active === (want === 'down')
}

/** "Its start failed; I’ll try again in 4 min.", or `part` of a row. Empty unless what the rules want has failed. */
export function failedText(
  { again }: Rules,
  { want, active }: { readonly want: 'up' | 'down' | 'hands off'; readonly active: boolean | null },
  now: number,
  part: 'yes' | 'no',
): Sentence | '' {
  const length = again == null ? 'none' : { lasting: Math.max(again - now, 60_000) }
  if (again === undefined || !isAgainst(want, active)) return ''
  return say('rule.failed', { part, want, again: length })
}

/** An announced stop that can still be skipped. `at` in ms since 1970. */
export interface Announced {
  readonly want: 'up' | 'down'
  readonly at: number
  readonly by: 'schedule' | 'idle' | 'once'
}

/** Returns the origin of an announced stop. A one-off does not belong to a schedule. */
export function noticeCause({ via, asked }: { readonly via?: string; readonly asked?: string }): Announced['by'] {
  if (via === 'idle') return 'idle'
  return asked === undefined ? 'schedule' : 'once'
}

/** Whether a hold comes from a start or stop against the rules. It gives way to the next request. */
export function isByHand({ by, against }: Hold): boolean {
  return by === 'console' || against === true
}

/** Lists the people who rely on a hold, the last to end first. */
export function keepersOf({ by, until, against, also = [] }: Hold): readonly Keeper[] {
  const all = by === 'console' || against ? also : [{ by, until }, ...also]
  return all.toSorted((a, b) => b.until - a.until)
}

export function otherKeepers(hold: Hold, who: Actor): readonly Keeper[] {
  return keepersOf(hold).filter(({ by }) => !isSame(by, who))
}

/** Returns the pause that people asked for before a hold by hand, and that lasts beyond `end` (ms); null if none does. */
export function pauseUnder(hold: Hold, by: Pick<Hold, 'id' | 'at'>, end = by.at): Hold | null {
  const [first, ...also] = keepersOf(hold).filter(({ until }) => end < until)
  if (first === undefined) return null
  return { kind: 'hold', endpoint: hold.endpoint, ...by, ...first, ...(also.length > 0 && { also }) }
}

/** Whether a hold until `end` (ms) cuts it short. Compares whole minutes, as people see and type them. */
export function isCutShort({ until }: Pick<Keeper, 'until'>, end: number): boolean {
  return end < Math.floor(until / 60_000) * 60_000
}

/** "running weekdays 09:00–20:00 Seoul time", "stop once today at 19:00". */
export function ruleName(rule: WeeklyRule | OneOff): Words {
  if (rule.kind === 'weekly') return weeklyName(rule)
  const { want, at, until = at } = rule
  // Its start is not part of the rule.
  if (rule.ran && rule.until !== undefined) return say('rule.runs', { until: { at: until } })
  return say('rule.once', { want, at: { at }, end: rule.until === undefined ? 'open' : 'set', until: { at: until } })
}

/** Formats a weekly rule in its canonical spelling: "up weekdays 09:00-20:00 Asia/Seoul". */
export function weeklyText({ direction, window, zone }: Weekly): string {
  return `${direction} ${windowText(window)} ${zone}`
}

type Weekly = Pick<WeeklyRule, 'direction' | 'window' | 'zone'>

export function weeklyName({ direction, window, zone }: Weekly): Sentence {
  return say('schedule.to', { direction, times: windowText(window), place: placeOfZone(zone) })
}

/** Returns the id of the rule whose start this occurrence is; undefined for a stop. */
export function startedBy(occurrence: string | undefined): string | undefined {
  return occurrence?.endsWith('.up') === true ? occurrence.split('.').at(-3) : undefined
}
