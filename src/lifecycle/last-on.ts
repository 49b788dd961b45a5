import { isSkipped } from '../domain/past.ts'
import type { Request } from '../domain/request.ts'
import { recentOn } from './history.ts'
import type { House } from './ports.ts'

/** More than anybody lays down about one endpoint between two things that are done to it. */
const most = 10

/** What was last done to an endpoint, laid down about it or skipped; null where neither is remembered. */
export async function lastOn(house: House, endpoint: string): Promise<Request | null> {
  const [last, recent] = await Promise.all([house.store.lastDone(endpoint), recentOn(house, endpoint, most)])
  const laid = recent
    .map(({ request }) => request)
    .find((one) => (one.status === 'succeeded' && one.change !== undefined) || isSkipped(one))
  return laid !== undefined && (laid.ending?.at ?? 0) > (last?.ending?.at ?? 0) ? laid : last
}
