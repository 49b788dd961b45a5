import type { Actor } from '../model/actor.ts'
import type { Check, Explained, Savings, Schedules, Shown, Tail, You } from '../model/answer.ts'
import type { Automation } from '../model/automation.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Past } from '../model/past.ts'
import type { Plan } from '../model/plan.ts'
import type { Bounds, Impact } from '../model/policy.ts'
import type { Use } from '../model/reading.ts'
import type { Acknowledged, Change, Records } from '../model/records.ts'
import type { Given } from '../model/request.ts'
import type { Member, Person, Role } from '../model/roles.ts'
import type { Announced, Rules } from '../model/rules.ts'
import type { Call } from './call.ts'
import type { Fields, Values } from './fields.ts'
import type { Inverse, Undoing } from './take-back.ts'

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
  /** Who asks, where that is somebody and nobody else reads the answer. */
  readonly asker?: Actor
  /** To whom the policy gives it. */
  readonly by?: Member
  /** ms since 1970. */
  readonly now: number
  /** The table itself, for help. */
  readonly rows: readonly Row[]
  /** What was last done to the endpoint, newest first, where the row asks for it. */
  readonly past?: readonly Past[]
  /** What decides about an endpoint, where the row asks for it. */
  readonly rulesOf?: (endpoint: Endpoint) => Rules
  /** The automatic stop of an endpoint that was announced, where the row asks for rules; null where none was. */
  readonly announcedOf?: (endpoint: Endpoint) => Announced | null
  /** How an endpoint is used, where the row asks for it; null where nobody has looked lately. */
  readonly useOf?: (endpoint: Endpoint) => Use | null
  /** How whoever asks stands in the project, where the row asks for it. */
  readonly you?: You
}

/** A row with a field for an endpoint is given the endpoint it names. */
type Found<F extends Fields> = 'endpoint' extends keyof F ? Endpoint : undefined

/** Answers that are not one call to the platform; `lifecycle/run-query.ts` says how each comes about. */
export interface OwnAnswers {
  readonly logs: Tail
  readonly history: readonly Past[]
  readonly savings: Savings
  readonly schedules: Schedules
  readonly explain: Explained
  readonly doctor: readonly Check[]
}

interface Asking<F extends Fields, Answer> extends Common<F> {
  /** The role it takes; viewer where nothing is said. A method, so that a row's own values may be narrower. */
  needs?(values: Values<F>): Role
  /** How many of the last things done to its endpoint it shows. */
  readonly recent?: number
  /** It is taken while storage is nearly full: it tells how full. */
  readonly evenFull?: true
  /** It shows what rules say of endpoints. */
  readonly ruled?: true
  /** It shows how whoever asks stands in the project. */
  readonly you?: true
  /** What it says to somebody who has no role here, instead of a refusal: nothing that only viewers may know. */
  stranger?(person: Person): string
  /** Those in its answer of which it shows how they are used. */
  used?(answer: Answer): readonly Endpoint[]
  readonly show: (answer: Answer, context: Context<Values<F>>) => Shown
}

/** One call and how to show its answer. Without a call it is answered from the table alone. */
interface QueryRow<F extends Fields, Answer> extends Asking<F, Answer> {
  readonly call?: (values: Values<F>, endpoint: Found<F>) => Call<Answer>
  readonly own?: never
}

/** A query whose answer takes more than one call, or none. */
interface OwnRow<F extends Fields, Name extends keyof OwnAnswers> extends Asking<F, OwnAnswers[Name]> {
  readonly own: Name
}

interface Acting<F extends Fields> extends Common<F> {
  /** The role it takes to ask for it; operator where nothing is said. A method, so that a row's values may be narrower. */
  needs?(values: Values<F>): Role
  /** Also while all changes are stopped: it makes nothing less safe. */
  readonly safe?: true
  /** Why the words make no sense together, whatever the endpoint; or false. */
  nonsense?(values: Values<F>): string | false
  /** The command that takes back what it has laid down about no endpoint. */
  readonly opposite?: string
  /** The line that takes back what it has done, or why there is none; absent where nothing is to be taken back. */
  inverse?(undoing: Undoing<Values<F>>): Inverse
}

interface OperationRow<F extends Fields> extends Acting<F> {
  /** Whether it is to leave the endpoint up or down; absent where that is not what it is for. */
  readonly wants?: 'up' | 'down'
  readonly impact: (values: Values<F>, seen?: { readonly endpoint: Endpoint | undefined }) => Impact
  /** Why it makes no sense now, or is more than the policy allows; or false. */
  readonly unless: (endpoint: Endpoint, values: Values<F>, bounds: Bounds) => string | false
  readonly steps: (values: Values<F>, endpoint: Endpoint) => Plan
  readonly words: Words<Values<F>>
  readonly deed?: never
  /** Said for another time, it lays down a rule instead of acting. */
  laterBy?(values: Values<F>): boolean
  change?(values: Values<F>, ground: Ground): Changing
}

/** An operation that changes a record of our own: no call is made, and no endpoint is held for it. */
interface ChangeRow<F extends Fields> extends Acting<F> {
  impact(values: Values<F>, ground: Ground): Impact
  change(values: Values<F>, ground: Ground): Changing
  readonly words: Words<Values<F>>
}

/** An operation on another request: nothing is planned, called or locked. `lifecycle/act-on-request.ts` does them. */
interface DeedRow<F extends Fields> extends Acting<F> {
  readonly deed: Deed
  /** "Approved", before what was approved. */
  readonly done?: string
}

export type Deed = 'cancel' | 'undo' | 'approve' | 'decline' | 'break glass'

export type Query = Asking<Fields, unknown> & {
  readonly kind: 'query'
  readonly call?: (values: Given, endpoint: Endpoint | undefined) => Call
  readonly own?: keyof OwnAnswers
}
export type Operation = Omit<OperationRow<Fields>, 'deed' | 'impact' | 'laterBy' | 'change'> & {
  readonly kind: 'operation'
  readonly deed?: Deed
  readonly impact: (values: Given, ground?: Ground | { readonly endpoint: Endpoint | undefined }) => Impact
  readonly change?: (values: Given, ground: Ground) => Changing
  /** Of a row that both acts and lays down rules: whether these values do the latter. */
  readonly laterBy?: (values: Given) => boolean
}
export type Row = Query | Operation

/** Whether it is answered from the table of commands alone, so that no worker is needed for it. */
export function isFromTable(row: Row): row is Query {
  return row.kind === 'query' && row.call === undefined && row.own === undefined
}

/*
 * The two erased seams: a row is written with the types of its own fields and answer, and stored in a table of rows
 * whose values were read by those very fields.
 */

export function defineQuery<const F extends Fields, const Name extends keyof OwnAnswers>(row: OwnRow<F, Name>): Query
export function defineQuery<const F extends Fields, Answer>(row: QueryRow<F, Answer>): Query
export function defineQuery(row: object): Query {
  return { ...row, kind: 'query' } as unknown as Query
}

export function defineOperation<const F extends Fields>(row: OperationRow<F>): Operation {
  return { ...row, kind: 'operation' } as unknown as Operation
}

export function defineChange<const F extends Fields>(row: ChangeRow<F>): Operation {
  return { ...row, kind: 'operation', unless: () => false, steps: () => [] } as unknown as Operation
}

export function defineDeed<const F extends Fields>(row: DeedRow<F>): Operation {
  const verb = `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`
  const operation = {
    ...row,
    kind: 'operation',
    impact: () => 'reversible',
    unless: () => false,
    steps: () => [],
    words: { ask: verb, doing: verb, done: row.done ?? verb, leave: 'Leave it as it is' },
  }
  return operation as unknown as Operation
}

/** What a change of our own records is made from. */
export interface Ground {
  /** Read live, where the row has a field for one. */
  readonly endpoint: Endpoint | undefined
  /** The part of the policy file that protects it. */
  readonly protectedBy: string | null
  /** The request it is made by, for the ids of new records. */
  readonly id: string
  readonly records: Records
  /** Rules can only be carried out where there is a channel to tell people in. */
  readonly operationsChannel: boolean
  readonly automation: Automation
  readonly by: Actor
  readonly role: Role | null
  /** When it was asked for, ms since 1970, and the asker's time zone. */
  readonly at: number
  readonly zone: string
  readonly bounds: Bounds
  /** In a lockdown: what is missing, in sentences, and what ending it takes as it is. */
  readonly damage?: { readonly says: string; readonly acknowledges?: Acknowledged }
}

/** A change, with a sentence about what holds from then on; or why there is nothing to change. */
export type Changing = { readonly change: Change; readonly means: string } | { readonly wrong: string }

/** What people read. `ask` stands on the button, `leave` on the other one. */
export interface Words<V = Given> {
  readonly ask: string
  readonly doing: string
  readonly done: string
  readonly leave: string
  /** On the button that agrees, where verb and name would promise too much. */
  readonly press?: string
  /** On the button of its form, where that only leads on. */
  readonly submit?: string
  /**
   * What stands after the endpoint's name: "to 3", as far as known from the change it makes. A method, so that a row's
   * own values may be narrower.
   */
  what?(values: V, change?: Change): string
  /** Other words, where these values do something else than the row is called after; null where they do not. */
  instead?(values: V, change?: Change): Omit<Words, 'what' | 'instead'> | null
}
