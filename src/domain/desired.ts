import { type Course, changeAfter, changeBefore, earliest, latest } from './course.ts'
import type { Hold, OneOff, Rule, Rules } from './rules.ts'
import { edgesOf, nextBoundary, weeklyAt, weeklyWant } from './weekly.ts'

export type Want = 'up' | 'down' | 'hands off'
export type Decider = Rule | 'protected' | 'freeze' | 'nothing'

/** What an endpoint should be now. Instants in ms. */
export interface Desired {
  readonly want: Want
  readonly by: Decider
  /** When this decision began, nominally: 20:00 sharp. 0 when nothing ever decided anything else. */
  readonly since: number
  /** What brought the decision about at `since`; where windows join it may be over by now, unlike `by`. */
  readonly opener: Decider
  /** When the decision changes; null when it will not, as far as is known. */
  readonly until: number | null
  /** Rules that want something else and do not decide. */
  readonly shadowed: readonly Rule[]
}

/** A stretch of time with one decision, from `from` until before `to` (ms). */
export interface Segment {
  readonly from: number
  readonly to: number
  readonly want: Want
  readonly by: Decider
}

interface Said {
  readonly want: Want
  readonly by: Decider
}

/**
 * What an endpoint should be at `now` (ms), by whom, since when and until when. The first with an opinion decides:
 * freeze, hold, one-off, weekly windows (the endpoint's, then the team's), nothing. What is protected is never down.
 */
export function desired(all: Rules, now: number): Desired {
  // A freeze that is over began nothing: what was due in it is late, and what was done before it is not done again.
  const rules = all.freeze === null || isFrozen(all, now) ? all : { ...all, freeze: null }
  const spells = rules.once.map((rule) => spellOf(rules, rule))
  const course = courseOf(rules, spells)
  const said = saidAt(rules, spells, now)
  const { want, by } = decided(rules, said)
  const state = course.at(now)
  const since = changeBefore(course, now, state)
  const opener = since === null ? by : decided(rules, saidAt(rules, spells, since)).by
  const others = said.filter((one) => one.want !== want && one.want !== 'hands off').map((one) => one.by)
  const shadowed = others.filter((one) => typeof one !== 'string')
  return { want, by, since: since ?? 0, opener, until: changeAfter(course, now, state), shadowed }
}

/** The id of what a decision hands in: endpoint, rule, nominal instant and what it wants. The same however often asked. */
export function occurrenceOf(endpoint: string, { opener, since, want }: Desired): string {
  const rule = typeof opener === 'string' ? opener : opener.id
  return [endpoint, rule, since, want === 'hands off' ? 'off' : want].join('.')
}

/** What will be decided from `from` until before `to` (ms), one after the other without a hole. */
export function segments(rules: Rules, from: number, to: number): readonly Segment[] {
  const spells = rules.once.map((rule) => spellOf(rules, rule))
  const course = courseOf(rules, spells)
  const found: Segment[] = []
  for (let start = from; start < to; ) {
    const end = Math.min(changeAfter(course, start) ?? to, to)
    found.push({ from: start, to: end, ...decided(rules, saidAt(rules, spells, start)) })
    start = end
  }
  return found
}

/**
 * Whether a hold or one-off can be forgotten: it has ended and the windows have changed their mind since, so that it marks
 * no beginning any more; or a newer one-off has begun in its place.
 */
export function isSpent(rule: OneOff | Hold, rules: Rules, now: number): boolean {
  if (rule.kind === 'once' && rules.once.some(({ at }) => rule.at < at && at <= now)) return true
  const end = rule.kind === 'hold' ? rule.until : spellOf(rules, rule).trail
  return end <= now && (nextBoundary(rules, end) ?? end) <= now
}

/** When a one-off decides: until before `to`, then with a stop of its own until before `trail`, never before `to`. */
interface Spell {
  readonly rule: OneOff
  readonly to: number
  readonly trail: number
}

function spellOf(rules: Rules, rule: OneOff): Spell {
  if (rule.until === undefined) {
    const to = openEnd(rules, rule.at)
    return { rule, to, trail: to }
  }
  return { rule, to: rule.until, trail: rule.want === 'up' ? openEnd(rules, rule.until) : rule.until }
}

function openEnd(rules: Rules, ms: number): number {
  const boundary = nextBoundary(rules, ms)
  if (boundary !== null) return boundary
  return weeklyWant(rules, ms) !== null ? Number.POSITIVE_INFINITY : ms + 86_400_000
}

function courseOf(rules: Rules, spells: readonly Spell[]): Course {
  const weekly = edgesOf(rules)
  const { freeze, holds } = rules
  const single = [
    ...(freeze === null ? [] : [freeze.at, freeze.until]),
    ...holds.flatMap(({ at, until }) => [at, until]),
    ...spells.flatMap(({ rule, to, trail }) => [rule.at, to, trail]),
  ].filter((one) => one !== null && Number.isFinite(one))
  return {
    // The weekly rules are one voice: where one window ends inside another nothing begins.
    at(ms) {
      if (single.length === 0) {
        const want = weeklyWant(rules, ms)
        return want === 'down' && rules.protected ? 'protected' : (want ?? 'nothing')
      }
      const { want, by } = decided(rules, saidAt(rules, spells, ms))
      if (typeof by === 'string') return by
      return by.kind === 'weekly' ? want : `${want} ${by.id}`
    },
    before: (ms) => latest([weekly.before(ms), ...single], ms),
    after: (ms) => earliest([weekly.after(ms), ...single], ms),
    marks: () => [...weekly.marks(), ...single],
  }
}

function decided(rules: Rules, [first]: readonly Said[]): Said {
  if (first === undefined) return { want: 'hands off', by: 'nothing' }
  return first.want === 'down' && rules.protected ? { want: 'hands off', by: 'protected' } : first
}

/** All that has an opinion at an instant, in the order in which they decide. */
function saidAt(rules: Rules, spells: readonly Spell[], ms: number): readonly Said[] {
  const { freeze, holds } = rules
  const weekly: readonly Said[] = weeklyAt(rules, ms)
  if (freeze === null && holds.length === 0 && spells.length === 0) return weekly
  const frozen: readonly Said[] = isFrozen(rules, ms) ? [{ want: 'hands off', by: 'freeze' }] : []
  const held = holds
    .filter(({ at, until }) => at <= ms && ms < until)
    .sort(newestFirst)
    .map((by): Said => ({ want: by.keeps ?? 'hands off', by }))
  const [spell] = spells.filter(({ rule }) => rule.at <= ms).sort((a, b) => newestFirst(a.rule, b.rule))
  const once: readonly Said[] = spell !== undefined && ms < spell.to ? [{ want: spell.rule.want, by: spell.rule }] : []
  const trail: readonly Said[] =
    spell !== undefined && spell.to <= ms && ms < spell.trail ? [{ want: 'down', by: spell.rule }] : []
  return [...frozen, ...held, ...once, ...weekly, ...trail]
}

function newestFirst(a: Hold | OneOff, b: Hold | OneOff): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1)
}

function isFrozen({ freeze }: Rules, ms: number): boolean {
  return freeze !== null && freeze.at <= ms && (freeze.until === null || ms < freeze.until)
}
