import { absentFor, standInFor } from '../domain/records.ts'
import type { Request } from '../domain/request.ts'
import type { You } from '../domain/you.ts'
import { mandatesUnder } from './mandate.ts'
import type { House } from './ports.ts'

/** How whoever asks stands in the project, seen from where they ask. */
export async function youNow(house: House, { actor, place }: Request): Promise<You> {
  const [records, open, now] = [await house.store.records(), await house.store.open(), house.clock.now()]
  const mandates = await mandatesUnder(house, records, actor, place)
  const waiting = open.filter((request) => request.status === 'awaiting' && mandates?.(request).kind === 'may')
  return {
    absent: absentFor(records, actor, now),
    standIn: standInFor(records, actor, now),
    waiting: waiting.length,
    policy: house.policy().version,
  }
}
