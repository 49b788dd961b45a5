import type { Event, Request } from './request.ts'

/** A request that is over, with everything that happened to it, oldest first. */
export interface Past {
  readonly request: Request
  readonly events: readonly Event[]
}
