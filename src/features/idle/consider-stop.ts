import { buttonTo } from '../../core/commands/phrases.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { isMark, type Segment } from '../../core/model/reading.ts'
import { lockdownIn } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { isSame, policyFile } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import { segmentsAtHand, type WatchedEndpoint } from '../../core/ports/endpoint-use.ts'
import type { Services } from '../../core/ports/services.ts'
import { authorizeOwner } from '../../core/requests/authorize.ts'
import { receiveFromRule, ruleRequestId } from '../../core/requests/receive.ts'
import { costsOfLeaving } from '../schedules/costs-of-leaving.ts'
import { announceOnce, ownersZone, saveState } from '../schedules/look.ts'
import { nextChange } from '../schedules/rules/coming.ts'
import { lineForIdleRule } from '../schedules/schedule-command.ts'
import {
  type IdleCandidate,
  type IdleContext,
  idleCandidateOf,
  idleContextNow,
  idlingKey,
  noteFloors,
} from './candidate.ts'
import { followUp, noteEarlyRestart } from './follow-up.ts'
import { idleFor, idleWords, unknownForLong } from './idle-clock.ts'
import { remedyFor } from './usage.ts'

/** Announces a stop for each endpoint that was idle for long enough, and cancels it if the endpoint is in use again. */
export async function considerIdle(
  services: Services,
  active: readonly Endpoint[],
  watched: ReadonlyMap<string, WatchedEndpoint>,
): Promise<void> {
  const loaded = await idleContextNow(services)
  if (lockdownIn(loaded.records) !== null) return
  const context = await noteFloors(services, loaded, active)
  for (const endpoint of active) {
    const candidate = await candidateNow(endpoint, watched.get(endpoint.id))
    const reconcileState = context.reconcileStates.get(idlingKey(endpoint.id))
    if (reconcileState?.state === 'asked') await followUp(services, endpoint, candidate, reconcileState)
    else if (candidate !== null) await consider(services, context, candidate)
  }

  /** Reads all segments if the newest ones do not reach back far enough. */
  async function candidateNow(endpoint: Endpoint, seen: WatchedEndpoint | undefined): Promise<IdleCandidate | null> {
    const candidate = seen === undefined ? null : idleCandidateOf(context, endpoint, seen)
    const [first] = seen?.segments ?? []
    if (candidate === null || seen === undefined || first === undefined) return candidate
    if (seen.segments.length < segmentsAtHand) return candidate
    if (first.from <= seen.at - candidate.idleMs && seen.segments.some(isMark)) return candidate
    const whole = await services.store.watchedOf(endpoint.id)
    return whole === null ? candidate : idleCandidateOf(context, endpoint, whole)
  }
}

async function consider(services: Services, context: IdleContext, candidate: IdleCandidate): Promise<void> {
  const { endpoint, rule, clock, watched, occurrence, spared, reconcileState, now } = candidate
  if (reconcileState?.state === 'met') await noteEarlyRestart(services, context.records, candidate)
  if (spared !== null) return
  await tellUnknown(services, context, candidate)
  const last = watched.segments.at(-1)
  const isTold = reconcileState?.occurrence === occurrence && reconcileState.state !== 'held'
  if (!clock.isDue || last === undefined || isTold) return
  if (rule.mode === 'try') {
    await saveState(services, idlingKey(endpoint.id), { ...stateOf(candidate), state: 'met', attempts: 0 })
    const says = say('idle.wouldStop', { name: endpoint.name, evidence: idleWords(clock, last.evidence) })
    const turnOn = { label: say('idle.stopWhenIdle'), line: lineForIdleRule(rule, services.commands.write, 'on') }
    return void services.announce([says], [buttonTo('stop', endpoint), turnOn])
  }
  // If a request holds the endpoint, or has changed it since this look, the next look decides.
  const { store } = services
  if ((await store.holderOf(endpoint.id)) !== null) return
  if (((await store.lastDone(endpoint.id))?.ending?.at ?? 0) > watched.at) return
  // If the rules stop it sooner, they announce that stop.
  const next = nextChange(context.book.of(endpoint), now)
  if (next?.want === 'down' && next.at <= now + rule.warn) return
  // A rule rests while its owner may not operate.
  const { owner } = rule
  if (!isSame(owner, policyFile) && (await authorizeOwner(services, owner)).kind !== 'may') return
  await handInStop(services, context, candidate, whyIdle(candidate, last))
}

/** Returns why an endpoint is stopped, as of a look: the reason, and its evidence in short. */
export function whyIdle(
  { clock, earlyRestarts: times, idleMs }: IdleCandidate,
  { evidence }: Pick<Segment, 'evidence'>,
): Pick<Request, 'evidence' | 'reason'> {
  const longer = times === 0 ? '' : say('idle.longer', { length: { lasting: idleMs }, times })
  const reason = [say('idle.reason', { evidence: idleWords(clock, evidence) }), longer]
  return { evidence: idleFor(clock), reason }
}

/** Stores the request before the state: after a crash between them, it is handed in again under the same id. */
async function handInStop(
  services: Services,
  context: IdleContext,
  candidate: IdleCandidate,
  why: Pick<Request, 'evidence' | 'reason'>,
): Promise<void> {
  const { endpoint, rule, occurrence, reconcileState, now } = candidate
  const channel = services.operationsChannel()
  if (channel === undefined) return
  const due = now + rule.warn
  const zone = await ownersZone(services, rule.owner)
  const attempts = reconcileState?.occurrence === occurrence ? reconcileState.attempts + 1 : 1
  const id = ruleRequestId(services, occurrence, attempts)
  // A stop that is announced again has its own card.
  const group = attempts === 1 && (await services.store.joinGroup(`idle.${due}`, id))
  await receiveFromRule(services, channel, {
    id,
    kind: 'operation',
    line: services.commands.write('stop', { endpoint: endpoint.id }),
    actor: rule.owner,
    endpoint: { id: endpoint.id, name: endpoint.name },
    via: 'idle',
    occurrence,
    due,
    ...(group !== false && { group }),
    ...why,
    costs: await costsOfLeaving(services, endpoint, context.book.of(endpoint), { via: 'idle', due, zone }),
    receivedAt: now,
  })
  await saveState(services, idlingKey(endpoint.id), { ...stateOf(candidate), state: 'asked', attempts })
}

/** Keeps the start of this idle time, so that every look names the same occurrence. */
function stateOf({ occurrence, clock, reconcileState, now }: IdleCandidate) {
  const { after } = reconcileState ?? {}
  return { occurrence, at: now, since: clock.since, ...(after !== undefined && { after }) }
}

/** Announces once that nothing was known for a day, and why. */
async function tellUnknown(services: Services, context: IdleContext, candidate: IdleCandidate): Promise<void> {
  const { endpoint, watched, now } = candidate
  const unknown = unknownForLong(watched.segments, now)
  if (unknown === null) return
  const last = watched.segments.at(-1)
  const remedy = last === undefined ? '' : remedyFor(last.evidence)
  const { id, name } = endpoint
  const once = { key: `unknown ${id}`, of: String(unknown.since) }
  const says = [say('idle.unknownForADay', { name, why: unknown.missing }), remedy, say('usage.notWhileUnknown')]
  await announceOnce(services, context.reconcileStates, once, [says])
}
