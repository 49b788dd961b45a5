import { isSame } from '../domain/actor.ts'
import { includes, type Role } from '../domain/policy.ts'
import { isEnded, type Request } from '../domain/request.ts'
import { calledLine } from '../operations/called.ts'
import type { Deed } from '../operations/define.ts'
import { rows } from '../operations/index.ts'
import { inverseOf } from '../operations/inverse.ts'
import { deedOf } from '../operations/phrase.ts'
import { operationIn } from '../operations/stored.ts'
import { approve, breakGlass, decline } from './answer-for.ts'
import { end } from './end.ts'
import { findEndpoint } from './find.ts'
import { findOpen } from './find-open.ts'
import { lastOn } from './last-on.ts'
import { later } from './later.ts'
import { holding } from './let-go.ts'
import type { Held, House } from './ports.ts'
import { setBack } from './setback.ts'
import { workOf } from './work.ts'

/** Operations on our own records: nothing is called, nothing is locked. */
export const deeds: Readonly<Record<Deed, (house: House, held: Held, role: Role | null) => Promise<void>>> = {
  cancel,
  undo,
  approve,
  decline,
  'break glass': breakGlass,
}

type Named = { readonly id: string; readonly name: string }

/** The endpoint that the line names; null when the request has been ended or put off for want of one. */
async function named(house: House, held: Held): Promise<Named | null> {
  const found = await findEndpoint(house, wordOf(held), operationIn(held.request.line).row.name, 'operation')
  if (found.kind === 'found') return found.endpoint
  if (found.kind === 'later') await later(house, held, found.says)
  else await end(house, held, 'refused', { says: found.says, offers: found.offers })
  return null
}

function wordOf({ request }: Held): string {
  const { values } = operationIn(request.line)
  return String(values['request'] ?? values['endpoint'])
}

/** The request that the line names by its id, as buttons do; null where it names an endpoint. */
async function requestNamed(house: House, held: Held): Promise<(Request & { readonly endpoint: Named }) | null> {
  const word = wordOf(held)
  const found = /^[\w-]{22}$/.test(word) ? await house.store.load(word) : null
  return found?.endpoint === undefined ? null : { ...found, endpoint: found.endpoint }
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
  const other = await house.store.claim(found.id)
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
    return `Cancelled: ${deedOf(request.line, name)}.`
  }
  const work = workOf(house, other)
  if (work.last !== undefined && work.last.outcome?.kind !== 'answered') return null
  if (work.step.always === true)
    return `${name} is being brought back to where it was; there is nothing left to cancel.`
  const seen = work.progress.looks.at(-1) ?? work.last?.before
  await setBack(work, 'cancelled', { says: 'Cancelled on the way.', seen }, theirs)
  return `Cancelled: ${deedOf(request.line, name)}.`
}

/** Turns into the opposite of what was last done, and goes on like any other request for that. */
async function undo(house: House, held: Held): Promise<void> {
  const meant = await requestNamed(house, held)
  const endpoint = meant?.endpoint ?? (await named(house, held))
  if (endpoint === null) return
  const last = await lastOn(house, endpoint.id)
  if (meant !== null && meant.id !== last?.id) {
    const since = last === null ? '' : ` The last was: ${calledLine(last.line, last.endpoint, rows)}.`
    return end(house, held, 'refused', {
      says: `Something else was done to ${endpoint.name} since, so nothing was undone.${since}`,
    })
  }
  if (last === null)
    return end(house, held, 'refused', {
      says: `Nothing has been done to ${endpoint.name} from here that could be undone.`,
    })
  const inverse = inverseOf(last, last.before ?? null)
  if ('why' in inverse)
    return end(house, held, 'refused', {
      says: `${calledLine(last.line, last.endpoint, rows)} cannot be undone. ${inverse.why}`,
    })
  const at = house.clock.now()
  await held.move({ ...held.request, line: inverse.line, undoes: last.id, nextAt: at }, [
    { at, what: 'undo', by: held.request.actor, detail: last.line },
  ])
}
