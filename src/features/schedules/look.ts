import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import type { Offer } from '../../core/model/query-answer.ts'
import { type ReconcileState, type Records, recordOn } from '../../core/model/records.ts'
import { type Ending, wasCarriedOut } from '../../core/model/request.ts'
import { type Actor, isSame, policyFile } from '../../core/model/roles.ts'
import { type Hold, type Rules, weeklyName } from '../../core/model/rules.ts'
import { say, type Words, without } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { type Decider, desired } from './rules/desired-state.ts'
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
  /** When all endpoints were looked at before, ms. */
  readonly lastLook?: number | undefined
}

export type FoundDifference = EndpointLook & { readonly occurrence: string }

/** The last look is remembered like an endpoint's state, under this key. */
const lastLookKey = 'look'

export function lookedAt(now: number): [string, ReconcileState] {
  return [lastLookKey, { occurrence: lastLookKey, state: 'met', attempts: 0, at: now }]
}

/** Returns when all endpoints were last compared with their rules, ms. */
export function lastLookIn(reconcileStates: ReadonlyMap<string, ReconcileState>): number | undefined {
  return reconcileStates.get(lastLookKey)?.at
}

/** Whether the rules did not want a change yet when they should have at `nominal` (ms): they were edited since. */
export function isNew({ occurrence, reconcileState, lastLook }: FoundDifference, nominal: number): boolean {
  const isKnown = [reconcileState?.occurrence, reconcileState?.before].includes(occurrence)
  if (isKnown || lastLook === undefined || nominal > lastLook) return false
  // An older state may mean that this endpoint could not be read then.
  return reconcileState === undefined || reconcileState.at >= nominal
}

export function attemptsOf({ occurrence, reconcileState }: EndpointLook): number {
  return reconcileState?.occurrence === occurrence ? reconcileState.attempts : 0
}

/** Null removes the state. */
export async function saveState({ store }: Services, key: string, state: ReconcileState | null): Promise<void> {
  await store.noteReconcileStates(new Map([[key, state]]))
}

const inOneWrite = 1_000

export async function saveStates({ store }: Services, states: ReadonlyMap<string, ReconcileState>): Promise<void> {
  const all = [...states]
  for (let from = 0; from < all.length; from += inOneWrite)
    await store.noteReconcileStates(new Map(all.slice(from, from + inOneWrite)))
}

/** Announces something once for each `of`, remembered under `key`. */
export async function announceOnce(
  services: Services,
  reconcileStates: ReadonlyMap<string, ReconcileState>,
  { key, of = key }: { readonly key: string; readonly of?: string },
  says: readonly Words[],
  offers: readonly Offer[] = [],
): Promise<void> {
  if (reconcileStates.get(key)?.occurrence === of) return
  await saveState(services, key, { occurrence: of, state: 'left', attempts: 0, at: services.clock.now() })
  // Not awaited, because it is retried for a while. What could not be posted is announced again at a later look.
  void services
    .announce(says, offers)
    .then(async (place) => {
      if (place === undefined && services.operationsChannel()) await saveState(services, key, null)
    })
    .catch((err: unknown) => services.log.warn({ err }, 'could not note that an announcement failed'))
}

/** "Schedule: running weekdays 09:00–20:00 Seoul time." */
export function ruleText(by: Decider): Words {
  if (!('id' in by)) return ''
  if (by.kind === 'weekly')
    return say('rule.weekly', { rule: weeklyName(by), from: isSame(by.owner, policyFile) ? 'policy' : 'person' })
  return say(by.kind === 'once' ? 'rule.byRequest' : 'rule.byHold')
}

export type Withdrawal = Pick<Ending, 'says' | 'by' | 'keptBy' | 'offers'>

/** Says why a change that was announced for `due` (ms) is not made, and what comes next. */
export async function whySkipped(
  { policy, store }: Services,
  endpoint: Endpoint,
  rules: Rules,
  now: number,
  due = now,
): Promise<Withdrawal> {
  if (rules.protected) {
    const by = recordOn(await store.records(), 'protection', endpoint.id)?.by
    return { says: say('notice.inUse', { name: endpoint.name, why: say('spared.protected') }), ...(by && { by }) }
  }
  if (rules.freeze !== null) return { says: say('skip.frozen', { name: endpoint.name }) }
  const hold = rules.holds.find(({ at, until }) => at <= now && now < until)
  const { notice } = policy().automation
  if (hold === undefined) {
    const isDue = endpoint.active !== false && [now, now + notice].every((at) => desired(rules, at).want === 'down')
    if (!isDue && due < now) return { says: say('skip.late', { name: endpoint.name, due: { at: due } }) }
    return { says: say(isDue ? 'skip.sooner' : 'skip.changed', { name: endpoint.name }) }
  }
  return pausedBy(hold, endpoint, rules, 'none')
}

/** Says that a hold keeps the endpoint, and what comes after it: a stop by its rules, or else `or`. */
export function pausedBy({ endpoint, until, by }: Hold, { name, active }: Endpoint, all: Rules, or: 'idle' | 'none') {
  const rules = { ...all, holds: [] }
  // A stop right before a start is not made.
  const isStopped = desired(rules, until).want === 'down' && desired(rules, until + (all.notice ?? 0)).want !== 'up'
  const next = isStopped ? 'stop' : or
  const says = say('skip.paused', { name, kept: active && by !== 'console' ? 'yes' : 'no', until: { at: until }, next })
  if (by === 'console') return { says }
  return { says, keptBy: by, offers: [{ label: say('keepOff.press'), line: `resume ${writeWord(endpoint)}` }] }
}

/** Adds "41 min later than planned." to a reason, once however often the change is put off. `late` in ms. */
export function withLateness(why: Words, late: number): Words {
  return [without(why, 'rule.late'), say('rule.late', { length: { lasting: late } })]
}

/** Returns the replicas before our last stop, at most those allowed; undefined if unknown or one. */
export async function replicasBefore(services: Services, endpoint: string): Promise<number | undefined> {
  const { store, commands, policy } = services
  const done = [...(await store.recentOn(endpoint)).filter(wasCarriedOut), await store.lastDone(endpoint)]
  // A patch of a stopped endpoint leaves it stopped.
  const last = done.find((one) => one?.plan?.some(({ goal }) => goal !== 'answered'))
  if (last == null || commands.operation(last.line).row.wants !== 'down') return undefined
  const { replicas = 1 } = last.progress?.[0]?.sends[0]?.before ?? {}
  return replicas > 1 ? Math.min(replicas, policy().bounds.replicas) : undefined
}

/** Returns the zone of a weekly rule, otherwise the team's, otherwise the owner's; null if none is known. */
export async function zoneOf(services: Services, by: Decider): Promise<string | null> {
  return by.kind === 'weekly' ? by.zone : ownersZone(services, ownerOf(by))
}

/** Returns the team's zone, otherwise the owner's; null if none is known. */
export async function ownersZone({ policy, people }: Services, owner: Actor): Promise<string | null> {
  return policy().automation.zone ?? (isSame(owner, policyFile) ? null : await people.zoneOf(owner))
}

/** Returns the owner of a rule, or the person who made a hold. */
export function ownerOf(by: Decider): Actor {
  if (by.kind === 'hold') return by.by === 'console' ? policyFile : by.by
  return 'owner' in by ? by.owner : policyFile
}
