import type { Deed } from '../core/commands/define.ts'
import type { NamedEndpoint } from '../core/model/endpoint.ts'
import { isAnnounced, isAutomatic, isEnded, type Request } from '../core/model/request.ts'
import { includes, isSame, type Role } from '../core/model/roles.ts'
import type { Through } from '../core/model/token.ts'
import { say, type Words } from '../core/model/words.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { actOn, holderOn, lookAgainSoon } from '../core/requests/claim-other.ts'
import { end } from '../core/requests/end.ts'
import { endpointNamed, wordOf } from '../core/requests/find-endpoint.ts'
import { askedRows } from '../core/requests/waiting-list.ts'
import { answerByCommand, breakGlassByCommand, findMeant } from '../features/approvals/by-command.ts'
import { plannedStops } from '../features/schedules/unschedule-command.ts'
import { undoRequest } from '../features/undo/undo.ts'
import { callOff } from './make-way.ts'

/** Operations on another request, without a plan or a lock. */
export const deeds: Readonly<
  Record<Deed, (services: Services, claim: ClaimedRequest, role: Role | null) => Promise<void>>
> = {
  cancel,
  undo: undoRequest,
  approve: (services, claim) => answerByCommand(services, claim, true),
  decline: (services, claim) => answerByCommand(services, claim, false),
  'break glass': breakGlassByCommand,
}

/** Cancels a request for its requester or an approver, while it waits or between two steps. */
async function cancel(services: Services, claim: ClaimedRequest, role: Role | null): Promise<void> {
  const found = await openOn(services, claim, role)
  if (found === null) return
  const { through } = claim.request
  const isOwn = isOwnOf(claim.request, found)
  if (through !== undefined && !isOwn) return end(services, claim, 'refused', { says: notOwn(through) })
  if (isAnnounced(found)) return answerByCommand(services, claim, false)
  if (!isOwn && !includes(role, 'approver'))
    return end(services, claim, 'refused', { says: say('cancel.notYours', { by: { person: found.actor } }) })
  if (isEnded(found.status))
    return end(services, claim, 'refused', { says: say('request.over', { ending: found.ending?.says ?? '' }) })
  const last = await actOn(services, found.id, async (other) => {
    // A request that is not planned yet does not know its endpoint.
    const { endpoint = found.endpoint } = other.request
    const { status, says } = await callOff(services, other, claim, endpoint?.name ?? '')
    return { status, says, change: { ...(endpoint && { endpoint }) } }
  })
  if (last === null) return lookAgainSoon(services, claim)
  return end(services, claim, last.status, { says: last.says, change: last.change })
}

function notOwn({ name }: Through): Words {
  return say('program.cancelOwn', { name })
}

/** Finds the request to cancel: a waiting one, or the one that holds the endpoint's lock. */
async function openOn(services: Services, claim: ClaimedRequest, role: Role | null): Promise<Request | null> {
  const { meant: waits } = await findMeant(services, wordOf(claim), claim.command.row)
  const [first, ...others] = waits
  // An id or a phrase such as "stop my-llm" names this request, unlike the name of its endpoint.
  if (first !== undefined && others.length === 0 && !isNamed(claim, first)) return first
  const endpoint = first === undefined ? await endpointNamed(services, claim) : first.endpoint
  if (endpoint === null) return null
  const over = endpoint === undefined ? undefined : await ownOver(services, claim, endpoint)
  const found = over ?? (await openAmong(services, claim, role, { waits, endpoint }))
  if (found !== undefined) return found
  const { through } = claim.request
  // A program must not learn whether other people have an open request.
  const none = through === undefined ? say('cancel.none', { name: endpoint?.name ?? wordOf(claim) }) : notOwn(through)
  const isAsked = endpoint !== undefined && through === undefined
  const items = isAsked ? plannedStops(await services.store.records(), endpoint.id, services.clock.now()) : []
  const change = items.length > 0 && { change: { shown: { title: none, items } } }
  await end(services, claim, 'refused', { says: none, ...change })
  return null
}

/**
 * Returns the open request that the person means: their own, or the only one. Undefined if there is none. If it is
 * unclear, answers with a list and returns null.
 */
async function openAmong(
  services: Services,
  claim: ClaimedRequest,
  role: Role | null,
  { waits, endpoint }: { readonly waits: readonly Request[]; readonly endpoint: NamedEndpoint | undefined },
) {
  const { through } = claim.request
  const [first] = waits
  const on = first === undefined || isNamed(claim, first) ? endpoint : undefined
  // A change that is under way is open too, but waits for no answer.
  const holder = on === undefined ? null : await holderOn(services.store, on.id)
  const begun = holder !== null && waits.every(({ id }) => id !== holder.id) ? holder : null
  const listed = begun === null ? waits : [...waits, begun]
  const isOwn = (one: Request) => isOwnOf(claim.request, one) && (one === begun || !isAutomatic(one))
  const owned = listed.filter(isOwn)
  const [own, ...more] = owned
  // People mean their own change that has not begun yet rather than another person's question.
  const isTheirs = first === undefined || !isOwnOf(claim.request, first)
  const found = own ?? (on && isTheirs ? await ownUnplanned(services, claim, on) : undefined)
  if (found !== undefined && more.length === 0) return found
  if (listed.length < 2) return listed[0]
  const may = (one: Request) => isOwn(one) || includes(role, one.requirement === 'notice' ? 'operator' : 'approver')
  const items = askedRows(services, listed, 'cancel').map((item, at) =>
    listed.slice(at, at + 1).some(may) ? item : { ...item, offers: [] },
  )
  const several = say('request.several', { word: wordOf(claim) })
  const refusal = listed.some(may)
    ? { says: several, change: { shown: { title: several, items } } }
    : { says: say('cancel.notYours', { by: 'none' }), change: { shown: { title: say('cancel.theirs'), items } } }
  // A program must not learn whether other people have an open request, so only its own are offered.
  const offers = askedRows(services, owned, 'cancel').flatMap((item) => item.offers ?? [])
  const toProgram = through && (own === undefined ? { says: notOwn(through) } : { says: several, offers })
  await end(services, claim, 'refused', toProgram ?? refusal)
  return null
}

/** Whether the line has the name or the id of this request's endpoint. */
function isNamed(claim: ClaimedRequest, { endpoint }: Request): boolean {
  return endpoint !== undefined && [endpoint.id, endpoint.name].includes(wordOf(claim))
}

/** Whether `one` is of the same person and, if from a program, of the same token (one for all of the chat's client). */
function isOwnOf({ actor, through }: Request, one: Request): boolean {
  return isSame(one.actor, actor) && (through === undefined || one.through?.token === through.token)
}

/** Returns the person's own request that ended after the line was typed and could be cancelled: it may be meant. */
async function ownOver({ store }: Services, { request }: ClaimedRequest, { id }: NamedEndpoint) {
  const isOwn = (one: Request) =>
    isOwnOf(request, one) && !isAutomatic(one) && (one.change === undefined || one.ask !== undefined)
  return (await store.recentOn(id)).find((one) => (one.ending?.at ?? 0) > request.receivedAt && isOwn(one))
}

/** Returns the person's own latest request about an endpoint that waits for a readable platform or another start. */
async function ownUnplanned({ store, commands }: Services, { request }: ClaimedRequest, endpoint: NamedEndpoint) {
  const isOn = ({ line }: Request) =>
    [endpoint.id, endpoint.name].includes(String(commands.stored(line)?.values['endpoint']))
  const isMeant = (one: Request) =>
    (one.status === 'received' || one.status === 'running') &&
    one.id !== request.id &&
    one.receivedAt <= request.receivedAt &&
    isOwnOf(request, one) &&
    isOn(one)
  const found = (await store.open()).findLast(isMeant)
  return found && { ...found, endpoint }
}
