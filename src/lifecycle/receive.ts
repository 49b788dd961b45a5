import type { Press, Request } from '../domain/request.ts'
import type { Queue, Received, Store } from './ports.ts'

/** What the doors need: they store and wake, and know what they need for forms. */
export interface Doors {
  readonly store: Pick<Store, 'receive' | 'press' | 'names' | 'load'>
  readonly queue: Queue
  /** The worker of this very process, where there is one. */
  readonly nearby?: Nearby
}

/**
 * Takes a request up in this process as soon as `stored` says that it may be there. False: its hands are full, and
 * somebody else has to be woken.
 */
export type Nearby = (request: Woken, stored: Promise<Received>) => boolean

type Woken = Pick<Request, 'id' | 'kind'>

/** Stores a request that has just come in, and has it taken up. */
export function receive(doors: Doors, request: Request, replyUrl?: string): Promise<Received> {
  return wakeFor(doors, request, '0', doors.store.receive(request, replyUrl))
}

/** Stores somebody's answer to a waiting request, and has that request taken up. */
export function receivePress(doors: Doors, press: Press, replyUrl?: string): Promise<Received> {
  const request: Woken = { id: press.request, kind: 'operation' }
  return wakeFor(doors, request, press.id, doors.store.press(press, replyUrl))
}

/**
 * A wake-up through the queue leaves in one write to the socket with what is stored, so it costs no round trip; a
 * worker at hand needs none. Either may be lost and is made good by the sweep, so only the store's word counts.
 */
async function wakeFor(doors: Doors, request: Woken, attempt: string, stored: Promise<Received>): Promise<Received> {
  if (doors.nearby?.(request, stored) === true) return stored
  const woken = doors.queue.wake(request, attempt)
  const [received] = await Promise.all([stored, woken.catch(() => undefined)])
  return received
}
