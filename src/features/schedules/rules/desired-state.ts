import type { Hold, OneOff, Rule, Rules } from '../../../core/model/rules.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import { changeAfter, changeBefore, earliest, latest } from './timeline.ts'
import { edgesOf, nextBoundary, weeklyAt, weeklyWant } from './weekly.ts'

/** A rule, or what keeps all rules from deciding. */
export type Decider = Rule | { readonly kind: 'protected' | 'freeze' | 'nothing' }

const frozen = { kind: 'freeze' } as const

/** The desired state of an endpoint. Instants in ms. */
export interface Desired extends Opinion {
  /** When the decision nominally began: 20:00 sharp. 0 if it has never changed. */
  readonly since: number
  /** What decided at `since`. Unlike `by`, it may have ended, if one window follows another. */
  readonly opener: Decider
  /** When the decision changes; null if no change is known. */
  readonly until: number | null
}

/** One decision, from `from` until before `to` (ms). */
export interface DecidedSpan extends Opinion {
  readonly from: number
  readonly to: number
}

/**
 * Returns the desired state of an endpoint at `now` (ms). The first opinion decides: freeze, hold, one-off, weekly
 * windows (the endpoint's, then the team's), the stop after a one-off. A protected endpoint is never wanted down.
 */
export function desired(all: Rules, now: number): Desired {
  const { freeze } = all
  if (freeze !== null && isFrozen(all, now))
    return { want: 'hands off', by: frozen, since: freeze.at, opener: frozen, until: freeze.until }
  // An expired freeze is ignored: a change due during it is late, and a change made before it is not repeated.
  const rules = freeze === null ? all : { ...all, freeze: null }
  const course = courseOf(rules)
  const { want, by } = course.decidedAt(now)
  const state = course.at(now)
  const since = changeBefore(course, now, state)
  const opener = since === null ? by : course.decidedAt(since).by
  return { want, by, since: since ?? 0, opener, until: changeAfter(course, now, state) }
}

/** Returns what causes a stop. At the end of a run it is the run, even if a schedule wants the endpoint down anyway. */
export function stopperOf(rules: Rules, { want, by, since }: Pick<Desired, 'want' | 'by' | 'since'>): Decider {
  if (want !== 'down' || by.kind !== 'weekly') return by
  if (!rules.once.some((one) => one.want === 'up' && one.until === since)) return by
  const { by: before } = desired(rules, since - 1)
  const isEnded = before.kind === 'once' && before.until === since
  return isEnded && desired({ ...rules, once: [] }, since).since < since ? before : by
}

/** Whether a hold or a freeze decides, so nothing is done. */
export function isPause(by: Decider): boolean {
  return by.kind === 'freeze' || by.kind === 'hold'
}

/** Whether a stop after a pause is left out (ms), because a start would undo it while it is announced. */
export function isLeftOutAfter(by: Decider, rules: Rules, from: number, to: number | null): boolean {
  // Somebody asked for a stop at that very time.
  if (rules.once.some(({ at, until = at }) => until === from)) return false
  return isPause(by) && to !== null && to <= from + (rules.notice ?? 0) && desired(rules, to).want === 'up'
}

/** Returns the id of a decision: endpoint, rule, nominal instant and desired state. */
export function occurrenceOf(endpoint: string, { opener, since, want }: Desired): string {
  const rule = 'id' in opener ? opener.id : opener.kind
  return `${endpoint}.${rule}.${since}.${want === 'hands off' ? 'off' : want}`
}

/** Returns all decisions from `from` until before `to` (ms), without gaps. */
export function segments(rules: Rules, from: number, to: number): readonly DecidedSpan[] {
  const course = courseOf(rules)
  const found: DecidedSpan[] = []
  for (let start = from; start < to; ) {
    const end = Math.min(changeAfter(course, start) ?? to, to)
    const before = found.at(-1)
    const decision = course.decidedAt(start)
    const isLeftOut = decision.want === 'down' && before !== undefined && isLeftOutAfter(before.by, rules, start, end)
    found.push({ from: start, to: end, ...(isLeftOut ? { want: 'hands off', by: before.by } : decision) })
    start = end
  }
  return found
}

function courseOf(rules: Rules) {
  const spans = rules.once.map((rule) => spanOfOneOff(rules, rule))
  const weekly = edgesOf(rules)
  const { freeze, holds } = rules
  const single = [
    ...(freeze === null ? [] : [freeze.at, freeze.until]),
    ...holds.flatMap(({ at, until }) => [at, until]),
    ...spans.flatMap(({ rule, to, trail }) => [rule.at, to, trail]),
  ].filter((one) => one !== null && Number.isFinite(one))
  /** The first opinion decides, unless it would stop a protected endpoint. */
  function decidedAt(ms: number): Opinion {
    const [first] = opinionsAt(rules, spans, ms)
    if (first === undefined) return { want: 'hands off', by: { kind: 'nothing' } }
    return first.want === 'down' && rules.protected ? { want: 'hands off', by: { kind: 'protected' } } : first
  }

  return {
    decidedAt,
    // Weekly rules that want the same make one decision: none begins when one window ends inside another.
    at: (ms: number) => {
      const { want, by } = decidedAt(ms)
      if (!('id' in by)) return by.kind
      return by.kind === 'weekly' ? want : `${want} ${by.id}`
    },
    before: (ms: number) => latest([weekly.before(ms), ...single], ms),
    after: (ms: number) => earliest([weekly.after(ms), ...single], ms),
    marks: (ms: number) => [...weekly.marks(ms), ...single],
  }
}

interface Opinion {
  readonly want: 'up' | 'down' | 'hands off'
  readonly by: Decider
}

/** Returns all opinions at an instant (ms), in the order in which they decide. */
function opinionsAt(rules: Rules, spans: readonly OneOffSpan[], ms: number): readonly Opinion[] {
  const { freeze, holds } = rules
  const weekly: readonly Opinion[] = weeklyAt(rules, ms)
  if (freeze === null && holds.length === 0 && spans.length === 0) return weekly
  const paused: readonly Opinion[] = isFrozen(rules, ms) ? [{ want: 'hands off', by: frozen }] : []
  const held = holds
    .filter(({ at, until }) => at <= ms && ms < until)
    .sort(newestFirst)
    .map((by): Opinion => ({ want: 'hands off', by }))
  const [newest] = spans.filter(({ rule }) => rule.at <= ms).sort((a, b) => newestFirst(a.rule, b.rule))
  if (newest === undefined) return [...paused, ...held, ...weekly]
  const { rule, to, trail } = newest
  const once: readonly Opinion[] = ms < to ? [{ want: rule.want, by: rule }] : []
  const after: readonly Opinion[] = to <= ms && ms < trail ? [{ want: 'down', by: rule }] : []
  return [...paused, ...held, ...once, ...weekly, ...after]
}

function newestFirst(a: Hold | OneOff, b: Hold | OneOff): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1)
}

function isFrozen({ freeze }: Rules, ms: number): boolean {
  return freeze !== null && freeze.at <= ms && (freeze.until === null || ms < freeze.until)
}

/** A one-off decides until before `to` (ms), and after a start wants the endpoint down until before `trail`. */
interface OneOffSpan {
  readonly rule: OneOff
  readonly to: number
  readonly trail: number
}

export function spanOfOneOff(rules: Rules, rule: OneOff): OneOffSpan {
  const to = rule.until ?? openEnd(rules, rule.at)
  return { rule, to, trail: rule.want === 'up' && rule.until !== undefined ? openEnd(rules, to) : to }
}

function openEnd(rules: Rules, ms: number): number {
  const boundary = nextBoundary(rules, ms)
  if (boundary !== null) return boundary
  return weeklyWant(rules, ms) !== null ? Number.POSITIVE_INFINITY : ms + dayMs
}
