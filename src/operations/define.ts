import type { Endpoint } from '../domain/endpoint.ts'
import type { Plan } from '../domain/plan.ts'
import type { Impact, Role } from '../domain/policy.ts'
import type { Shown } from '../domain/shown.ts'
import type { Call } from './call.ts'
import type { Fields, Given, Values } from './field.ts'

interface Common<F extends Fields> {
  readonly name: string
  /** Other words people try for it. */
  readonly also?: readonly string[]
  readonly summary: string
  /** Each is a test, and stands in help and manual. */
  readonly examples: readonly string[]
  readonly fields: F
}

/** What a query may know besides its answer. */
export interface Context<V> {
  readonly values: V
  readonly endpoint?: Endpoint
  readonly project: string
  readonly role: Role | null
  /** ms since 1970. */
  readonly now: number
  /** The table itself, for help. */
  readonly rows: readonly Row[]
}

/** A row with a field for an endpoint is given the endpoint it names. */
type Found<F extends Fields> = 'endpoint' extends keyof F ? Endpoint : undefined

/** One call and how to show its answer. Without a call it is answered from the table alone. */
interface QueryRow<F extends Fields, Answer> extends Common<F> {
  readonly call?: (values: Values<F>, endpoint: Found<F>) => Call<Answer>
  readonly show: (answer: Answer, context: Context<Values<F>>) => Shown
}

/** What people read. `ask` stands on the button, `leave` on the other one. */
export interface Words<V = Given> {
  readonly ask: string
  readonly doing: string
  readonly done: string
  readonly leave: string
  /** What stands after the endpoint's name: "to 3". A method, so that a row's own values may be narrower. */
  what?(values: V): string
}

interface OperationRow<F extends Fields> extends Common<F> {
  readonly impact: (values: Values<F>) => Impact
  /** Why the words make no sense together, whatever the endpoint; or false. */
  nonsense?(values: Values<F>): string | false
  /** Why it makes no sense now, or false. */
  readonly unless: (endpoint: Endpoint, values: Values<F>) => string | false
  readonly steps: (values: Values<F>, endpoint: Endpoint) => Plan
  readonly words: Words<Values<F>>
}

export type Query = QueryRow<Fields, unknown> & {
  readonly kind: 'query'
  readonly call?: (values: Given, endpoint: Endpoint | undefined) => Call
}
export type Operation = OperationRow<Fields> & { readonly kind: 'operation' }
export type Row = Query | Operation

/*
 * The two erased seams: a row is written with the types of its own fields and answer, and stored in a table of rows
 * whose values were read by those very fields.
 */

export function defineQuery<const F extends Fields, Answer>(row: QueryRow<F, Answer>): Query {
  return { ...row, kind: 'query' } as unknown as Query
}

export function defineOperation<const F extends Fields>(row: OperationRow<F>): Operation {
  return { ...row, kind: 'operation' } as unknown as Operation
}
