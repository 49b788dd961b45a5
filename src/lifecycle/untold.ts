import { end } from './end.ts'
import type { Held, House } from './ports.ts'

/** How often an idle stop is put off since nobody could be told; after that it is given up. */
const most = 2

/** Ends a stop for idleness that nobody could be told of in all this time: a schedule is known without a word, it is not. */
export async function endUntold(house: House, held: Held): Promise<boolean> {
  const { via, ask, endpoint } = held.request
  if (via !== 'idle' || (ask?.untold ?? 0) < most || house.notifier.wasTold(held)) return false
  await end(house, held, 'cancelled', {
    says: `${endpoint?.name ?? 'It'} was left up: nobody could be told beforehand.`,
  })
  return true
}
