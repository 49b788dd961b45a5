import type { SentenceId } from '../../words/english.ts'
import type { Automation } from '../model/automation.ts'
import type { Current, Remembered } from '../model/current.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Plan } from '../model/plan.ts'
import type { Impact, PolicyLimits } from '../model/policy.ts'
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
} from '../model/query-answer.ts'
import type { Use } from '../model/reading.ts'
import type { Change, Freeze, RecordOf, Records, StoredRecord } from '../model/records.ts'
import type { FieldValues, Past, Request } from '../model/request.ts'
import type { Actor, Member, Person, Role } from '../model/roles.ts'
import type { Announced, Rules } from '../model/rules.ts'
import type { AccessToken } from '../model/token.ts'
import { type SentenceValues, say, type Words } from '../model/words.ts'
import type { Call } from './call.ts'
import type { Fields, Values, WriteLine } from './fields.ts'

interface Common<F extends Fields> {
  readonly name: string
  /** Synonyms of the name. */
  readonly also?: readonly string[]
  /** Words or pairs, separated by commas, that people use for this command. “never stop” offers it instead of a stop. */
  readonly hints?: string
  /** Only for people: a program’s line is refused at the door. */
  readonly peopleOnly?: true
  /** Any token may use it, whatever its commands: it only reads, or takes back the program's own requests. */
  readonly everyToken?: true
  /** Has no endpoint field, but a token for some endpoints may use it: it reveals and changes nothing of others. */
  readonly fenced?: true
  /** Shown in the help and the manual, and run as tests. */
  readonly examples: readonly string[]
  readonly fields: F
}

/** Why the values contradict each other, a line that would work, and the form field that shows the error. */
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
  /** A program reads the answer, so it gets no files. */
  readonly byProgram?: boolean
  /** The program's token, unless it has none of its own. */
  readonly token?: AccessToken
  /** The person who asked, if nobody else reads the answer. */
  readonly asker?: Actor
  /** The entry of the policy that gives the role. */
  readonly by?: Member
  readonly now: number
  readonly rows: readonly Row[]
  /** The last requests on the endpoint, newest first; with `recent`. */
  readonly past?: readonly Request[]
  /** The requests on the endpoint that wait for people; with `recent`. */
  readonly waiting?: QueryAnswer['items']
  /** One of those is a person's operation, which blocks other starts and stops. */
  readonly isTaken?: boolean
  /** The rules of an endpoint; with `ruled`. */
  readonly rulesOf?: (endpoint: Endpoint) => Rules
  /** Says what they decide about it now, or ''; with `ruled`. */
  readonly decidedOf?: (endpoint: Endpoint) => Words
  /** The open requests on an endpoint; with `ruled`. */
  readonly openOn?: (endpoint: Endpoint) => readonly Request[]
  /** The announced automatic stop of an endpoint, if there is one; with `ruled`. */
  readonly announcedOf?: (endpoint: Endpoint) => Announced | null
  /** What prevents a normal stop of an endpoint, or ''; with `ruled`. */
  readonly guardOf?: (endpoint: Endpoint) => Words
  /** A pause of all automation; with `ruled`. */
  readonly freeze?: Freeze | null
  /** The use of an endpoint; null without a recent look; with `used`. */
  readonly useOf?: (endpoint: Endpoint) => Use | null
  /** The hourly cost of an endpoint: "$2.25", or 'none' without a price; with `used`. */
  readonly costOf?: (endpoint: Endpoint) => string
  /** The price for programs. */
  readonly priceOf?: (endpoint: Endpoint) => Price | undefined
  /** The cost of all running endpoints among these, if known; with `used`. */
  readonly totalOf?: (endpoints: readonly Endpoint[]) => Total | undefined
  /** The endpoints as last listed; with `ruled`. */
  readonly listed?: readonly Endpoint[] | undefined
  /** Whether the asking program's token allows this endpoint; absent if it allows all. */
  readonly isInside?: (endpoint: Endpoint) => boolean
  /** The requester's own access to the project; with `you`. */
  readonly you?: OwnAccess
}

/** Answers that need more or fewer calls than one. `lifecycle/run-query.ts` makes them. */
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
  /** The required role; viewer by default. A method, so that a row can narrow the type of its values. */
  needs?(values: Values<F>): Role
  /** How many of the endpoint's last requests it shows. */
  readonly recent?: number
  /** Also accepted while the storage is nearly full, because it shows that. */
  readonly evenFull?: true
  /** Shows the rules of endpoints. */
  readonly ruled?: true
  /** Shows the requester's own access. */
  readonly you?: true
  /** The answer to people without a role, instead of a refusal. It reveals nothing that needs a role. */
  stranger?(person: Person): Words
  /** The endpoints in its answer whose usage and price it shows. */
  used?(answer: Answer): readonly Endpoint[]
  readonly show: (answer: Answer, context: Context<Values<F>>) => QueryAnswer
}

/** A query of one call, or without a call, if the table of commands is the answer. */
interface QueryRow<F extends Fields, Answer> extends Asking<F, Answer> {
  readonly call?: (values: Values<F>, endpoint: 'endpoint' extends keyof F ? Endpoint : undefined) => Call<Answer>
  readonly own?: never
}

interface OwnRow<F extends Fields, Name extends keyof OwnAnswers> extends Asking<F, OwnAnswers[Name]> {
  readonly own: Name
}

interface Acting<F extends Fields> extends Common<F> {
  /** The required role; operator by default. A method, so that a row can narrow the type of its values. */
  needs?(values: Values<F>): Role
  /** Needs an approval, even if its impact would need less by the policy. */
  readonly needsApproval?: true
  /** The phrase for these values; by default, that of its name. */
  phrase?(values: Values<F>, change?: Change): PhraseKey | Phrase
  /** Allowed during a lockdown, because it makes nothing less safe. */
  readonly safe?: true
  current?(seen: Remembered): Current
  /** The name of the token that it revokes. A program may revoke its own token without an agreement. */
  endsToken?(values: Values<F>): string | undefined
  /** Lines that a person may mean instead of this one. `more`: words follow that could not be parsed. */
  meant?(values: Values<F>, more?: boolean): readonly string[]
  /** Says why the values contradict each other or the policy (if given), for any endpoint; false if they do not. */
  nonsense?(values: Values<F>, bounds?: PolicyLimits): Nonsense | false
  /** The command that takes back a change that is not about an endpoint. */
  readonly opposite?: string
  /** Returns the line that takes it back, or says why there is none. Absent if there is nothing to take back. */
  inverse?(undoing: Undoing<Values<F>>): Inverse
}

interface OperationRow<F extends Fields> extends Acting<F> {
  /** The state in which it leaves the endpoint; absent if it does not change the state. */
  readonly wants?: 'up' | 'down'
  /** Of several, the one that needs most counts. */
  readonly impact: (values: Values<F>, seen?: { readonly endpoint: Endpoint | undefined }) => Impact | readonly Impact[]
  /** Says why it is impossible now or forbidden by the policy; false if it is allowed. */
  readonly unless: (endpoint: Endpoint, values: Values<F>, bounds: PolicyLimits) => Words | false
  /** Offers alternatives if the endpoint's state makes it impossible. */
  instead?(endpoint: Endpoint, values: Values<F>): readonly Offer[]
  readonly steps: (values: Values<F>, endpoint: Endpoint) => Plan
  readonly deed?: never
  /** Whether the values name a later time, so that it makes a rule instead of acting now. */
  laterBy?(values: Values<F>): boolean
  change?(values: Values<F>, context: ChangeContext): Changing
}

/** An operation that changes our own records, without a call or a lock. */
interface ChangeRow<F extends Fields> extends Acting<F> {
  impact(values: Values<F>, context: ChangeContext): Impact
  change(values: Values<F>, context: ChangeContext): Changing
}

/** An operation on another request, without a plan, call or lock. `lifecycle/act-on-request.ts` runs it. */
interface DeedRow<F extends Fields> extends Acting<F> {
  readonly deed: Deed
}

export type Deed = 'cancel' | 'undo' | 'approve' | 'decline' | 'break glass'

export type Query = Asking<Fields, unknown> & {
  readonly kind: 'query'
  readonly call?: (values: FieldValues, endpoint: Endpoint | undefined) => Call
  readonly own?: keyof OwnAnswers
  /** Only operations have these. */
  readonly deed?: never
  readonly wants?: never
}
export type Operation = Omit<OperationRow<Fields>, 'deed' | 'impact'> & {
  readonly kind: 'operation'
  readonly deed?: Deed
  readonly impact: (
    values: FieldValues,
    about?: ChangeContext | { readonly endpoint: Endpoint | undefined },
  ) => Impact | readonly Impact[]
}

export type Row = Query | Operation

// A row is typed with its own fields and answer; the table erases these types. The casts are safe, because a row only
// gets values that its own fields have read.

export function defineQuery<const F extends Fields, const Name extends keyof OwnAnswers>(row: OwnRow<F, Name>): Query
export function defineQuery<const F extends Fields, Answer>(row: QueryRow<F, Answer>): Query
export function defineQuery(row: object): Query {
  return { ...row, kind: 'query' } as unknown as Query
}

export function defineOperation<const F extends Fields>(row: OperationRow<F>): Operation {
  return { ...row, kind: 'operation' } as unknown as Operation
}

const withoutCalls = { kind: 'operation', unless: () => false, steps: () => [] } as const

export function defineChange<const F extends Fields>(row: ChangeRow<F>): Operation {
  return { ...row, ...withoutCalls } as unknown as Operation
}

export function defineDeed<const F extends Fields>(row: DeedRow<F>): Operation {
  return { ...row, ...withoutCalls, impact: () => 'reversible' } as unknown as Operation
}

export interface ChangeContext {
  /** Read live, if the row has a field for an endpoint. */
  readonly endpoint: Endpoint | undefined
  /** The entry of the policy file that protects the endpoint. */
  readonly protectedBy: string | null
  /** The request's id, from which new records get their ids. */
  readonly id: string
  readonly records: Records
  /** Whether the policy names an operations channel, which rules need for their messages. */
  readonly operationsChannel: boolean
  readonly automation: Automation
  /** The rules that decide about the endpoint. */
  readonly rules: Rules | undefined
  readonly by: Actor
  readonly role: Role | null
  /** When it was requested, and when it is planned (repeatedly while people are asked); ms since 1970. */
  readonly at: number
  readonly now: number
  /** The requester's time zone. */
  readonly zone: string
  readonly bounds: PolicyLimits
  /** The digest of this request's new token. Null without a key; undefined if the person may not create tokens. */
  readonly tokenDigest: string | null | undefined
  /** In a lockdown: the loss in sentences, and the loss that ending the lockdown accepts. */
  readonly loss?: { readonly says: Words; readonly acknowledges?: Change['acknowledges'] }
  /** The request that this one undoes. */
  readonly undone?: Request
}

/** A change and a sentence about its effect, or why there is nothing to change. */
export type Changing =
  | { readonly change: Change; readonly means: Words }
  /**
   * `holds`: the requested state already holds. `mistyped`: other words would work, so the form or another line is
   * offered. `field`: the form field that shows the error, if not a time field or the first one.
   */
  | { readonly wrong: Words; readonly holds?: true; readonly mistyped?: true | Offer; readonly field?: string }

/** The phrases of the catalogue for an operation, and their values besides the endpoint's name. */
export interface Phrase {
  readonly key: PhraseKey
  readonly with?: SentenceValues
}

/** `stop` for `stop.ask`, `stop.doing`, `stop.done` and `stop.leave`. */
export type PhraseKey = SentenceId extends infer Id ? (Id extends `${infer Key}.ask` ? Key : never) : never

/** The line that takes a request back; or why there is none, with similar lines. */
export type Inverse = { readonly line: string } | { readonly why: Words; readonly offers?: readonly Offer[] }

/** `by`: the person who undoes the request; `now` in ms since 1970. */
export interface Undoing<V = FieldValues> {
  readonly by: Actor
  readonly now: number
  readonly request: Request
  readonly values: V
  readonly write: WriteLine
}

export const alreadyOver = say('undo.over')

export function replaced<Kind extends StoredRecord['kind']>({ replaced = [] }: Request, kind: Kind) {
  return replaced.find((one): one is RecordOf<Kind> => one.kind === kind)
}
