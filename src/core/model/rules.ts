import type { Day } from '../time/calendar.ts'
import { type Window, windowText } from '../time/weekly-window.ts'
import { placeOfZone } from '../time/zone.ts'
import { type Actor, isSame } from './roles.ts'
import { type Sentence, say, type Words } from './words.ts'

/** How often a rule starts or stops an endpoint in vain before it waits for its next change. */
export const mostAttempts = 3

/**
 * Up or down in the times of a window. `up` is up inside and down outside all up-windows of its level; `down` is down
 * inside, leaves alone outside, and never starts. In force from `made` (ms). Plain data, so that it can be kept.
 */
export interface WeeklyRule {
  readonly kind: 'weekly'
  readonly id: string
  /** Null: the team's, for every endpoint whose own rules say nothing. */
  readonly endpoint: string | null
  readonly direction: 'up' | 'down'
  readonly window: Window
  /** A zone as `readZone` gives it. */
  readonly zone: string
  readonly owner: Actor
  readonly made: number
  /** Also while the platform scales the endpoint by itself; otherwise that is left to the platform. */
  readonly autoscaled?: true
}

/**
 * Once, from `at` (ms) until before `until`. Without `until` it holds until the next weekly change, or for a day where
 * no weekly rule applies. One that is up and has an `until` ends by stopping, unless the weekly rules want the endpoint
 * up then: that stop too holds until their next change or for a day.
 * Of several only the one begun last counts. One that is up goes with the first stop after it, whoever makes that.
 */
export interface OneOff {
  readonly kind: 'once'
  readonly id: string
  readonly endpoint: string
  readonly want: 'up' | 'down'
  readonly at: number
  readonly until?: number
  readonly owner: Actor
  /** Its endpoint was running already when it was made, so all that it changes is the end. */
  readonly ran?: true
}

/** Hands off from `at` until before `until` (ms). `console`: somebody acted elsewhere. */
export interface Hold {
  readonly kind: 'hold'
  readonly id: string
  readonly endpoint: string
  readonly at: number
  readonly until: number
  readonly by: Actor | 'console'
  /** The stop that somebody has skipped, by when it was to be, ms: it lasts as long as that would have. */
  readonly skips?: number
  /** Nobody asked for it: `by` has started or stopped the endpoint against its rules. */
  readonly against?: true
  /** Others who had kept it before, each until their own end (ms): a longer hold of somebody else takes nothing from them. */
  readonly also?: readonly Keeper[]
}

/** Somebody who counts on a hold until then, ms since 1970. */
export interface Keeper {
  readonly by: Actor
  readonly until: number
}

export type Rule = WeeklyRule | OneOff | Hold

/** All that decides about one endpoint. Rules that are paused are left out; ended holds and one-offs stay until they are spent. */
export interface Rules {
  /** The endpoint's own and the team's, in any order. */
  readonly weekly: readonly WeeklyRule[]
  readonly once: readonly OneOff[]
  readonly holds: readonly Hold[]
  /** Holidays: on these dates, in a rule's own zone, no up-window begins. */
  readonly skip: ReadonlySet<Day>
  readonly protected: boolean
  /** From `at` until before `until` (ms), null for no end known. */
  readonly freeze: { readonly at: number; readonly until: number | null } | null
}

/** A stop that was announced and can still be skipped. `at` in ms since 1970. */
export interface AnnouncedStop {
  readonly at: number
  readonly by: 'schedule' | 'idle' | 'once'
}

/** What an announced stop comes from; a one-off is nobody's schedule. */
export function noticeCause({ via, asked }: { readonly via?: string; readonly asked?: string }): AnnouncedStop['by'] {
  if (via === 'idle') return 'idle'
  return asked === undefined ? 'schedule' : 'once'
}

/** Whether it came of a start or a stop against the rules: it gives way to whatever is asked for next. */
export function isByHand({ by, against }: Hold): boolean {
  return by === 'console' || against === true
}

/** Others than `who` who count on a hold, the last to end first. */
export function otherKeepers({ by, until, against, also = [] }: Hold, who: Actor): readonly Keeper[] {
  const all = by === 'console' || against ? also : [{ by, until }, ...also]
  return all.filter((one) => !isSame(one.by, who)).toSorted((a, b) => b.until - a.until)
}

/** Whether a hold until `end` (ms) cuts it short. People read and type ends in full minutes. */
export function isCutShort({ until }: Keeper, end: number): boolean {
  return end < Math.floor(until / 60_000) * 60_000
}

/** "running weekdays 09:00–20:00 Seoul time", "stop once today at 19:00". */
export function ruleName(rule: WeeklyRule | OneOff): Words {
  if (rule.kind === 'weekly') return weeklyName(rule)
  const { want, at, until = at } = rule
  return say('rule.once', { want, at: { at }, end: rule.until === undefined ? 'open' : 'set', until: { at: until } })
}

/** A weekly rule as it is typed, in its one spelling: "up weekdays 09:00-20:00 Asia/Seoul". */
export function weeklyText({ direction, window, zone }: Weekly): string {
  return `${direction} ${windowText(window)} ${zone}`
}

type Weekly = Pick<WeeklyRule, 'direction' | 'window' | 'zone'>

/** The same for people. */
export function weeklyName({ direction, window, zone }: Weekly): Sentence {
  return say('rule.spoken', { direction, times: windowText(window), place: placeOfZone(zone) })
}

/** The id of the rule whose start an occurrence is; undefined of a stop. */
export function startedBy(occurrence: string | undefined): string | undefined {
  return occurrence?.endsWith('.up') === true ? occurrence.split('.').at(-3) : undefined
}
