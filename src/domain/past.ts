import type { Event, Request } from './request.ts'

/** A request that is over. */
export interface Past {
  readonly request: Request
  /** Everything that happened to it, oldest first; empty where nobody asked for that much. */
  readonly events: readonly Event[]
}

/** How far back anything is remembered, ms: as long as the requests themselves (`store/held.ts`). */
export const remembered = 90 * 24 * 3_600_000
