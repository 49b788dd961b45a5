import type { Deed } from '../core/commands/define.ts'
import { deedOf } from '../core/commands/phrases.ts'
import { isSame } from '../core/model/actor.ts'
import { isEnded, type Request } from '../core/model/request.ts'
import { includes, type Role } from '../core/model/roles.ts'
import type { Held, House } from '../core/ports/services.ts'
import { claimOther, holding } from '../core/requests/claim-other.ts'
import { end } from '../core/requests/end.ts'
import { named, wordOf } from '../core/requests/find-endpoint.ts'
import { findOpen } from '../core/requests/find-request.ts'
import { approve, breakGlass, decline } from '../features/approvals/by-command.ts'
import { undo } from '../features/undo/undo.ts'
import { setBack } from './execution/compensate.ts'
import { workOf } from './execution/work.ts'

/** Operations on our own records: nothing is called, nothing is locked. */
export const deeds: Readonly<Record<Deed, (house: House, held: Held, role: Role | null) => Promise<void>>> = {
  cancel,
  undo,
  approve,
  decline,
  'break glass': breakGlass,
}

/** The requester or an approver gives a request up, while it waits or between its steps. */
async function cancel(house: House, held: Held, role: Role | null): Promise<void> {
  const found = await openOn(house, held)
  if (found === null) return
  if (!isSame(found.actor, held.request.actor) && !includes(role, 'approver')) {
    return end(house, held, 'refused', {
      says: 'Only whoever asked for it, or an approver, can cancel it. Nothing was done.',
    })
  }
  const other = await claimOther(house.store, found.id)
  if (other === null) return void (await held.move({ ...held.request, nextAt: house.clock.now() + 300 }, []))
  const says = await holding(house, other, () => giveUp(house, other, held.request))
  const { endpoint } = other.request
  return end(
    house,
    held,
    says === null ? 'refused' : 'succeeded',
    { says: says ?? 'It cannot be cancelled now: a call is under way. Try again in a moment.' },
    { change: { ...(endpoint && { endpoint }) } },
  )
}

/** What is to be given up: a request that waits, or the one that holds an endpoint. */
async function openOn(house: House, held: Held): Promise<Request | null> {
  const waiting = await findOpen(house, wordOf(held), 'cancel')
  if (waiting.kind === 'found' && !isEnded(waiting.request.status)) return waiting.request
  const endpoint = waiting.kind === 'found' ? waiting.request.endpoint : await named(house, held)
  if (endpoint === null) return null
  const open = endpoint === undefined ? null : await house.store.holderOf(endpoint.id)
  const found = open === null ? null : await house.store.load(open)
  if (found !== null && !isEnded(found.status)) return found
  await end(house, held, 'refused', { says: `No request is open on ${endpoint?.name ?? wordOf(held)}.` })
  return null
}

/** Ends a request between two calls; null while nobody knows how its last one went. */
async function giveUp(house: House, other: Held, by: Request): Promise<string | null> {
  const { request } = other
  const name = request.endpoint?.name ?? ''
  const theirs = isSame(by.actor, request.actor) ? {} : { by: by.actor }
  if (isEnded(request.status)) return `It is over already: ${request.ending?.says ?? ''}`
  // What changes our own records is done and over in one write: until then nothing is.
  if (request.status !== 'running' || request.change !== undefined) {
    await end(
      house,
      other,
      'cancelled',
      { says: `Cancelled; ${name === '' ? 'everything' : 'it'} was left as it is.`, ...theirs },
      { event: { by: by.actor } },
    )
    return `Cancelled: ${deedOf(other.command, name, request.change)}.`
  }
  const work = workOf(house, other)
  const last = work.last?.outcome?.kind
  if (work.step.always === true)
    return `${name} is being brought back to where it was; there is nothing left to cancel.`
  if (work.last !== undefined && last !== 'answered' && last !== 'unreached') return null
  const seen = work.progress.looks.at(-1) ?? work.last?.before
  await setBack(work, 'cancelled', { says: 'Cancelled on the way.', seen }, theirs)
  return `Cancelled: ${deedOf(other.command, name)}.`
}
