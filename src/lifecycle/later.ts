import { sentences } from '../domain/errors.ts'
import { end } from './end.ts'
import type { Held, House } from './ports.ts'

/** How often reading the platform is tried before anything was called. */
const mostTries = 4

/** Nothing was called yet and the platform cannot be read: again in 1, 2, 4 s, then it ends. */
export async function later(house: House, held: Held, says: string): Promise<void> {
  const tries = (held.request.tries ?? 0) + 1
  if (tries >= mostTries) return end(house, held, 'failed', { says: sentences.cannotRead(says) })
  const at = house.clock.now()
  await held.move({ ...held.request, tries, nextAt: at + 1_000 * 2 ** (tries - 1) }, [
    { at, what: 'unread', detail: says },
  ])
}
