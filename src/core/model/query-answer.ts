import type { Day } from '../time/calendar.ts'
import type { Prices } from './automation.ts'
import type { Endpoint, LogFile } from './endpoint.ts'
import type { DailyPreview, Vote } from './question.ts'
import type { Freeze, IdleRule, StandIn } from './records.ts'
import type { Actor, Member } from './roles.ts'
import type { Announced, Rule, Rules } from './rules.ts'
import { type Sentence, saysNothing, type Words } from './words.ts'

/** A line as a button. */
export interface Offer {
  readonly label: Words
  readonly line: string
  /** Opens the line's form, or the menu of its endpoint, instead of sending the line. */
  readonly opens?: 'form' | 'menu'
  /**
   * In a list of requests: whether this is the only one. A private list is shown again without the request after the
   * press, and deleted after the last.
   */
  readonly last?: boolean
}

/** An icon before a word that says the same. */
export type Mark = 'running' | 'stopped' | 'changing' | 'failed' | 'attention' | 'idle' | 'done' | 'no' | 'nothing'

/** A query's answer as plain values. The chat decides how it looks. */
export interface QueryAnswer {
  readonly title: Words
  readonly items: readonly {
    readonly text: Words
    /** The text is a name or a heading. */
    readonly strong?: true
    readonly mark?: Mark
    readonly detail?: Words
    /** The endpoint of this row, for programs. */
    readonly endpoint?: EndpointFacts
    /** How to write lines, and what each one does. */
    readonly usages?: readonly { readonly line: string; readonly about?: Words }[]
    /** The detail, the text and the person share one line, in this order. */
    readonly inline?: true
    /** Named before the detail. */
    readonly who?: Actor
    /** Shown before the name: "by its schedule, made by". */
    readonly through?: Words
    /** The name of the program's token, for programs. */
    readonly program?: string
    /** Named after the text. */
    readonly whom?: readonly Member[]
    /** Named after the detail, following these words. */
    readonly decided?: { readonly says: Words; readonly votes: readonly Pick<Vote, 'by' | 'for'>[] }
    readonly offers?: readonly Offer[]
    /** Up to five less common lines behind one button. */
    readonly more?: readonly Offer[]
  }[]
  /** Preformatted lines of text. */
  readonly block?: readonly Words[]
  readonly foot?: Words
  readonly offers?: readonly Offer[]
  readonly effect?: Effect
  /** Texts too long for a message, for the requester only. */
  readonly files?: readonly { readonly name: string; readonly text: string }[]
  /** Its numbers also appear in the rows. */
  readonly chart?: Chart
}

/** For programs. `currency` is an ISO 4217 code. */
export interface Price {
  readonly amount: number
  readonly currency: string
}

/** The formatted cost of everything that is running and has a price, and the most expensive endpoint, or 'none'. */
export interface Total {
  readonly hour: string
  readonly month: string
  readonly dearest: string
  /** How many running endpoints have no price. */
  readonly unpriced: number
}

/** An endpoint for programs. `perHour`: its current cost. */
export interface EndpointFacts extends Pick<Endpoint, 'id' | 'name' | 'replicas'> {
  /** running, stopped, starting, stopping, changing, failed or unknown. */
  readonly state: string
  readonly perHour?: Price
}

/** The effect of an operation, for programs. Instants in ms since 1970. */
export interface Effect {
  /** Whether this program may propose the operation. */
  readonly allowed: boolean
  readonly needs: 'refusal' | 'nothing' | 'confirmation' | 'approval' | 'notice'
  /** How many people must approve, and who can answer. */
  readonly approvals?: number
  readonly whom?: readonly Member[]
  /** Until when people could answer. */
  readonly expires?: number
  /** When a one-time start or stop would happen. */
  readonly at?: number
  readonly until?: number
  /** The time zone in which times without a zone were read. */
  readonly zone?: string
  readonly endpoint?: EndpointFacts
  /** What a stop saves per hour. */
  readonly saves?: Price
}

/** What stopped an endpoint. Manual stops are counted separately, because no rule saved them. */
export const causes = ['schedule', 'idle', 'person'] as const
export type Cause = (typeof causes)[number]

/** A stop made through this product, and the start that ended it. Times in ms since 1970. */
export interface Stopped {
  readonly endpoint: string
  readonly name: string
  /** The platform's name of the GPU; without one there is no price. */
  readonly gpu?: string
  /** How many replicas were stopped. */
  readonly replicas: number
  readonly at: number
  readonly by: Cause
  /** Null: still stopped. */
  readonly start: Started | null
}

interface Started {
  /** For an unseen start: when the endpoint was last certainly stopped. */
  readonly at: number
  readonly by: 'person' | 'rule' | 'unseen'
  /** For an unseen start: when the endpoint was found running; absent if that is unknown too. */
  readonly foundAt?: number
}

/** Hours are replica-hours: two replicas down for an hour are two. `unpriced`: the hours without a price. */
export interface Sum {
  readonly hours: number
  /** In the currency of the prices, for the hours that have a price. */
  readonly money: number
  readonly unpriced: number
}

export type Sums = Readonly<Record<Cause, Sum>>

export interface Savings {
  readonly currency: string
  /** The hourly cost of everything that is running now; absent if not known for certain. */
  readonly running?: number
  readonly total: Sums
  /** Endpoints with savings, the largest first. */
  readonly endpoints: readonly { readonly name: string; readonly sums: Sums }[]
  /** Every day of the period with its hours, oldest first. */
  readonly days: readonly { readonly day: Day; readonly hours: Readonly<Record<Cause, number>> }[]
  readonly stops: Readonly<Record<Cause, number>>
  /** Idle stops after which a person started the endpoint again within the hour. */
  readonly regrets: number
  /** Stops counted only as long as they were seen, because the start was not seen. */
  readonly unseen: number
  /** There were too many requests, so the oldest stops are missing. */
  readonly cut?: boolean
}

export interface EndpointRules {
  /** Under its last known name if no list has the endpoint. */
  readonly endpoint: Pick<Endpoint, 'id' | 'name'> & Partial<Pick<Endpoint, 'active' | 'status'>>
  /** The announced automatic stop that can still be skipped. */
  readonly announced?: Announced
  /** The platform no longer has the endpoint, so its rules are inactive. */
  readonly gone?: true
  /** Its own rules, then the team's. */
  readonly entries: readonly { readonly rule: Rule; readonly resting: boolean }[]
  /** The idle rule in force: its own, otherwise the team's. Absent if there is none. */
  readonly idle?: Watching
  /** The rules that decide about it, without inactive ones. */
  readonly rules: Rules
}

/** An idle rule. One that is off is listed only if it overrides the team's rule. */
export interface Watching {
  readonly rule: IdleRule
  /** The idle time in force, ms. */
  readonly after: number
  /** Why the idle time is longer than the rule's, or why nothing is stopped now. */
  readonly note: Words
}

/** All rules, with endpoints sorted by name. */
export interface Schedules {
  readonly freeze: Freeze | null
  readonly ruled: readonly EndpointRules[]
  /** The next 7 days, if the query was about one endpoint. */
  readonly outlooks: readonly DailyPreview[]
}

export interface LogLine {
  readonly text: string
  /** As the platform wrote it. Its time zone is unknown, so nothing is calculated from it. */
  readonly at?: string
}

export interface Tailed {
  readonly file: LogFile
  /** Oldest first. */
  readonly lines: readonly LogLine[]
  /** Why this differs from what was asked for, in a sentence. */
  readonly note?: Words
}

/** The ends of an endpoint's newest log files, one per replica. */
export interface Tail {
  readonly tails: readonly Tailed[]
  /** Which replicas are missing, and why, in sentences. */
  readonly unread: readonly Words[]
  /** All existing files, newest first. */
  readonly files: readonly LogFile[]
}

/** What a person can do in a project besides their role. */
export interface OwnAccess {
  /** The people for whom this person may approve now. */
  readonly absent: readonly Actor[]
  /** The person who approves for them. */
  readonly standIn: StandIn | null
  /** How many waiting requests they may answer. */
  readonly waiting: number
  /** The people who approve here, and the admins who give roles. */
  readonly approvers: readonly Member[]
  readonly admins: readonly Member[]
}

/** A start or stop by a rule. `at` in ms since 1970. */
export interface UpcomingChange {
  readonly endpoint: Pick<Endpoint, 'id' | 'name'>
  readonly at: number
  readonly want: 'up' | 'down'
  /** Absent: a weekly rule. */
  readonly by?: 'once'
}

/** A running, unused endpoint that no rule stops. */
interface Idling {
  readonly endpoint: Endpoint
  /** How long it has been idle, ms. */
  readonly quietMs: number
  /** After how long a rule would stop it, as lines write it: "1h". */
  readonly after: string
}

/** The known hourly prices of replicas, the idle endpoints, and what rules say about any endpoint, if known. */
export interface RunningNow {
  readonly prices: Prices
  readonly idling: readonly Idling[]
  readonly rulesOf?: (endpoint: Endpoint) => Rules
}

/** A bar chart within Slack's limits: 6 series, 20 categories, titles of 50 characters, other words of 20. */
export interface Chart {
  readonly title: Words
  /** The label below the bars: "days in Europe/Madrid". */
  readonly across: Words
  /** The unit of the values: "replica-hours". */
  readonly unit: Words
  /** From left to right. Each name occurs once. */
  readonly categories: readonly Words[]
  readonly series: readonly { readonly name: Words; readonly values: readonly number[] }[]
}

export type Explained = Pick<QueryAnswer, 'title' | 'items' | 'effect'>

/** The result of a check. `says`: what was seen, or what to do. */
export interface Check {
  readonly name: Sentence
  readonly well: boolean
  readonly says: Words
}

/** Makes a check. `fault`: what is wrong and what to do about it; null or no words: it passed, as `seen` says. */
export function checkOf(name: Sentence, fault: Words | null, seen: Words): Check {
  const well = fault === null || saysNothing(fault)
  return { name, well, says: well ? seen : fault }
}
