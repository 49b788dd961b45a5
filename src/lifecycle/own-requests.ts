import type { NamedEndpoint } from '../core/model/endpoint.ts'
import { isAutomatic, type Request } from '../core/model/request.ts'
import { isSame } from '../core/model/roles.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'

/**
 * Returns one's own request that ended after the line was typed: it may be the one that was meant, unless it could never
 * be cancelled.
 */
export async function ownOver(
  { store }: Services,
  { request: { actor, receivedAt, through } }: ClaimedRequest,
  { id }: NamedEndpoint,
): Promise<Request | undefined> {
  const isOwn = (one: Request) =>
    isSame(one.actor, actor) &&
    !isAutomatic(one) &&
    (one.change === undefined || one.ask !== undefined) &&
    (through === undefined || one.through?.token === through.token)
  return (await store.recentOn(id)).find((one) => (one.ending?.at ?? 0) > receivedAt && isOwn(one))
}

/** Returns one's own latest request about an endpoint that still waits for the platform to be readable. */
export async function ownUnplanned(
  { store, commands }: Services,
  { request: { id, actor, receivedAt } }: ClaimedRequest,
  endpoint: NamedEndpoint,
): Promise<Request | undefined> {
  const isOn = ({ line }: Request) =>
    [endpoint.id, endpoint.name].includes(String(commands.stored(line)?.values['endpoint']))
  const isMeant = (one: Request) =>
    one.status === 'received' && one.id !== id && one.receivedAt <= receivedAt && isSame(one.actor, actor) && isOn(one)
  const found = (await store.open()).findLast(isMeant)
  return found && { ...found, endpoint }
}
