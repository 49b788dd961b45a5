import type { Change } from '../domain/records.ts'
import type { Ending, Event, Request, Status } from '../domain/request.ts'
import type { Held, House } from './ports.ts'
import { forgetSealed } from './sealed.ts'

type End = Extract<Status, 'succeeded' | 'failed' | 'attention' | 'refused' | 'declined' | 'expired' | 'cancelled'>

/** Ends a request: its last move. The endpoint is let go in the same write. */
export async function end(
  house: House,
  held: Held,
  status: End,
  ending: Omit<Ending, 'at'>,
  more: {
    readonly event?: Partial<Event>
    readonly change?: Partial<Request>
    readonly answered?: number
    /** Of our own records, in the same write. */
    readonly record?: Change
  } = {},
): Promise<void> {
  const at = house.clock.now()
  const next: Request = { ...held.request, ...more.change, status, ending: { at, ...ending }, nextAt: null }
  const detail = [ending.says, ending.quote].filter((part) => part !== undefined).join(' ')
  await forgetSealed(house, held.request)
  await held.move(next, [{ at, what: status, detail, ...more.event }], {
    lock: 'drop',
    ...(more.answered !== undefined && { answered: more.answered }),
    ...(more.record !== undefined && { change: more.record }),
  })
}
