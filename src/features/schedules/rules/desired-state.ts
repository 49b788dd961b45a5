import type { Hold, OneOff, Rule, Rules } from '../../../core/model/rules.ts'
import { type Spell, spellOf } from './one-offs.ts'
import { type Course, changeAfter, changeBefore, earliest, latest } from './timeline.ts'
import { edgesOf, weeklyAt, weeklyWant } from './weekly.ts'

/** Who or what decides. */
export type Decider = Said['by']

/** What an endpoint should be now. Instants in ms. */
export interface Desired extends Said {
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
export interface Segment extends Said {
  readonly from: number
  readonly to: number
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
  return `${endpoint}.${rule}.${since}.${want === 'hands off' ? 'off' : want}`
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
    marks: (ms) => [...weekly.marks(ms), ...single],
  }
}

/** What is wanted of an endpoint, and by what. */
interface Said {
  readonly want: 'up' | 'down' | 'hands off'
  readonly by: Rule | 'protected' | 'freeze' | 'nothing'
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

/** What is decided among what was said: the first, unless it would stop what is protected. */
function decided(rules: Rules, [first]: readonly Said[]): Said {
  if (first === undefined) return { want: 'hands off', by: 'nothing' }
  return first.want === 'down' && rules.protected ? { want: 'hands off', by: 'protected' } : first
}

function newestFirst(a: Hold | OneOff, b: Hold | OneOff): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1)
}

/** Whether automation is frozen at an instant (ms). */
function isFrozen({ freeze }: Rules, ms: number): boolean {
  return freeze !== null && freeze.at <= ms && (freeze.until === null || ms < freeze.until)
}
