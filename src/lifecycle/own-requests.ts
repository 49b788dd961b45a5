import type { NamedEndpoint } from '../core/model/endpoint.ts'
import { isAutomatic, type Request } from '../core/model/request.ts'
import { isSame } from '../core/model/roles.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { holderOn } from '../core/requests/claim-other.ts'

/** Whether `one` is of the same person and, if from a program, of the same token (one for all of the chat's client). */
export function isOwnOf({ actor, through }: Request, one: Request): boolean {
  return isSame(one.actor, actor) && (through === undefined || one.through?.token === through.token)
}

/** Returns one's own request that ended after the line was typed and could be cancelled: it may be the one meant. */
export async function ownOver({ store }: Services, { request }: ClaimedRequest, { id }: NamedEndpoint) {
  const isOwn = (one: Request) =>
    isOwnOf(request, one) && !isAutomatic(one) && (one.change === undefined || one.ask !== undefined)
  return (await store.recentOn(id)).find((one) => (one.ending?.at ?? 0) > request.receivedAt && isOwn(one))
}

/** Returns one's own latest request about an endpoint that waits for the platform to be readable or for another start. */
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

/** Returns one's own change that is under way on an endpoint or has not begun yet. */
export async function ownBegun(services: Services, claim: ClaimedRequest, endpoint: NamedEndpoint) {
  const holder = await holderOn(services.store, endpoint.id)
  if (holder !== null && isOwnOf(claim.request, holder)) return holder
  return (await ownUnplanned(services, claim, endpoint)) ?? null
}
