import type { Past, Request } from '../../core/model/request.ts'
import { isSame } from '../../core/model/roles.ts'
import type { Services } from '../../core/ports/services.ts'
import { most } from './search.ts'

export async function allWithEvents(services: Services, requests: readonly Request[]): Promise<readonly Past[]> {
  const all: Past[] = []
  for (let at = 0; at < requests.length; at += most.read)
    all.push(...(await Promise.all(requests.slice(at, at + most.read).map((one) => withEvents(services, one)))))
  return all
}

/** The timeline of a planned start or stop begins when the person requested it, long before it was announced. */
export async function timelineOf(services: Services, request: Request): Promise<Past> {
  const past = await withEvents(services, request)
  const made = await plannedBy(services, request)
  if (made === undefined) return past
  return { request, events: [{ at: made.receivedAt, what: 'asked', by: made.actor }, ...past.events] }
}

async function withEvents(services: Services, request: Request): Promise<Past> {
  return { request, events: await services.store.eventsOf(request.id) }
}

/** Finds the request that planned this one; undefined if none did, or if it is not among the endpoint's last ones. */
async function plannedBy({ store, commands }: Services, planned: Request): Promise<Request | undefined> {
  const { asked, endpoint, actor, receivedAt } = planned
  if (asked === undefined || endpoint === undefined) return undefined
  return (await store.recentOn(endpoint.id)).find((one) => {
    const isOneOff = one.change?.put?.some(({ kind }) => kind === 'once') === true
    const isTheirs = isSame(one.actor, actor) && one.receivedAt <= receivedAt
    return isOneOff && isTheirs && commands.called(one.line, endpoint) === asked
  })
}
