import type { Actor } from '../model/actor.ts'
import type { Press, Request } from '../model/request.ts'
import type { Lease } from '../ports/request-store.ts'
import type { Queue, Received, Store } from '../ports/services.ts'

/** What the doors need: they store and wake, and know what they need for forms. */
export interface Doors {
  readonly store: Pick<Store, 'receive' | 'press' | 'names' | 'load' | 'holderOf'>
  readonly queue: Queue
  /** The worker of this very process, where there is one. */
  readonly nearby?: Nearby
}

/** A free hand of the worker in this process; null: it has none, and somebody else has to be woken. */
export type Nearby = (kind: Request['kind']) => Hand | null

/** Waits for what is being stored, and has to be given that. */
interface Hand {
  /** What it will hold the request under. */
  readonly lease: Lease
  /**
   * Takes the request up as soon as `stored` says that it may be there. `written`: how it was stored, under the hand's
   * lease, if it is new.
   */
  take(id: string, stored: Promise<Received>, written?: Request): void
}

/**
 * Stores a request that has just come in, and has it taken up: by a worker at hand in the write that stores it. Should
 * this process die in between, it is as though it had died a moment later, at work: others find the request once its
 * lease has lapsed, within the minute after which people are told to expect nothing any more.
 */
export function receive(doors: Doors, request: Request, replyUrl?: string): Promise<Received> {
  const hand = doors.nearby?.(request.kind) ?? null
  const stored = doors.store.receive(request, replyUrl, hand?.lease)
  if (hand === null) return wakeFor(doors, request, '0', request.actor, stored)
  hand.take(request.id, stored, request)
  return stored
}

/** Stores somebody's answer to a waiting request, and has that request taken up. */
export function receivePress(doors: Doors, press: Press, replyUrl?: string): Promise<Received> {
  const hand = doors.nearby?.('operation') ?? null
  const stored = doors.store.press(press, replyUrl)
  if (hand === null) return wakeFor(doors, { id: press.request, kind: 'operation' }, press.id, press.actor, stored)
  hand.take(press.request, stored)
  return stored
}

/** Those whose last line was refused, by door. */
const refusedOf = new WeakMap<Doors, Set<string>>()

/**
 * A wake-up through the queue leaves in one write to the socket with what is stored, so it costs no round trip. It may
 * be lost and is made good by the sweep, so only the store's word counts. After a refusal the wake-ups of that person
 * wait for the store's word: a flood of lines must not leave a job for each.
 */
async function wakeFor(
  doors: Doors,
  request: Pick<Request, 'id' | 'kind'>,
  attempt: string,
  { team, user }: Actor,
  stored: Promise<Received>,
): Promise<Received> {
  const refused = refusedOf.get(doors) ?? new Set()
  refusedOf.set(doors, refused)
  const person = `${team}/${user}`
  if (refused.has(person) && (await stored).kind === 'refused') return stored
  const woken = doors.queue.wake(request, attempt)
  const [received] = await Promise.all([stored, woken.catch(() => undefined)])
  if (received.kind === 'refused') refused.add(person)
  else refused.delete(person)
  return received
}
