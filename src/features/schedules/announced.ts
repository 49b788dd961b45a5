import type { Endpoint } from '../../core/model/endpoint.ts'
import type { ReconcileState } from '../../core/model/records.ts'
import { isEnded, type Request } from '../../core/model/request.ts'
import { findSentence, say, type Words, without } from '../../core/model/words.ts'
import { endpointStanding, whyOf } from '../../core/policy/requirement.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'
import { claimOther, withClaimed } from '../../core/requests/claim-other.ts'
import { end } from '../../core/requests/end.ts'
import { readEndpoint } from '../../core/requests/find-endpoint.ts'
import { ruleRequestId } from '../../core/requests/receive.ts'
import { costsPutOff } from './costs-of-leaving.ts'
import { type EndpointLook, type LookContext, whySkipped } from './look.ts'
import { desired, occurrenceOf } from './rules/desired-state.ts'

function isAnnounced({ status, requirement }: Request): boolean {
  return status === 'awaiting' && requirement === 'notice'
}

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
  const other = await claimOther(services.store, request.id)
  if (other === null) return false
  return withClaimed(services, other, async () => {
    if (other.request.status !== 'awaiting') return isEnded(other.request.status)
    const { endpoint, rules, now } = look
    const why = await whySkipped(services, endpoint, rules, now, other.request.ask?.due)
    await end(services, other, 'cancelled', why)
    return true
  })
}

/**
 * Returns the request that was last handed in for an endpoint; null if it is lost. If it still waits for its time, its
 * warning is kept true: it ends if somebody has carried it out elsewhere, and shows what else they have changed.
 */
export async function handedIn(services: Services, listed: Endpoint, state: ReconcileState): Promise<Request | null> {
  const request = await services.store.load(ruleRequestId(services, state.occurrence, state.attempts))
  if (request === null || !isAnnounced(request) || (await staleIn(services, listed, request)) === null) return request
  // The list may be older than what people were told.
  const read = await readEndpoint(services, listed.id)
  const stale = read.kind === 'read' ? await staleIn(services, read.endpoint, request) : null
  if (stale === null) return request
  const now = await onAnnounced(services, request.id, async (other) => {
    if ('over' in stale) return end(services, other, 'cancelled', { says: stale.over, holds: true })
    const { ask } = other.request
    if (ask?.due === undefined) return
    const costs = await costsPutOff(services, other.request, ask.due)
    await other.move({ ...other.request, ...costs, ask: { ...ask, why: stale.why(ask.why) } }, [])
  })
  return now ?? request
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
    await onAnnounced(services, request.id, (other) => end(services, other, 'refused', { says }))
  }
}

/** Returns what a warning no longer says rightly; null if all of it is still true. */
async function staleIn(services: Services, endpoint: Endpoint, { line, ask }: Request) {
  const { commands, policy, store } = services
  const { row, values } = commands.operation(line)
  if (endpoint.active === null || ask === undefined) return null
  const over = row.unless(endpoint, values, policy().bounds)
  if (over !== false) return { over }
  const now = whyOf(endpoint, endpointStanding(endpoint, policy(), await store.records()))
  if (JSON.stringify(findSentence(ask.why, 'endpoint.isNow')) === JSON.stringify(findSentence(now, 'endpoint.isNow')))
    return null
  return { why: (before: Words) => [now, without(without(before, 'endpoint.isNow'), 'endpoint.replicasUnread')] }
}

/** Acts on a request that still waits for its time, and returns it as it is then; null if a worker has it. */
async function onAnnounced(services: Services, id: string, act: (other: ClaimedRequest) => Promise<void>) {
  const other = await claimOther(services.store, id)
  if (other === null) return null
  return withClaimed(services, other, async () => {
    if (isAnnounced(other.request)) await act(other)
    return other.request
  })
}
