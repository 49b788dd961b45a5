import type { Offer } from '../model/answer.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { DailyPreview } from '../model/question.ts'
import type { FieldValues, Request } from '../model/request.ts'
import type { Outcome } from './platform.ts'

/** What a rule would come to. */
export type FormPreview =
  | {
      readonly kind: 'rule'
      readonly name: string
      readonly means: readonly string[]
      readonly outlooks: readonly DailyPreview[]
    }
  | { readonly kind: 'wrong'; readonly says: string }

/** What was asked, by whom. The values were read by the fields of the query's own row. */
export interface QueryInput {
  readonly request: Request
  readonly values: FieldValues
  /** Found where the row has a field for one. */
  readonly endpoint: Endpoint | undefined
}

export type OwnOutcome<Answer> =
  | Outcome<Answer>
  /** There is no such thing: a whole sentence, and lines that may be meant. */
  | { readonly kind: 'none'; readonly says: string; readonly offers: readonly Offer[] }
