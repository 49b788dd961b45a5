import { terms } from '../domain/terms.ts'
import { lookAt } from './ask.ts'
import { end } from './end.ts'
import type { Held, House } from './ports.ts'

/** How often an idle stop is put off since nobody could be told; after that it is given up. */
const most = 2

/**
 * Sees to it that people have time before a stop for idleness that they could not be told of at first: counted from when
 * they were, and without it there is no stop. A schedule is known without a word. True: it is not to be made now.
 */
export async function isTooSoon(house: House, held: Held): Promise<boolean> {
  const { request } = held
  const { via, ask, endpoint } = request
  const { untold = 0 } = ask ?? {}
  if (via !== 'idle' || ask === undefined || untold === 0) return false
  const told = house.notifier.toldAt(held)
  if (told === null && untold < most) return false
  if (told === null) {
    const name = endpoint?.name ?? 'It'
    await end(house, held, 'cancelled', { says: `${name} was left up: nobody could be told beforehand.` })
    return true
  }
  const [now, due] = [house.clock.now(), told + terms.shortest]
  if (due <= now) return false
  const next = { ...ask, due, expiresAt: due + terms.late }
  await held.move({ ...request, ask: next, nextAt: lookAt(next) }, [{ at: now, what: 'told late' }])
  return true
}
