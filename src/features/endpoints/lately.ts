import type { QueryAnswer } from '../../core/model/answer.ts'
import type { NamedEndpoint } from '../../core/model/endpoint.ts'
import type { Request } from '../../core/model/request.ts'
import type { Services } from '../../core/ports/services.ts'
import { openOn } from '../history/command.ts'
import { toldOnce } from '../history/last-change.ts'

/** What was done on an endpoint last, and what waits for people there. */
export async function latelyOn(services: Services, asked: Request, endpoint: NamedEndpoint, most: number) {
  const [past, waiting] = await Promise.all([
    services.store.recentOn(endpoint.id),
    waitingOn(services, asked, endpoint),
  ])
  return { past: past.filter(toldOnce()).slice(0, most), waiting }
}

/** Only the holder of the endpoint's lock is read, so this costs the same however many requests are open. */
async function waitingOn(services: Services, asked: Request, endpoint: NamedEndpoint): Promise<QueryAnswer['items']> {
  const { store } = services
  const id = await store.holderOf(endpoint.id)
  const holder = id === null ? null : await store.load(id)
  // An announced stop is told with the endpoint's state.
  if (holder?.status !== 'awaiting' || holder.requirement === 'notice') return []
  return openOn({ ...services, store: { ...store, open: async () => [holder] } }, asked, endpoint)
}
