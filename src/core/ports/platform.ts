import type { Call } from '../commands/call.ts'
import type { Endpoint, InstanceType } from '../model/endpoint.ts'
import type { Words } from '../model/words.ts'

/**
 * How a call to the platform ended, grouped by whether it was applied. `says` is one sentence: a string is the
 * platform's own text, from any body shape and unescaped; a Sentence is ours, if the platform gave none. `remedy` is
 * ours, if the platform does not say what to do.
 */
export type Outcome<Answer> =
  /** 2xx and readable. */
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** A definite no (400, 401, 403, 404, 409, 410, 422 and other 4xx except 408, 425, 429): not applied. */
  | { readonly kind: 'refused'; readonly status: number; readonly says: Words; readonly remedy?: Words }
  /** 500: the platform tried and reports failure. A read shows whether it was applied. */
  | { readonly kind: 'failed'; readonly status: number; readonly says: Words }
  /** Timed out, dropped, unreadable, 408, 425 or another 5xx: may or may not have been applied. */
  | { readonly kind: 'unknown'; readonly status?: number; readonly says: Words }
  /** Not accepted, so not applied: no connection, 429, or 503 with a time to retry. `pause`: how long to wait, ms. */
  | { readonly kind: 'unreached'; readonly says: Words; readonly pause?: number }

/** The platform's API. Never throws for the platform's errors; throws for an id that must not become a path. */
export interface Platform {
  send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>>
  /** Lists all endpoints of all pages. If a page fails, the whole list fails, because a partial list is misleading. */
  list(): Promise<Outcome<readonly Endpoint[]>>
  /** Lists all instance types of all pages; refused if the platform has no such list, or not for this key. */
  instanceTypes(): Promise<Outcome<readonly InstanceType[]>>
  /** The time limit of one call, ms. */
  readonly timeoutMs: number
}

/** Returns the platform's message, followed by the remedy. */
export function withRemedy(outcome: Exclude<Outcome<unknown>, { kind: 'answered' }>): Words {
  const { says } = outcome
  if (outcome.kind !== 'refused' || outcome.remedy === undefined) return says
  return [withStop(says), outcome.remedy]
}

/** Adds a period to a platform's message that lacks one. */
export function withStop(says: Words): Words {
  return typeof says !== 'string' || /[.!?…]$/.test(says) ? says : `${says}.`
}
