import { policyFile } from '../../core/model/actor.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Pursuit } from '../../core/model/records.ts'
import type { Ending } from '../../core/model/request.ts'
import { type Rules, weeklyText } from '../../core/model/rules.ts'
import type { House } from '../../core/ports/services.ts'
import { instant } from '../../core/time/format.ts'
import type { Decider } from './rules/desired-state.ts'
import type { Pursue } from './rules/reconcile-decision.ts'

/** One endpoint at one look, and what is to be done about it. */
export interface Looked {
  readonly endpoint: Endpoint
  readonly rules: Rules
  /** Of what is decided now, or will be soon; null: nothing decides. */
  readonly occurrence: string | null
  readonly what: Pursue
  readonly pursuit: Pursuit | undefined
  /** ms. */
  readonly now: number
}

/** What there is something to pursue about. */
export type Found = Looked & { readonly occurrence: string }

/** Requests handed in for it so far. */
export function attemptsOf({ occurrence, pursuit }: Found): number {
  return pursuit?.occurrence === occurrence ? pursuit.attempts : 0
}

/** Keeps how far it has come; null forgets. */
export async function note(house: House, { id }: Endpoint, pursuit: Pursuit | null): Promise<void> {
  await house.store.notePursuits(new Map([[id, pursuit]]))
}

/** "The rule: up weekdays 09:00-20:00 Asia/Seoul." */
export function ruleText(by: Decider): string {
  if (typeof by === 'string') return ''
  if (by.kind === 'weekly')
    return `The rule: ${weeklyText(by)}${by.owner === policyFile || by.owner.user === '' ? ', of the policy file' : ''}.`
  return by.kind === 'once' ? 'It was asked for once.' : 'It was kept until then.'
}

/** Why something that was told beforehand is not done after all. */
export function leftAs(name: string, { holds, freeze }: Rules, now: number): Pick<Ending, 'says' | 'keptBy'> {
  const hold = holds.find(({ at, until }) => at <= now && now < until)
  const why =
    freeze !== null
      ? 'automation is frozen'
      : hold === undefined
        ? 'its rules want something else by now'
        : `it is kept so until ${instant(hold.until)}`
  const says = `${name} was left as it is: ${why}.`
  return freeze !== null || hold === undefined || hold.by === 'console' ? { says } : { says, keptBy: hold.by }
}
