import type { Press, Request } from '../domain/request.ts'
import type { Queue, Received, Store } from './ports.ts'

/** What the doors need: they store and wake, and know what they need for forms. */
export interface Doors {
  readonly store: Pick<Store, 'receive' | 'press' | 'names' | 'load'>
  readonly queue: Queue
}

/**
 * Stores a request that has just come in and wakes a worker; both leave in one write to the socket, so the wake-up
 * costs no round trip. A lost wake-up is made good by the sweep, so only the store's word counts.
 */
export async function receive({ store, queue }: Doors, request: Request, replyUrl?: string): Promise<Received> {
  const stored = store.receive(request, replyUrl)
  const woken = queue.wake(request, '0')
  const [received] = await Promise.all([stored, woken.catch(() => undefined)])
  return received
}

/** Stores somebody's answer to a waiting request, and wakes a worker for that request. */
export async function receivePress({ store, queue }: Doors, press: Press, replyUrl?: string): Promise<Received> {
  const stored = store.press(press, replyUrl)
  const woken = queue.wake({ id: press.request, kind: 'operation' }, press.id)
  const [received] = await Promise.all([stored, woken.catch(() => undefined)])
  return received
}
