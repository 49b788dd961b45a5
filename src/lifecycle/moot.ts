import type { Ask } from '../domain/ask.ts'
import { type Change, freezeAt, type Records } from '../domain/records.ts'
import { lookAt } from './ask.ts'
import { end } from './end.ts'
import type { Held, House } from './ports.ts'

/** When what a question is about ends by itself, ms since 1970; nothing where it does not. */
export function overIn(change: Change | undefined, records: Records, now: number): Pick<Ask, 'overAt'> {
  const freeze = change?.drop?.includes('freeze') === true ? freezeAt(records, now) : null
  return freeze?.until == null ? {} : { overAt: freeze.until }
}

/** Ends a question that there is nothing left to ask about. True when it has moved. */
export async function endMoot(house: House, held: Held): Promise<boolean> {
  const { request } = held
  const now = house.clock.now()
  if (request.ask?.overAt === undefined || now < request.ask.overAt) return false
  const records = await house.store.records()
  if (freezeAt(records, now) === null) {
    await end(house, held, 'cancelled', { says: 'Automation is not frozen any more: the freeze has ended by itself.' })
    return true
  }
  // Somebody has frozen it for longer meanwhile.
  const { overAt: _, ...rest } = request.ask
  const ask = { ...rest, ...overIn(request.change, records, now) }
  await held.move({ ...request, ask, nextAt: lookAt(ask) }, [])
  return true
}
