import { type Decider, desired, occurrenceOf } from './desired.ts'
import { isWorthStarting } from './late.ts'
import type { Rules } from './rules.ts'

/** How far the pursuit of one decision has come, as it is kept from look to look. */
export interface Pursuit {
  /** Endpoint, rule, nominal instant and what is wanted. */
  readonly occurrence: string
  /**
   * `asked`: a request is on its way. `met`: it was as wanted at some time, so whatever differs later is somebody's
   * doing. `held`: somebody's doing, and a hold stands for it. `left`: people, or too many failures, have ended it.
   */
  readonly state: 'waits' | 'asked' | 'met' | 'held' | 'left'
  /** Requests handed in for it. */
  readonly attempts: number
  /** When the state began, ms. */
  readonly at: number
}

/** What to do about an endpoint at a look. Instants in ms. */
export type Pursue =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'note'; readonly state: 'met' }
  /** Hand in a start or a stop, due at an instant. */
  | {
      readonly kind: 'ask'
      readonly want: 'up' | 'down'
      readonly due: number
      readonly nominal: number
      readonly by: Decider
    }
  /** A start that is no longer worth it. */
  | { readonly kind: 'missed'; readonly nominal: number; readonly until: number | null; readonly by: Decider }
  /** Somebody has moved it since it was as wanted: it is left so until `until`. */
  | { readonly kind: 'moved'; readonly want: 'up' | 'down'; readonly until: number }

export interface Pursued {
  readonly occurrence: string | null
  readonly what: Pursue
}

const dayMs = 86_400_000
const nothing = { kind: 'nothing' } as const

/**
 * Compares what an endpoint should be with what it is, and says what to do. `notice`: how long before a stop people
 * are told, ms. Never acts twice for one decision: what it has come to is in `pursuit`.
 */
export function pursue(
  id: string,
  rules: Rules,
  active: boolean,
  now: number,
  notice: number,
  pursuit: Pursuit | undefined,
): Pursued {
  const decision = desired(rules, now)
  const soon = active && decision.want !== 'down' ? stopWithin(rules, decision.until, now + notice) : null
  if (soon !== null) {
    const occurrence = occurrenceOf(id, soon)
    const known = pursuit?.occurrence === occurrence
    const ask = { kind: 'ask', want: 'down', due: soon.since, nominal: soon.since, by: soon.by } as const
    return { occurrence, what: known && pursuit.state !== 'waits' ? nothing : ask }
  }
  const { want, by, since, until } = decision
  if (want === 'hands off') return { occurrence: null, what: nothing }
  const occurrence = occurrenceOf(id, decision)
  const known = pursuit?.occurrence === occurrence ? pursuit : undefined
  if (active === (want === 'up'))
    return { occurrence, what: known?.state === 'met' ? nothing : { kind: 'note', state: 'met' } }
  if (known?.state === 'asked' || known?.state === 'left') return { occurrence, what: nothing }
  if (known?.state === 'met') return { occurrence, what: { kind: 'moved', want, until: until ?? now + dayMs } }
  if (want === 'up' && known === undefined && !isWorthStarting(since, until, now))
    return { occurrence, what: { kind: 'missed', nominal: since, until, by } }
  const due = want === 'up' ? now : now + notice
  return { occurrence, what: { kind: 'ask', want, due, nominal: since, by } }
}

function stopWithin(rules: Rules, until: number | null, horizon: number): ReturnType<typeof desired> | null {
  if (until === null || until > horizon) return null
  const next = desired(rules, until)
  return next.want === 'down' ? next : null
}
