import type { Day } from '../time/calendar.ts'
import type { Prices } from './automation.ts'
import type { Endpoint, LogFile } from './endpoint.ts'
import type { DailyPreview, Vote } from './question.ts'
import type { Freeze, IdleRule, StandIn } from './records.ts'
import type { Actor, Member } from './roles.ts'
import type { Rule, Rules } from './rules.ts'
import type { Sentence, Words } from './words.ts'

/** A line as a button. */
export interface Offer {
  readonly label: Words
  readonly line: string
  /** Does not hand the line in, but opens its form, or the menu of the endpoint that it is about. */
  readonly opens?: 'form' | 'menu'
}

/** A small picture before a word that says the same. */
export type Mark = 'running' | 'stopped' | 'changing' | 'failed' | 'attention' | 'idle' | 'done' | 'no' | 'nothing'

/** A query's answer, as plain values; the chat decides how they look. `told`: the text with the people it names. */
export interface QueryAnswer {
  readonly title: Words
  readonly titleTold?: RichSentence
  readonly items: readonly {
    readonly text: Words
    readonly told?: RichSentence
    /** The text is a name or a heading. */
    readonly strong?: true
    readonly mark?: Mark
    readonly detail?: Words
    /** The endpoint that it is, for programs. */
    readonly endpoint?: EndpointFacts
    /** How lines are written, and what each is for. */
    readonly usages?: readonly { readonly line: string; readonly about?: Words }[]
    /** The detail, the text and who stands behind it are one line, in this order. */
    readonly inline?: true
    /** Named before the detail. */
    readonly who?: Actor
    /** Said before the name: "by its schedule, made by". */
    readonly through?: Words
    /** The name of the token that it came by, for programs. */
    readonly program?: string
    /** Named after the text. */
    readonly whom?: readonly Member[]
    /** Named after the detail, behind these words. */
    readonly decided?: { readonly says: Words; readonly votes: readonly Pick<Vote, 'by' | 'for'>[] }
    readonly offers?: readonly Offer[]
    /** What is rarely wanted: up to five lines behind one button. */
    readonly more?: readonly Offer[]
  }[]
  /** Lines of text set apart, as they were written. */
  readonly block?: readonly Words[]
  readonly foot?: Words
  readonly offers?: readonly Offer[]
  readonly effect?: Effect
  /** Texts too long for a message: for whoever asked, and nobody else. */
  readonly files?: readonly { readonly name: string; readonly text: string }[]
  /** Its numbers stand in the rows as well. */
  readonly chart?: Chart
}

/** For programs; `currency` as ISO 4217 has it. */
export interface Price {
  readonly amount: number
  readonly currency: string
}

/** The cost of all that runs, as people read it, and the one of several that costs the most, or 'none'. */
export interface Total {
  readonly hour: string
  readonly month: string
  readonly dearest: string
}

/** An endpoint as programs read it. `perHour`: what it costs now. */
export interface EndpointFacts {
  readonly id: string
  readonly name: string
  /** running, stopped, starting, stopping, changing, failed or unknown. */
  readonly state: string
  readonly replicas?: number
  readonly perHour?: Price
}

/** What an operation would do, as programs read it. Instants in ms. */
export interface Effect {
  /** Whether this program may propose it. */
  readonly allowed: boolean
  readonly needs: 'refusal' | 'nothing' | 'confirmation' | 'approval' | 'notice'
  /** How many people it takes, and who can answer. */
  readonly approvals?: number
  readonly whom?: readonly Member[]
  /** Until when the question would stand. */
  readonly expires?: number
  /** When it would happen, if once. */
  readonly at?: number
  readonly until?: number
  /** In which times without a zone were read. */
  readonly zone?: string
  readonly endpoint?: EndpointFacts
  /** What a stop saves an hour. */
  readonly saves?: Price
}

/** What stopped an endpoint. What people stop is no merit of any rule, and is told apart. */
export const causes = ['schedule', 'idle', 'person'] as const
export type Cause = (typeof causes)[number]

/** A stop that was made from here, and the start that ended it. Times in ms since 1970. */
export interface Stopped {
  readonly endpoint: string
  readonly name: string
  /** As the platform calls it; without one there is no price. */
  readonly gpu?: string
  /** When it was stopped. */
  readonly replicas: number
  readonly at: number
  readonly by: Cause
  /** Null: it is stopped still. */
  readonly start: Started | null
}

/** The next start by anyone. */
interface Started {
  /** Of a start that nobody here saw: the last time it was certainly stopped still. */
  readonly at: number
  readonly by: 'person' | 'rule' | 'unseen'
  /** Of one that nobody here saw: when it was found running; absent where that is not known either. */
  readonly foundAt?: number
}

/** Hours are those of replicas: two that are down for an hour are two. `unpriced` are those of them without a price. */
export interface Sum {
  readonly hours: number
  /** In the currency of the prices, for the hours that have one. */
  readonly money: number
  readonly unpriced: number
}

export type Sums = Readonly<Record<Cause, Sum>>

export interface Savings {
  /** Days are those of this zone. */
  readonly zone: string
  readonly currency: string
  /** What an hour costs with all that runs now; absent where that is not known for certain. */
  readonly running?: number
  /** What nobody uses and no rule stops, with what an hour of it costs: "$2.25", or 'none' without a price. */
  readonly idling?: readonly (Idling & { readonly hour: string })[]
  readonly total: Sums
  /** Those of which anything was saved, the most first. */
  readonly endpoints: readonly { readonly name: string; readonly sums: Sums }[]
  /** Every day in that time, the oldest first, with its hours. */
  readonly days: readonly { readonly day: Day; readonly hours: Readonly<Record<Cause, number>> }[]
  readonly stops: Readonly<Record<Cause, number>>
  /** Idle stops after which a person started it again within the hour. */
  readonly regrets: number
  /** Stops that count only as far as they were seen, since nobody here saw the start. */
  readonly unseen: number
}

export interface EndpointRules {
  /** Named as it was last known where no list has it. */
  readonly endpoint: Pick<Endpoint, 'id' | 'name'> & Partial<Pick<Endpoint, 'active'>>
  /** The platform has it no more, so that its rules rest. */
  readonly gone?: true
  /** Its own rules, then the team's. */
  readonly entries: readonly { readonly rule: Rule; readonly resting: boolean }[]
  /** How it is watched for idleness: by its own rule, else by the team's. Absent: it is not, and nobody would. */
  readonly idle?: Watching
  /** What decides about it: without the rules that rest. */
  readonly rules: Rules
}

/** An idle watch; one that is off is told of only where the team's rule would hold otherwise. */
export interface Watching {
  readonly rule: IdleRule
  /** The idle time in force, ms. */
  readonly after: number
  /** Why that is longer than the rule's, or why it stops nothing now. */
  readonly note: Words
}

/** All that is laid down, endpoints by their names. */
export interface Schedules {
  readonly freeze: Freeze | null
  readonly ruled: readonly EndpointRules[]
  /** The next 7 days, where it was asked about one endpoint. */
  readonly outlooks: readonly DailyPreview[]
}

export interface LogLine {
  readonly text: string
  /** As the platform wrote it. The platform does not say in which zone, so nothing is worked out from it. */
  readonly at?: string
}

/** The end of one log file, or what was found there. */
export interface Tailed {
  readonly file: LogFile
  /** Oldest first. */
  readonly lines: readonly LogLine[]
  /** Why this is not what was asked for, in a sentence. */
  readonly note?: Words
}

/** The ends of the newest log files of an endpoint, one a replica. */
export interface Tail {
  readonly tails: readonly Tailed[]
  /** Which replicas are left out, and why, in sentences. */
  readonly unread: readonly Words[]
  /** All files there are, newest first. */
  readonly files: readonly LogFile[]
}

/** How somebody stands in a project besides their role. */
export interface OwnAccess {
  /** Those in whose place they may approve now. */
  readonly absent: readonly Actor[]
  /** Who approves in theirs. */
  readonly standIn: StandIn | null
  /** How many requests wait that they may answer. */
  readonly waiting: number
  /** Whoever approves here, and whoever gives roles. */
  readonly approvers: readonly Member[]
  readonly admins: readonly Member[]
}

/** A start or a stop that rules will bring about. `at` in ms. */
export interface UpcomingChange {
  readonly endpoint: Pick<Endpoint, 'id' | 'name'>
  readonly at: number
  readonly want: 'up' | 'down'
  /** Absent: a weekly rule. */
  readonly by?: 'once'
}

/** A running endpoint that nobody uses and no rule stops. */
export interface Idling {
  readonly endpoint: Endpoint
  /** ms since it was last in use. */
  readonly quietMs: number
  /** After how long a rule would stop it, as lines write it: "1h". */
  readonly after: string
}

/** What an hour of a replica costs, as far as anybody said, and what idles. */
export interface RunningNow {
  readonly prices: Prices
  readonly idling: readonly Idling[]
}

/** A bar chart within Slack's limits: 6 series, 20 categories, titles of 50 characters, other words of 20. */
export interface Chart {
  readonly title: Words
  /** Below the bars: "days in Europe/Madrid". */
  readonly across: Words
  /** What the values count: "replica-hours". */
  readonly unit: Words
  /** From left to right; each name once. */
  readonly categories: readonly Words[]
  readonly series: readonly { readonly name: Words; readonly values: readonly number[] }[]
}

/** What a line would do, in sentences. */
export type Explained = Pick<QueryAnswer, 'title' | 'items' | 'effect'>

/** One thing that was looked over. `says` tells what was seen, or what to do. */
export interface Check {
  readonly name: Sentence
  readonly well: boolean
  readonly says: Words
}

/** `fault`: what is wrong and what to do about it; null: all is well, as `seen` tells. */
export function checkOf(name: Sentence, fault: Words | null, seen: Words): Check {
  return { name, well: fault === null, says: fault ?? seen }
}

/** Texts, and whoever they speak of between them. */
export type RichSentence = readonly (string | Member)[]
