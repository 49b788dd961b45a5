import { lasting } from '../domain/duration.ts'
import { sentences } from '../domain/errors.ts'
import { end } from './end.ts'
import type { Held, House } from './ports.ts'

/** Ends an ask that nobody answered in time. True when it was over. */
export async function expire(house: House, held: Held): Promise<boolean> {
  const { ask } = held.request
  // A notice happens at its time; nobody has to answer it.
  if (ask === undefined || ask.due !== undefined || house.clock.now() < ask.expiresAt) return false
  // An answer may have come in time and be read only now.
  if (held.presses.some(({ at }) => at < ask.expiresAt)) return false
  await end(house, held, 'expired', { says: sentences.unanswered(lasting(ask.expiresAt - ask.at)) })
  return true
}
