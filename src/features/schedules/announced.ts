import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Ask } from '../../core/model/question.ts'
import type { ReconcileState } from '../../core/model/records.ts'
import { isAnnounced, isEnded, type Request } from '../../core/model/request.ts'
import { findSentence, idOf, say, valueIn, type Words, without } from '../../core/model/words.ts'
import { endpointStanding, whyOf } from '../../core/policy/requirement.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'
import { actOn } from '../../core/requests/claim-other.ts'
import { end } from '../../core/requests/end.ts'
import { readEndpoint } from '../../core/requests/find-endpoint.ts'
import { ruleRequestId } from '../../core/requests/receive.ts'
import { costsNow } from './costs-of-leaving.ts'
import { type EndpointLook, type LookContext, whySkipped } from './look.ts'
import { desired, occurrenceOf } from './rules/desired-state.ts'

/** Whether the pause of the rules ends before the announced change is due, which then stays announced. */
export function isStillDue({ occurrence, endpoint, rules }: EndpointLook, state: ReconcileState, request: Request) {
  const { due } = request.ask ?? {}
  return (
    occurrence === null &&
    request.status === 'awaiting' &&
    due !== undefined &&
    occurrenceOf(endpoint.id, desired(rules, due)) === state.occurrence
  )
}

/** Cancels an announced change that the rules no longer want. Returns false if its request stays open. */
export async function withdraw(services: Services, look: EndpointLook, request: Request): Promise<boolean> {
  if (isEnded(request.status)) return true
  if (!isAnnounced(request)) return false
  const { endpoint, rules, now } = look
  const after = await onAnnounced(services, request.id, async (other) =>
    end(services, other, 'cancelled', await whySkipped(services, endpoint, rules, now, other.request.ask?.due)),
  )
  return after !== null && isEnded(after.status)
}

/**
 * Returns the request that was last handed in for an endpoint; null if it is lost. While it waits, this ends it if its
 * change was made elsewhere, and otherwise shows other changes in its warning. `unsure`: the list shows the change as
 * made, a read does not.
 */
export async function refreshAnnounced(
  services: Services,
  listed: Endpoint,
  state: ReconcileState,
): Promise<Request | null | 'unsure'> {
  const request = await services.store.load(ruleRequestId(services, state.occurrence, state.attempts))
  if (request === null || !isAnnounced(request) || request.ask === undefined) return request
  const { ask } = request
  const isOver = (one: Endpoint) => overIn(services, one, request) !== false
  const isListedOver = isOver(listed)
  if (!isListedOver && !isOtherwise(listed, ask)) return request
  const read = await readEndpoint(services, listed.id, 'half')
  if (read.kind !== 'read' || isOver(read.endpoint) !== isListedOver) return isListedOver ? 'unsure' : request
  const changed = await onAnnounced(services, request.id, (other) => update(services, other, read.endpoint))
  return changed ?? request
}

/** Whether a rule's request gave way to another one, or to a change elsewhere. Its change is then handed in again. */
export function gaveWay(request: Request | null): boolean {
  const { status, decision, ending } = request ?? {}
  if (ending?.takenBy !== undefined || ending?.about !== undefined) return true
  if (status !== 'cancelled' || decision?.yes === false || ending === undefined) return false
  return ending.holds === true || ['endpoint.refused', 'skip.changed'].includes(idOf(ending.says) ?? '')
}

/** Whether a change may still be made: its warning waits, or others made it before its time and may undo that. */
export function isPending(request: Request, now: number): boolean {
  return isAnnounced(request) || (request.ending?.holds === true && now < (request.ask?.due ?? 0))
}

/** Counts the failed attempts. Those that gave way or were undone later don't count. */
export async function countTries(services: Services, { occurrence, attempts }: ReconcileState) {
  const earlier = await Promise.all(
    Array.from({ length: attempts }, (_, nth) => services.store.load(ruleRequestId(services, occurrence, nth + 1))),
  )
  return earlier.filter((one) => !gaveWay(one) && one?.status !== 'succeeded').length
}

/** Ends the warnings of endpoints that the platform no longer has. If one comes back, its change is handed in again. */
export async function endRemoved(services: Services, { listed, reconcileStates }: LookContext): Promise<void> {
  if ([...reconcileStates.values()].every(({ state }) => state !== 'asked')) return
  const there = new Set(listed.map(({ id }) => id))
  for (const request of await services.store.open()) {
    const { id, name } = request.endpoint ?? {}
    if (!isAnnounced(request) || id === undefined || there.has(id)) continue
    // The list may be incomplete.
    const read = await readEndpoint(services, id)
    if (read.kind !== 'gone') continue
    const says = say('endpoint.refused', { name: name ?? id, why: read.says })
    await onAnnounced(services, request.id, (other) => end(services, other, 'cancelled', { says }))
  }
}

/** Says why a waiting change needs no call any more; false if it still needs one. */
function overIn({ commands, policy }: Services, endpoint: Endpoint, { line }: Request): false | Words {
  const { row, values } = commands.operation(line)
  return endpoint.active !== null && row.unless(endpoint, values, policy().bounds)
}

/** Whether the list and the warning show different states. An autoscaler's replicas don't count: they change often. */
function isOtherwise(listed: Endpoint, { why }: Ask): boolean {
  const [told, now] = [findSentence(why, 'endpoint.isNow'), findSentence(whyOf(listed, 'active'), 'endpoint.isNow')]
  const { autoscaled, problem, replicas } = listed
  const isCounted = replicas !== undefined && autoscaled !== true
  const names = ['state', ...(autoscaled === undefined ? [] : ['scaled']), ...(isCounted ? ['replicas'] : [])]
  return problem === undefined && names.some((name) => valueIn(told, name) !== valueIn(now, name))
}

/** Ends or corrects the warning about an endpoint as just read. */
async function update(services: Services, other: ClaimedRequest, endpoint: Endpoint): Promise<void> {
  const { request } = other
  const over = overIn(services, endpoint, request)
  if (over !== false) return end(services, other, 'cancelled', { says: over, holds: true })
  const { ask } = request
  if (ask?.due === undefined || endpoint.problem !== undefined) return
  const now = whyOf(endpoint, endpointStanding(endpoint, services.policy(), await services.store.records()))
  const why = [now, without(without(ask.why, 'endpoint.isNow'), 'endpoint.replicasUnread')]
  const costs = request.costs && { costs: await costsNow(services, request, endpoint, ask.due) }
  await other.move({ ...request, ...costs, ask: { ...ask, why } }, [])
}

/** Acts on a request if it still waits for its time. Returns it as it is afterwards; null if another worker has it. */
export function onAnnounced(services: Services, id: string, act: (other: ClaimedRequest) => Promise<void>) {
  return actOn(services, id, async (other) => {
    if (isAnnounced(other.request)) await act(other)
    return other.request
  })
}
