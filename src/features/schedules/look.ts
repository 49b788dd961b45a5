import type { Offer } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import type { ReconcileState, Records } from '../../core/model/records.ts'
import type { Ending } from '../../core/model/request.ts'
import { type Actor, isSame, policyFile } from '../../core/model/roles.ts'
import { type Rules, weeklyText } from '../../core/model/rules.ts'
import type { Services } from '../../core/ports/services.ts'
import { instant } from '../../core/time/format.ts'
import type { Decider } from './rules/desired-state.ts'
import type { ReconcileOutcome } from './rules/reconcile-decision.ts'
import type { Rulebook } from './rules/rulebook.ts'

/** The data of one look. `now` in ms. */
export interface LookContext {
  readonly records: Records
  readonly policy: Policy
  readonly book: Rulebook
  /** Without the rules that rest. */
  readonly acting: Rulebook
  readonly reconcileStates: ReadonlyMap<string, ReconcileState>
  readonly now: number
  readonly listed: readonly Endpoint[]
}

export interface EndpointLook extends ReconcileOutcome {
  readonly endpoint: Endpoint
  readonly rules: Rules
  readonly reconcileState: ReconcileState | undefined
  /** ms. */
  readonly now: number
}

export type FoundDifference = EndpointLook & { readonly occurrence: string }

export function attemptsOf({
  occurrence,
  reconcileState,
}: Pick<EndpointLook, 'occurrence' | 'reconcileState'>): number {
  return reconcileState?.occurrence === occurrence ? reconcileState.attempts : 0
}

/** Null forgets. */
export async function saveState({ store }: Services, key: string, state: ReconcileState | null): Promise<void> {
  await store.noteReconcileStates(new Map([[key, state]]))
}

/** Announces something once for each `of`, remembered under `key`. */
export async function announceOnce(
  services: Services,
  reconcileStates: ReadonlyMap<string, ReconcileState>,
  { key, of = key }: { readonly key: string; readonly of?: string },
  says: string,
  offers: readonly Offer[] = [],
  about?: Actor,
): Promise<void> {
  if (reconcileStates.get(key)?.occurrence === of) return
  await saveState(services, key, { occurrence: of, state: 'left', attempts: 0, at: services.clock.now() })
  // Not awaited: it is retried for a while, and the next endpoint need not wait for that.
  void services.announce(says, offers, about)
}

/** "The rule: up weekdays 09:00-20:00 Asia/Seoul." */
export function ruleText(by: Decider): string {
  if (typeof by === 'string') return ''
  if (by.kind === 'weekly')
    return `The rule: ${weeklyText(by)}${isSame(by.owner, policyFile) ? ', of the policy file' : ''}.`
  return by.kind === 'once' ? 'It was asked for once.' : 'It was kept until then.'
}

/** Why an announced change is not made. */
export function whySkipped(name: string, { holds, freeze }: Rules, now: number): Pick<Ending, 'says' | 'keptBy'> {
  const ending = (why: string) => ({ says: `${name} was left as it is: ${why}.` })
  if (freeze !== null) return ending('automation is frozen')
  const hold = holds.find(({ at, until }) => at <= now && now < until)
  if (hold === undefined) return ending('its rules want something else by now')
  const kept = ending(`it is kept so until ${instant(hold.until)}`)
  return hold.by === 'console' ? kept : { ...kept, keptBy: hold.by }
}
