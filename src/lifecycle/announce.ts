import type { Actor } from '../domain/actor.ts'
import type { Offer } from '../domain/shown.ts'

/**
 * Says something in the operations channel that belongs to no request, and whom it is about; `over` something that was
 * said there. Never throws; tries on. Says where it stands, if it does.
 */
export type Announce = (
  says: string,
  offers?: readonly Offer[],
  about?: Actor,
  over?: Announced,
) => Promise<Announced | undefined>

/** Where an announcement stands, as the chat names it. */
export interface Announced {
  readonly channel: string
  readonly ts: string
}
