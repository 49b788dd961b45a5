import type { Endpoint } from '../domain/endpoint.ts'
import type { Request } from '../domain/request.ts'
import type { Offer } from '../domain/shown.ts'
import type { OwnAnswers } from '../operations/define.ts'
import type { Given } from '../operations/field.ts'
import { explainLine } from './explain.ts'
import { historyOf } from './history.ts'
import { tailOf } from './logs.ts'
import type { Outcome } from './platform.ts'
import type { House } from './ports.ts'
import { savingsAsked } from './saved.ts'
import { schedulesOf } from './schedules.ts'

/** What was asked, by whom. The values were read by the fields of the query's own row. */
export interface Asked {
  readonly request: Request
  readonly values: Given
  /** Found where the row has a field for one. */
  readonly endpoint: Endpoint | undefined
}

export type OwnOutcome<Answer> =
  | Outcome<Answer>
  /** There is no such thing: a whole sentence, and lines that may be meant. */
  | { readonly kind: 'none'; readonly says: string; readonly offers: readonly Offer[] }

type Own = {
  readonly [Name in keyof OwnAnswers]: (house: House, asked: Asked) => Promise<OwnOutcome<OwnAnswers[Name]>>
}

/** How the queries that are not one call are answered. */
export const own: Own = {
  logs: tailOf,
  history: historyOf,
  savings: savingsAsked,
  schedules: schedulesOf,
  explain: explainLine,
  doctor: async (house, { request }) => ({ kind: 'answered', answer: await house.checks(request.place) }),
}
