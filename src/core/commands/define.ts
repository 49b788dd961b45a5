import type { SentenceId } from '../../words/english.ts'
import type {
  Check,
  Explained,
  Offer,
  OwnAccess,
  Price,
  QueryAnswer,
  Savings,
  Schedules,
  Tail,
  Total,
} from '../model/answer.ts'
import type { Automation } from '../model/automation.ts'
import type { Current, Remembered } from '../model/current.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Plan } from '../model/plan.ts'
import type { Impact, PolicyLimits } from '../model/policy.ts'
import type { Use } from '../model/reading.ts'
import type { Change, Freeze, RecordOf, Records, StoredRecord } from '../model/records.ts'
import type { FieldValues, Past, Request } from '../model/request.ts'
import type { Actor, Member, Person, Role } from '../model/roles.ts'
import type { AnnouncedStop, Rules } from '../model/rules.ts'
import type { AccessToken } from '../model/token.ts'
import { type SentenceValues, say, type Words } from '../model/words.ts'
import type { Call } from './call.ts'
import type { Fields, Values, WriteLine } from './fields.ts'

interface Common<F extends Fields> {
  readonly name: string
  /** Other words for it. */
  readonly also?: readonly string[]
  /** Words, or two, that people say when they mean it: an unknown command is answered with it. */
  readonly hints?: readonly string[]
  /** For people only: a program’s line is refused at the door. */
  readonly peopleOnly?: true
  /** A token may use it whatever commands it is for: it only looks, or takes back its own. */
  readonly everyToken?: true
  /** Without a field for an endpoint, yet for a token that is for some: it tells or changes nothing of the others. */
  readonly fenced?: true
  /** Shown in help and manual, and run as tests. */
  readonly examples: readonly string[]
  readonly fields: F
}

/** Why values make no sense together, a line that would, and the field of a form that it is said at. */
export interface Nonsense {
  readonly says: Words
  readonly example?: string
  readonly field: string
}

/** What a query's `show` gets besides the answer. */
export interface Context<V> {
  readonly values: V
  readonly endpoint?: Endpoint
  readonly project: string
  readonly role: Role | null
  /** A program reads it: it gets no files. */
  readonly byProgram?: boolean
  /** Its token, unless it has none of its own. */
  readonly token?: AccessToken
  /** The asker, if nobody else reads the answer. */
  readonly asker?: Actor
  /** The member of the policy that gives the role. */
  readonly by?: Member
  readonly now: number
  readonly rows: readonly Row[]
  /** The last requests on the endpoint, newest first; with `recent`. */
  readonly past?: readonly Request[]
  /** The requests on the endpoint that wait for people; with `recent`. */
  readonly waiting?: QueryAnswer['items']
  /** One of those is a person's call, beside which no start or stop can be asked for. */
  readonly isTaken?: boolean
  /** The rules of an endpoint; with `ruled`. */
  readonly rulesOf?: (endpoint: Endpoint) => Rules
  /** What is asked of an endpoint and not over; with `ruled`. */
  readonly openOn?: (endpoint: Endpoint) => readonly Request[]
  /** The announced automatic stop of an endpoint, if there is one; with `ruled`. */
  readonly announcedOf?: (endpoint: Endpoint) => AnnouncedStop | null
  /** What keeps an endpoint from being stopped as usual, or ''; with `ruled`. */
  readonly guardOf?: (endpoint: Endpoint) => Words
  /** A pause of all automation; with `ruled`. */
  readonly freeze?: Freeze | null
  /** The use of an endpoint; null without a recent look; with `used`. */
  readonly useOf?: (endpoint: Endpoint) => Use | null
  /** What an hour of an endpoint costs: "$2.25", or 'none' without a price; with `used`. */
  readonly costOf?: (endpoint: Endpoint) => string
  /** The same for programs. */
  readonly priceOf?: (endpoint: Endpoint) => Price | undefined
  /** What all that runs of these costs, where that is known; with `used`. */
  readonly totalOf?: (endpoints: readonly Endpoint[]) => Total | undefined
  /** The endpoints as last listed; with `ruled`. */
  readonly listed?: readonly Endpoint[] | undefined
  /** Whether the asker, a program, is for this endpoint; absent where it is for all. */
  readonly isInside?: (endpoint: Endpoint) => boolean
  /** The asker's own access to the project; with `you`. */
  readonly you?: OwnAccess
}

/** Answers that take more or less than one call to the platform; `lifecycle/run-query.ts` makes them. */
export interface OwnAnswers {
  readonly logs: Tail
  readonly history: readonly Past[]
  readonly savings: Savings
  readonly schedules: Schedules
  readonly explain: Explained
  readonly doctor: readonly Check[]
  readonly tokens: readonly AccessToken[]
}

interface Asking<F extends Fields, Answer> extends Common<F> {
  /** The role it takes; viewer by default. A method, so that a row's own values may be narrower. */
  needs?(values: Values<F>): Role
  /** How many of the last requests on its endpoint it shows. */
  readonly recent?: number
  /** Accepted also while storage is nearly full, which it shows. */
  readonly evenFull?: true
  /** Shows the rules of endpoints. */
  readonly ruled?: true
  /** Shows the asker's own access. */
  readonly you?: true
  /** The answer to people without a role, instead of a refusal. It shows nothing that takes a role. */
  stranger?(person: Person): Words
  /** Endpoints in its answer whose use and price it shows. */
  used?(answer: Answer): readonly Endpoint[]
  readonly show: (answer: Answer, context: Context<Values<F>>) => QueryAnswer
}

/** A query of one call. Without a call the table of commands is the answer. */
interface QueryRow<F extends Fields, Answer> extends Asking<F, Answer> {
  readonly call?: (values: Values<F>, endpoint: 'endpoint' extends keyof F ? Endpoint : undefined) => Call<Answer>
  readonly own?: never
}

interface OwnRow<F extends Fields, Name extends keyof OwnAnswers> extends Asking<F, OwnAnswers[Name]> {
  readonly own: Name
}

interface Acting<F extends Fields> extends Common<F> {
  /** The role it takes; operator by default. A method, so that a row's own values may be narrower. */
  needs?(values: Values<F>): Role
  /** Allowed in a lockdown, since it makes nothing less safe. */
  readonly safe?: true
  current?(seen: Remembered): Current
  /** The name of the token that it revokes: a program may so end its own, and nobody is asked. */
  endsToken?(values: Values<F>): string | undefined
  /** Lines that may be meant by a person who types what does something else. `more`: unread words follow. */
  meant?(values: Values<F>, more?: boolean): readonly string[]
  /** Why the values contradict each other or, if known, the policy, whatever the endpoint; or false. */
  nonsense?(values: Values<F>, bounds?: PolicyLimits): Nonsense | false
  /** The command that takes back a change about no endpoint. */
  readonly opposite?: string
  /** The line that takes it back, or why there is none; absent if there is nothing to take back. */
  inverse?(undoing: Undoing<Values<F>>): Inverse
}

interface OperationRow<F extends Fields> extends Acting<F> {
  /** The state in which it leaves the endpoint; absent if it does not change that. */
  readonly wants?: 'up' | 'down'
  readonly impact: (values: Values<F>, seen?: { readonly endpoint: Endpoint | undefined }) => Impact
  /** Why it is not possible now or not allowed by the policy; or false. */
  readonly unless: (endpoint: Endpoint, values: Values<F>, bounds: PolicyLimits) => Words | false
  /** What does it where it is not possible as the endpoint stands. */
  instead?(endpoint: Endpoint, values: Values<F>): readonly Offer[]
  readonly steps: (values: Values<F>, endpoint: Endpoint) => Plan
  /** What it is called with these values; the phrases of its name by default. */
  phrase?(values: Values<F>, change?: Change): PhraseKey | Phrase
  readonly deed?: never
  /** Whether the values name another time, so that it makes a rule instead of acting. */
  laterBy?(values: Values<F>): boolean
  change?(values: Values<F>, ground: ChangeContext): Changing
  readonly approved?: true
}

/** An operation that changes our own records, without a call or a lock. */
interface ChangeRow<F extends Fields> extends Acting<F> {
  /** Takes an approval, whatever the policy says of its impact. */
  readonly approved?: true
  impact(values: Values<F>, ground: ChangeContext): Impact
  change(values: Values<F>, ground: ChangeContext): Changing
  phrase?(values: Values<F>, change?: Change): PhraseKey | Phrase
}

/** An operation on another request, without plan, call or lock; done by `lifecycle/act-on-request.ts`. */
interface DeedRow<F extends Fields> extends Acting<F> {
  readonly deed: RequestAction
}

export type RequestAction = 'cancel' | 'undo' | 'approve' | 'decline' | 'break glass'

export type Query = Asking<Fields, unknown> & {
  readonly kind: 'query'
  readonly call?: (values: FieldValues, endpoint: Endpoint | undefined) => Call
  readonly own?: keyof OwnAnswers
}
export type Operation = Omit<OperationRow<Fields>, 'deed' | 'impact'> & {
  readonly kind: 'operation'
  readonly deed?: RequestAction
  readonly impact: (values: FieldValues, ground?: ChangeContext | { readonly endpoint: Endpoint | undefined }) => Impact
}

export type Row = Query | Operation

/*
 * A row is written with the types of its own fields and answer; the table erases them. The casts are safe, since a row
 * only gets values that its own fields have read.
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

export function defineRequestAction<const F extends Fields>(row: DeedRow<F>): Operation {
  const operation = {
    ...row,
    kind: 'operation',
    impact: () => 'reversible',
    unless: () => false,
    steps: () => [],
  }
  return operation as unknown as Operation
}

export interface ChangeContext {
  /** Read live, if the row has a field for it. */
  readonly endpoint: Endpoint | undefined
  /** The place in the policy file that protects it. */
  readonly protectedBy: string | null
  /** The id of the request, for the ids of new records. */
  readonly id: string
  readonly records: Records
  /** Whether the policy names one. Rules need it for their messages. */
  readonly operationsChannel: boolean
  readonly automation: Automation
  /** What decides about the endpoint. */
  readonly rules: Rules | undefined
  readonly by: Actor
  readonly role: Role | null
  /** When it was asked for, and when it is planned, which a question is again and again; ms since 1970. */
  readonly at: number
  readonly now: number
  /** The asker's. */
  readonly zone: string
  readonly bounds: PolicyLimits
  /** The digest of the token that this request would make. Null without a key; undefined where its person may make none. */
  readonly tokenDigest: string | null | undefined
  /** In a lockdown: the loss in sentences, and the loss that ending the lockdown accepts. */
  readonly loss?: { readonly says: Words; readonly acknowledges?: Change['acknowledges'] }
}

/** A change with a sentence about its effect, or why there is nothing to change. */
export type Changing =
  | { readonly change: Change; readonly means: Words }
  /**
   * `holds`: what is asked for holds already. `mistyped`: another word would do, so the form is offered. `field`: where
   * a form says it, if not at its times or its first field.
   */
  | { readonly wrong: Words; readonly holds?: true; readonly mistyped?: true; readonly field?: string }

/** The phrases of the catalogue that name what is asked for, and what stands in them beside the endpoint's name. */
export interface Phrase {
  readonly key: PhraseKey
  readonly with?: SentenceValues
}

/** `stop` for `stop.ask`, `stop.doing`, `stop.done` and `stop.leave`. */
export type PhraseKey = SentenceId extends infer Id ? (Id extends `${infer Key}.ask` ? Key : never) : never

/** The line that takes a request back; or why there is none, with lines that come near. */
export type Inverse = { readonly line: string } | { readonly why: Words; readonly offers?: readonly Offer[] }

/** `by`: who takes it back; `now` in ms since 1970. */
export interface Undoing<V = FieldValues> {
  readonly by: Actor
  readonly now: number
  readonly request: Request
  readonly values: V
  readonly write: WriteLine
}

export const alreadyOver = say('undo.over')

/** The record of this kind that the request's change has replaced. */
export function replaced<Kind extends StoredRecord['kind']>(
  { replaced = [] }: Request,
  kind: Kind,
): RecordOf<Kind> | undefined {
  return replaced.find((one): one is RecordOf<Kind> => one.kind === kind)
}
