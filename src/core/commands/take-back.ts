import type { Actor } from '../model/actor.ts'
import type { Offer } from '../model/answer.ts'
import type { Rec } from '../model/records.ts'
import type { Given, Request } from '../model/request.ts'
import type { WriteLine } from './fields.ts'

/** The line that takes back what a request has done, or the reason why there is none, and lines that come near. */
export type Inverse = { readonly line: string } | { readonly why: string; readonly offers?: readonly Offer[] }

/** Who takes it back, and when (ms). */
export interface Asker {
  readonly by: Actor
  readonly now: number
}

/** What a row writes the inverse of a request from. */
export interface Undoing<V = Given> extends Asker {
  readonly request: Request
  readonly values: V
  readonly write: WriteLine
}

export const overByNow = 'What held before it would be over by now.'

/** The record of this kind whose place the request's change has taken. */
export function replaced<Kind extends Rec['kind']>(
  { replaced = [] }: Request,
  kind: Kind,
): Extract<Rec, { readonly kind: Kind }> | undefined {
  return replaced.find((one): one is Extract<Rec, { readonly kind: Kind }> => one.kind === kind)
}
