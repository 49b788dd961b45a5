import { writeWord } from '../../../core/commands/quoting.ts'
import { currentState, type Endpoint } from '../../../core/model/endpoint.ts'
import {
  failedText,
  type OneOff,
  type Rule,
  type Rules,
  ruleName,
  type WeeklyRule,
  weeklyName,
  weeklyText,
} from '../../../core/model/rules.ts'
import { type Sentence, type SentenceValue, say, type Words } from '../../../core/model/words.ts'
import { weekdayOf } from '../../../core/time/calendar.ts'
import { complement, windowText } from '../../../core/time/weekly-window.ts'
import { instantOf, localAt } from '../../../core/time/zone.ts'
import { comesTooLate, nextChange } from './coming.ts'
import { type Decider, desired, isPause } from './desired-state.ts'

/** Says what happens at the end of a one-off, because another rule may stop the endpoint sooner, or keep it on. */
export function endOfOneOff(rules: Rules, once: OneOff, now: number): Sentence {
  const all = { ...rules, once: [...rules.once, once] }
  const end = once.until ?? once.at
  const { want, until, by } = desired(all, end)
  const next = nextChange(all, now)
  const first = desired(all, now)
  const after = { until: until === null ? 'none' : { at: until } }
  if (want === 'up') return say('once.staysOn', after)
  if (isPause(by)) return say('once.paused', { until: next?.want === 'down' ? { at: next.at } : 'none' })
  // An earlier stop is over by then.
  if (once.want === 'down' && desired(rules, end - 1).want === 'up') return say('once.stopsAt')
  if (first.want === 'down' && now < end) return say('once.already')
  if (next?.want === 'down' && next.at < end) {
    const { by: cause } = because(next.by)
    return say('once.sooner', { at: { at: next.at }, by: cause === 'once' && isPause(next.after) ? 'hold' : cause })
  }
  return say('once.stopsAt')
}

/** Says until when the runs that go on after `end` (ms) were to last. */
export function runsEnded({ once }: Pick<Rules, 'once'>, end: number): readonly Words[] {
  const runs = once.filter(({ want, at, until = 0 }) => want === 'up' && at < end && until > end)
  return runs.map(({ until = 0, owner }) => say('endRun.instead', { at: { at: until }, by: { person: owner } }))
}

/** Says when the rules next stop a running endpoint, with a `notice` (ms); empty if they don’t. */
export function stopText(rules: Rules, name: string, now: number, notice: number): Words {
  if (desired(rules, now).want === 'down')
    // A stop that would be undone before it comes is not announced.
    return desired(rules, now + notice).want === 'down'
      ? say('keep.stopsSoon', { name, notice: { lasting: notice } })
      : ''
  const next = nextChange(rules, now)
  return next?.want === 'down' ? say('notice.due', { name, verb: 'stop', due: { at: next.at } }) : ''
}

/** Says what applies outside the times of a new rule. `own`: the endpoint's others; `all`: also the team's, or this one. */
export function otherTimes(
  name: string,
  rule: WeeklyRule,
  { own, all }: Readonly<Record<'own' | 'all', readonly WeeklyRule[]>>,
): Words {
  const { direction, window, zone } = rule
  const before = all.filter((one) => weeklyText(one) !== weeklyText(rule))
  if (direction === 'down' && !before.some((one) => one.direction === 'up')) {
    const times = complement(window)
    const line = times === null ? '' : `schedule ${writeWord(name)} up ${windowText(times)} ${zone}`
    return [say('schedules.staysStopped'), line === '' ? '' : say('schedule.orUp', { line })]
  }
  const others = { all: (direction === 'down' ? before : own.filter((one) => one.direction === 'up')).map(weeklyName) }
  if (others.all.length === 0) return say('schedule.up', { name })
  return say(direction === 'up' ? 'schedule.upWith' : 'schedule.downWith', { name, others })
}

/** Says that no rule starts the endpoint again after a stop; empty if one does, or if nothing stops it. */
export function staysStopped(rules: Rules, now: number): Words {
  const { weekly, once } = rules
  const isStarted =
    weekly.some(({ direction }) => direction === 'up') || once.some((one) => one.want === 'up' && one.at > now)
  const isStopped = desired(rules, now).want === 'down' || nextChange(rules, now)?.want === 'down'
  return isStopped && !isStarted ? say('schedules.staysStopped') : ''
}

type About = Partial<Pick<Endpoint, 'active' | 'status' | 'name'>> & { readonly listed?: true }

/**
 * "Running until tomorrow at 20:00 (schedule: running daily 09:00–20:00 UTC), then stops." With a `name`, it is a
 * sentence about that endpoint. Empty without a decision now or later. `listed`: the rules are shown beside it.
 */
export function decidedText(rules: Rules, now: number, { active = null, status = '', name, listed }: About = {}) {
  const { want: wanted, by, until } = desired(rules, now)
  const want = active === true && comesTooLate(rules, now) ? 'hands off' : wanted
  const coming = nextChange(rules, now)
  if (by.kind === 'nothing' && coming === null) return ''
  // Nothing happens to a stopped endpoint when the rule that stopped it ends.
  const isLeft = coming?.want === 'hands off' && coming.by.kind !== 'protected'
  const next = want === 'down' && active === false && isLeft ? null : coming
  // The end of a hold is shown even if nothing changes then.
  const to = next?.at ?? (by.kind === 'hold' ? until : null)
  const isAlready = active !== null && next?.want === (active ? 'up' : 'down')
  const isNone = next === null || (want === 'hands off' && isAlready)
  const seen = currentState({ active, status })
  const isOtherwise = seen !== 'unknown' && seen !== (want === 'up' ? 'running' : 'stopped')
  const failed = failedText(rules, { want, active }, now, 'no')
  // A planned stop changes nothing for a stopped endpoint, and others may have stopped it.
  const isEmpty = by.kind === 'nothing' ? coming?.want === 'down' : by.kind === 'once' && next === null
  if (active === false && isEmpty) return failed
  // Its time has come, but the stop has not.
  if (active === true && want === 'down' && by.kind === 'once')
    return [say('decided.overdue', { at: { at: (by.want === 'up' ? by.until : by.at) ?? now } }), failed]
  const says = say(name === undefined ? 'decided.here' : 'decided.of', {
    name: name ?? '',
    state: want === 'hands off' ? 'left' : isOtherwise ? `${want}Soon` : want,
    end: to === null ? 'open' : 'set',
    until: { at: to ?? now },
    next: isNone ? 'none' : next.by.kind === 'protected' ? 'protected' : next.want,
    ...because(listed && 'id' in by ? { kind: 'nothing' } : want === 'hands off' ? by : (next?.after ?? by)),
  })
  return failed === '' ? says : [says, failed]
}

/** Returns what decides, and the values for the sentence about it. */
export function because(by: Decider): Record<'rule' | 'skips' | 'who', SentenceValue> & { readonly by: string } {
  const none = { rule: '', skips: '', who: '' }
  if (by.kind === 'weekly') return { ...none, by: 'weekly', rule: weeklyName(by) }
  if (by.kind !== 'hold') return { ...none, by: by.kind }
  if (by.skips !== undefined) return { ...none, by: 'skip', skips: { at: by.skips } }
  if (by.by === 'console') return { ...none, by: 'console' }
  return { ...none, by: by.against ? 'hand' : 'hold', who: { person: by.by } }
}

/** "running weekdays 09:00–20:00 Seoul time", "stop once today at 19:00". */
export function textOf(rule: Rule): Words {
  if (rule.kind !== 'hold') return ruleName(rule)
  const until = { at: rule.until }
  if (rule.skips !== undefined) return say('rule.skip', { at: { at: rule.skips }, until })
  if (rule.by === 'console') return say('rule.changedElsewhere', { until })
  return say(rule.against ? 'rule.changedHere' : 'rule.paused', { until })
}

/** Says why a weekly rule conflicts with these, or null: up wins if both apply, so down would never apply. */
export function clash(rules: readonly WeeklyRule[], candidate: Omit<WeeklyRule, 'kind' | 'id' | 'owner'>) {
  const text = weeklyText(candidate)
  for (const rule of rules) {
    if (rule.endpoint !== candidate.endpoint) continue
    if (weeklyText(rule) === text) return say('schedule.twice', { rule: weeklyName(rule) })
    if (rule.direction === candidate.direction || !overlaps(rule, candidate)) continue
    const [up, down] = rule.direction === 'up' ? [rule, candidate] : [candidate, rule]
    const window = windowText(down.window)
    return say('schedule.clash', { one: weeklyName(rule), other: weeklyName(candidate), window, up: weeklyName(up) })
  }
  return null
}

/** Whether two windows share a minute in the week after the candidate is created. */
function overlaps(rule: WeeklyRule, candidate: Pick<WeeklyRule, 'window' | 'zone' | 'made'>): boolean {
  const others = weekOf(rule, candidate.made)
  return weekOf(candidate, candidate.made).some(([from, to]) => others.some(([begin, end]) => from < end && begin < to))
}

/** Returns the spans of a window in the week after an instant (ms). */
function weekOf({ window, zone }: Pick<WeeklyRule, 'window' | 'zone'>, ms: number) {
  const { day: first } = localAt(ms, zone)
  const days = Array.from({ length: 10 }, (_, index) => first - 1 + index)
  return days
    .filter((day) => window.days.includes(weekdayOf(day)))
    .flatMap((day) =>
      window.spans.map(({ from, to }) => [instantOf(day, from, zone), instantOf(day, to, zone)] as const),
    )
}
