import type { Actor } from '../model/actor.ts'
import type { Offer } from '../model/answer.ts'
import type { RecordOf, StoredRecord } from '../model/records.ts'
import type { FieldValues, Request } from '../model/request.ts'
import type { WriteLine } from './fields.ts'

/** The line that takes a request back; or why there is none, with lines that come near. */
export type Inverse = { readonly line: string } | { readonly why: string; readonly offers?: readonly Offer[] }

/** `by`: who takes it back; `now` in ms since 1970. */
export interface Undoing<V = FieldValues> {
  readonly by: Actor
  readonly now: number
  readonly request: Request
  readonly values: V
  readonly write: WriteLine
}

export const alreadyOver = 'What held before it would be over by now.'

/** The record of this kind that the request's change has replaced. */
export function replaced<Kind extends StoredRecord['kind']>(
  { replaced = [] }: Request,
  kind: Kind,
): RecordOf<Kind> | undefined {
  return replaced.find((one): one is RecordOf<Kind> => one.kind === kind)
}
