import type { Change, Records } from '../domain/records.ts'
import type { Ending, Event, Request, Status } from '../domain/request.ts'
import type { Held, House, Moved } from './ports.ts'
import { forgetSealed } from './sealed.ts'

type End = Extract<Status, 'succeeded' | 'failed' | 'attention' | 'refused' | 'declined' | 'expired' | 'cancelled'>

interface More {
  readonly event?: Partial<Event>
  readonly change?: Partial<Request>
  readonly answered?: number
}

/** Ends a request: its last move. The endpoint is let go in the same write. */
export async function end(
  house: House,
  held: Held,
  status: End,
  ending: Omit<Ending, 'at'>,
  more: More = {},
): Promise<void> {
  await endWith(house, held, status, ending, more)
}

/** Ends it with a change of our own records in the same write, unless those are no longer what that was made from. */
export async function endWith(
  house: House,
  held: Held,
  status: End,
  ending: Omit<Ending, 'at'>,
  { event, change, answered, record, records }: More & { readonly record?: Change; readonly records?: Records },
): Promise<Moved> {
  const at = house.clock.now()
  const next: Request = { ...held.request, ...change, status, ending: { at, ...ending }, nextAt: null }
  const detail = [ending.says, ending.quote].filter((part) => part !== undefined).join(' ')
  await forgetSealed(house, held.request)
  return held.move(next, [{ at, what: status, detail, ...event }], {
    lock: 'drop',
    ...(answered !== undefined && { answered }),
    ...(record !== undefined && { change: record }),
    ...(records !== undefined && { records }),
  })
}
