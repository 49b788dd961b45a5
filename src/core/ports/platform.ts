import type { Call } from '../commands/call.ts'
import type { Endpoint, InstanceType } from '../model/endpoint.ts'
import type { Words } from '../model/words.ts'

/**
 * How a call to the platform ended, told apart by what it means for "was it applied?".
 * `says` is one sentence: a text is the platform's own, made from any body shape, unescaped; a sentence is ours, where it
 * gave none. `remedy` is ours, where its words do not say what to do.
 */
export type Outcome<Answer> =
  /** 2xx and readable. */
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** A definite no (400, 401, 403, 404, 409, 410, 422 and other 4xx but 408, 425, 429): not applied. */
  | { readonly kind: 'refused'; readonly status: number; readonly says: Words; readonly remedy?: Words }
  /** 500: the platform tried and says it failed. A read decides what became of it. */
  | { readonly kind: 'failed'; readonly status: number; readonly says: Words }
  /** Timed out, dropped, unreadable, 408, 425 or another 5xx: applied or not, nobody knows yet. */
  | { readonly kind: 'unknown'; readonly status?: number; readonly says: Words }
  /** Not taken, so not applied: no connection, 429, or 503 that says when to come back. `pause`: after how many ms. */
  | { readonly kind: 'unreached'; readonly says: Words; readonly pause?: number }

/** The platform's API. Never throws for what the platform does; throws for an id that must not become a path. */
export interface Platform {
  send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>>
  /** All endpoints, all pages. An incomplete list is not a list: any page that fails makes the whole one fail. */
  list(): Promise<Outcome<readonly Endpoint[]>>
  /** What replicas can run on, all pages; refused where the platform has no such list, or not for this key. */
  instanceTypes(): Promise<Outcome<readonly InstanceType[]>>
  /** ms; what one call may take. */
  readonly timeoutMs: number
}

/** The platform's words, then what to do about them. */
export function withRemedy(outcome: Exclude<Outcome<unknown>, { kind: 'answered' }>): Words {
  const { says } = outcome
  if (outcome.kind !== 'refused' || outcome.remedy === undefined) return says
  return [withStop(says), outcome.remedy]
}

/** The platform's sentences, which may lack a full stop. */
export function withStop(says: Words): Words {
  return typeof says !== 'string' || /[.!?…]$/.test(says) ? says : `${says}.`
}
