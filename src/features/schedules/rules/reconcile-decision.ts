import { terms } from '../../../core/model/limits.ts'
import type { Pursuit } from '../../../core/model/records.ts'
import type { Rules } from '../../../core/model/rules.ts'
import { lasting } from '../../../core/time/format.ts'
import { type Decider, type Desired, occurrenceOf } from './desired-state.ts'
import { desiredAs } from './equal-rules.ts'

/** What is decided about an endpoint now, the stop that comes next if one does, and when that changes (ms). */
export interface Decided {
  readonly decision: Desired
  readonly occurrence: string
  readonly stop: { readonly decision: Desired; readonly occurrence: string; readonly at: number } | null
}

/** Hand in a start or a stop, due at an instant. */
export interface Asking {
  readonly want: 'up' | 'down'
  readonly due: number
  readonly nominal: number
  readonly by: Decider
}

/** What to do about an endpoint at a look. Instants in ms. */
export type Pursue =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'forget' }
  | { readonly kind: 'note'; readonly state: 'met' | 'held' }
  | ({ readonly kind: 'ask' } & Asking)
  /** A request is on its way, or over: see what it has come to, and hand in again what is to be handed in again. */
  | ({ readonly kind: 'follow' } & Asking)
  /** A start that is no longer worth it. */
  | { readonly kind: 'missed'; readonly nominal: number; readonly until: number | null; readonly by: Decider }
  /** Somebody has moved it since it was as wanted: it is left so until `until`. */
  | { readonly kind: 'moved'; readonly want: 'up' | 'down'; readonly until: number }

export interface Pursued {
  /** What it is about: of the decision now, or of the stop to come; null where nothing is to be pursued. */
  readonly occurrence: string | null
  readonly what: Pursue
}

const dayMs = 86_400_000
/** A clock that goes back further than this was wrong before, ms. */
const mostBack = 2 * 3_600_000
const nothing = { kind: 'nothing' } as const

/** What `pursue` needs to know; true until before the decision's end. */
export function decide(id: string, rules: Rules, now: number): Decided {
  const desiredAt = desiredAs(rules)
  const decision = desiredAt(now)
  const { want, by, until } = decision
  // While all is frozen nobody is told of anything: what was due is late afterwards, and has its notice then.
  const next = want === 'down' || by === 'freeze' || until === null ? null : desiredAt(until)
  return {
    decision,
    occurrence: occurrenceOf(id, decision),
    stop:
      next?.want === 'down' && until !== null
        ? { decision: next, occurrence: occurrenceOf(id, next), at: until }
        : null,
  }
}

/**
 * Compares what an endpoint should be with what it is, and says what to do. `notice`: how long before a stop people
 * are told, ms. Never acts twice for one decision: what it has come to is in `pursuit`. Before the instant of that
 * nothing is done.
 */
export function pursue(
  { decision, occurrence, stop }: Decided,
  active: boolean,
  now: number,
  notice: number,
  pursuit: Pursuit | undefined,
): Pursued {
  // The clock has gone back: what is decided now was looked at before, and so was what came after it.
  if (pursuit !== undefined && now < pursuit.at && pursuit.at - now <= mostBack)
    return { occurrence: null, what: nothing }
  if (active && stop !== null && stop.at - notice <= now) {
    const { since: nominal, by } = stop.decision
    const asking = { want: 'down', due: stop.at, nominal, by } as const
    return { occurrence: stop.occurrence, what: ahead(asking, knownOf(pursuit, stop.occurrence)) }
  }
  const { want, by, since, until } = decision
  if (want === 'hands off') return { occurrence: null, what: handsOff(by, now, pursuit) }
  const known = knownOf(pursuit, occurrence)
  // What is still known of the decision before another was asked for is noted again: that other one is off.
  if (active === (want === 'up'))
    return { occurrence, what: known?.state === 'met' && known === pursuit ? nothing : { kind: 'note', state: 'met' } }
  const asking = { want, due: want === 'up' ? now : now + notice, nominal: since, by }
  switch (known?.state) {
    case 'asked':
      return { occurrence, what: { kind: 'follow', ...asking } }
    case 'left':
      return { occurrence, what: nothing }
    case 'met':
      // Right after it was met a read may still show what was before.
      if (now - known.at < terms.lag) return { occurrence, what: nothing }
      return { occurrence, what: { kind: 'moved', want, until: until ?? now + dayMs } }
    case undefined:
      if (want === 'up' && !isWorthStarting(since, until, now))
        return { occurrence, what: { kind: 'missed', nominal: since, until, by } }
      return { occurrence, what: { kind: 'ask', ...asking } }
    default:
      return { occurrence, what: { kind: 'ask', ...asking } }
  }
}

/** What is known of a decision; one that was met stays so while the stop after it is asked for. */
function knownOf(pursuit: Pursuit | undefined, occurrence: string): Pursuit | undefined {
  if (pursuit?.occurrence === occurrence) return pursuit
  return pursuit?.before === occurrence ? { ...pursuit, occurrence, state: 'met', attempts: 0 } : undefined
}

function ahead(asking: Asking, known: Pursuit | undefined): Pursue {
  if (known?.state === 'asked') return { kind: 'follow', ...asking }
  return known?.state === 'left' || known?.state === 'met' ? nothing : { kind: 'ask', ...asking }
}

/**
 * A freeze goes by and leaves what was done as done; a hold or a protection puts it off. What was done is known for as
 * long as the clock may still go back to it.
 */
function handsOff(by: Decider, now: number, pursuit: Pursuit | undefined): Pursue {
  if (pursuit === undefined || pursuit.state === 'held')
    return by === 'nothing' && pursuit ? { kind: 'forget' } : nothing
  const isDone = pursuit.state === 'met' || pursuit.state === 'left'
  if (by === 'nothing') return isDone && now - pursuit.at <= mostBack ? nothing : { kind: 'forget' }
  return by === 'freeze' && isDone ? nothing : { kind: 'note', state: 'held' }
}

const minuteMs = 60_000

/**
 * Whether a start that was missed is still worth it: half an hour or a quarter of its time remains. `nominal` is when
 * it was due, `until` when the endpoint is no longer wanted up (null: no end known); all in ms.
 */
export function isWorthStarting(nominal: number, until: number | null, now: number): boolean {
  if (until === null) return true
  const left = until - now
  return left > 0 && (left >= 30 * minuteMs || left >= (until - nominal) / 4)
}

/** Whether a stop comes so late after its nominal instant (ms) that people must be told before, and that it was missed. */
export function isLateStop(nominal: number, now: number): boolean {
  return now - nominal > 15 * minuteMs
}

/** The reason of something that is so late (ms), said once however often it is put off: "It is 41 min late." */
export function withLateness(why: string, late: number): string {
  const before = why.replace(/ ?It is [\dhdmins ]+ late\.$/, '')
  return [before, `It is ${lasting(late)} late.`].filter((part) => part !== '').join(' ')
}
