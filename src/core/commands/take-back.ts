import type { Actor } from '../model/actor.ts'
import type { Offer } from '../model/answer.ts'
import type { StoredRecord } from '../model/records.ts'
import type { FieldValues, Request } from '../model/request.ts'
import type { WriteLine } from './fields.ts'

/** The line that takes a request back; or why there is none, with lines that come near. */
export type Inverse = { readonly line: string } | { readonly why: string; readonly offers?: readonly Offer[] }

export interface TakenBackBy {
  readonly by: Actor
  /** ms since 1970. */
  readonly now: number
}

export interface Undoing<V = FieldValues> extends TakenBackBy {
  readonly request: Request
  readonly values: V
  readonly write: WriteLine
}

export const alreadyOver = 'What held before it would be over by now.'

/** The record of this kind that the request's change has replaced. */
export function replaced<Kind extends StoredRecord['kind']>(
  { replaced = [] }: Request,
  kind: Kind,
): Extract<StoredRecord, { readonly kind: Kind }> | undefined {
  return replaced.find((one): one is Extract<StoredRecord, { readonly kind: Kind }> => one.kind === kind)
}
