import type { Actor } from './actor.ts'
import type { Event, Request } from './request.ts'

/** A request that is over. */
export interface Past {
  readonly request: Request
  /** Everything that happened to it, oldest first; empty where nobody asked for that much. */
  readonly events: readonly Event[]
  /** Of an answer to another request that its line names by the id: "stop my-llm", and who had asked for that. */
  readonly about?: { readonly deed: string; readonly by: Actor }
}

/** How far back anything is remembered, ms: as long as the requests themselves (`adapters/redis/requests/claim.ts`). */
export const historyLife = 90 * 24 * 3_600_000

/** Something was done to the endpoint itself, at the platform; a change of our own records is not that. */
export function wasCarriedOut({ status, plan = [] }: Pick<Request, 'status' | 'plan'>): boolean {
  return status === 'succeeded' && plan.length > 0
}

/** What has handed in what nobody asked for just now. */
export function watchOf({ via }: Pick<Request, 'via'>): string {
  return via === 'idle' ? 'by the idle watch' : 'by its schedule'
}

/** Somebody has said no to a stop that a schedule had handed in. */
export function isSkipped({ via, requirement, decision }: Pick<Request, 'via' | 'requirement' | 'decision'>): boolean {
  return via === 'schedule' && requirement === 'notice' && decision?.yes === false
}
