import { desiredAs } from './alike.ts'
import { type Decider, type Desired, occurrenceOf } from './desired.ts'
import { isWorthStarting } from './late.ts'
import type { Rules } from './rules.ts'
import { terms } from './terms.ts'

/** How far the pursuit of one decision has come, as it is kept from look to look. */
export interface Pursuit {
  /** Endpoint, rule, nominal instant and what is wanted. */
  readonly occurrence: string
  /**
   * `asked`: a request is on its way. `met`: it was as wanted at some time, so whatever differs later is somebody's
   * doing. `held`: a hold stands in its way, and once that is gone it counts again. `left`: people, or too many
   * failures, have ended it.
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
  readonly told?: { readonly says: string; readonly until: number; readonly channel?: string; readonly ts?: string }
}

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
