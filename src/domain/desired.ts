import { type Course, changeAfter, changeBefore, earliest, latest } from './course.ts'
import type { Rule, Rules } from './rules.ts'
import { decided, isFrozen, type Said, saidAt } from './said.ts'
import { type Spell, spellOf } from './spell.ts'
import { edgesOf, weeklyWant } from './weekly.ts'

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
