import type { NamedEndpoint, Settings } from './endpoint.ts'
import type { Plan, Progress, Seen } from './plan.ts'
import type { Requirement, Standing } from './policy.ts'
import type { Offer, QueryAnswer } from './query-answer.ts'
import type { AnswersGiven, Ask, DailyPreview } from './question.ts'
import type { Change, StoredRecord } from './records.ts'
import { type Actor, isSame, type Place } from './roles.ts'
import type { Through } from './token.ts'
import type { Words } from './words.ts'

/** `attention`: the outcome is unknown. The request says what was last seen and what to do. */
const transitions = {
  received: ['awaiting', 'running', 'succeeded', 'failed', 'refused', 'cancelled', 'expired'],
  awaiting: ['awaiting', 'running', 'refused', 'declined', 'expired', 'cancelled', 'failed'],
  running: ['running', 'awaiting', 'succeeded', 'failed', 'attention', 'refused', 'expired', 'cancelled'],
  succeeded: [],
  failed: [],
  attention: [],
  refused: [],
  declined: [],
  expired: [],
  cancelled: [],
} as const

export type Status = keyof typeof transitions
export const statuses = Object.keys(transitions) as readonly Status[]

export function isEnded(status: Status): boolean {
  return transitions[status].length === 0
}

export const vias = ['typed', 'form', 'button', 'schedule', 'idle', 'program', 'workflow'] as const
export type Via = (typeof vias)[number]

export const kinds = ['query', 'operation'] as const

export interface Ending {
  readonly at: number
  /** Our sentence in plain text: "Stopped my-llm." */
  readonly says: Words
  /** What follows `says` where people read the whole end: it names people, or holds only for now. */
  readonly told?: Words
  /** The platform's own sentence, in plain text. */
  readonly quote?: string
  /** The next lines to offer as buttons. */
  readonly offers?: readonly Offer[]
  /** Nothing was posted in a channel, so only the requester is told. */
  readonly privately?: boolean
  /** The person who cancelled it. */
  readonly by?: Actor
  /** The person who keeps the endpoint as it is; or the requester to whom a notice gave way. */
  readonly keptBy?: Actor
  readonly takenBy?: Actor
  /** A person had kept the endpoint. The stop was then announced again as a new request. */
  readonly again?: true
  /** The request that stood in the way, for a link. */
  readonly about?: string
  /** Nothing was done, because the requested state already held. */
  readonly holds?: true
}

/** A private sentence in reply to a press. If `channel` is the person's own id, it is a direct message. */
export interface Note {
  readonly id: string
  readonly to: Actor
  readonly channel: string
  /** The press was outside the card's thread, so it is not answered there. */
  readonly outside?: true
  readonly says: Words
}

/** An operation or query. Stored as a whole and changed only by compare-and-swap. */
export interface Request extends AnswersGiven {
  readonly id: string
  readonly project: string
  readonly kind: (typeof kinds)[number]
  /** In canonical form, as the history quotes it. */
  readonly line: string
  readonly actor: Actor
  /** The identity they came with, if the organization knows them by another one. */
  readonly cameAs?: Actor
  readonly place: Place
  readonly via?: Via
  /** The program that handed it in for its person. */
  readonly through?: Through
  /** For a rule's request: the decision that it carries out, and when that is due, ms since 1970. */
  readonly occurrence?: string
  readonly due?: number
  /** For a rule's request: the group of requests at the same time, which share a message. */
  readonly group?: string
  /** The one-time schedule that it carries out, in the person's words: "stop my-llm at 23:00". */
  readonly asked?: string
  /** The name of the program that proposed it. */
  readonly proposer?: string
  readonly reason?: Words
  /** For an idle stop: the evidence in short, "no requests for 1 h 2 min". */
  readonly evidence?: Words
  /** For a stop: the cost of keeping the endpoint running instead, and until when that lasts. */
  readonly costs?: Costs
  /** Secret values are sealed for this request. The line contains their names. */
  readonly sealed?: boolean
  /** A query's answer is private unless someone asked to show it. */
  readonly open?: boolean
  /** Refused because the person has no role. Soon deleted; the audit only counts such lines. */
  readonly stranger?: true
  readonly receivedAt: number
  /** The `traceparent` of the span that stored it, if traces are collected. */
  readonly trace?: string
  readonly status: Status
  readonly endpoint?: NamedEndpoint
  readonly plan?: Plan
  /** The change to our own records, if there is one. */
  readonly change?: Change
  /** The records that the change replaced or dropped, once it is done. */
  readonly replaced?: readonly StoredRecord[]
  /** For a change that needs an answer: what would happen at once, if anything, and what applies from then on. */
  readonly means?: readonly Words[]
  /** The coming days under the new rule, if it makes one. */
  readonly preview?: readonly DailyPreview[]
  /** The standing of the endpoint, under the field's first stored name. */
  readonly exposure?: Standing
  readonly requirement?: Requirement
  /** The digest of everything that people agree to, compared before the first call. */
  readonly digest?: string
  /** The version of the policy that last judged it. */
  readonly policy?: string
  readonly ask?: Ask
  /** For the first start of a run: the answers to the run. */
  readonly agreed?: AnswersGiven
  readonly startedAt?: number
  readonly progress?: readonly Progress[]
  readonly undoes?: string
  /** The settings before a patch, if they were known. */
  readonly before?: Settings
  /** The failure of a step, kept while the restoring steps are still running. */
  readonly setback?: Omit<Ending, 'at'> & { readonly status: 'failed' | 'attention' | 'cancelled' }
  /** Failed reads of the platform before the first call. */
  readonly tries?: number
  /** How often it was planned again because a record had just changed. */
  readonly replans?: number
  readonly shown?: QueryAnswer
  /** Names of files for the requester only. Their content is stored elsewhere for a short time. */
  readonly files?: readonly string[]
  readonly ending?: Ending
  readonly notes: readonly Note[]
  /** When to look again, ms since 1970; null if there is nothing to do. */
  readonly nextAt: number | null
}

/** Labels for logs and traces, which must not contain people's words. */
export function labelsOf({ id, project, kind, line }: Pick<Request, 'id' | 'project' | 'kind' | 'line'>) {
  return { request: id, project, kind, verb: line.split(' ', 1)[0] ?? '' }
}

/** Whether a rule handed in the request, not a person. */
export function isAutomatic({ via }: Pick<Request, 'via'>): boolean {
  return via === 'schedule' || via === 'idle'
}

/** The status shown to people: declining one's own request, if no program made it, counts as cancelling it. */
export function toldStatus(request: Request): Status {
  const { status, requirement, decision, actor, through } = request
  const isOwn = decision !== undefined && through === undefined && isSame(decision.by, actor) && !isAutomatic(request)
  return isOwn && status === 'declined' && requirement !== 'notice' ? 'cancelled' : status
}

export interface Event {
  readonly at: number
  readonly what: string
  readonly by?: Actor
  /** The person in whose place it was done. */
  readonly for?: Actor
  readonly detail?: Words
  /** The endpoint's state right before or after. */
  readonly seen?: Seen
}

/** A person's answer to a waiting request, as received. */
export interface Press extends Place {
  readonly id: string
  readonly request: string
  readonly ask: number
  readonly yes: boolean
  readonly actor: Actor
  readonly at: number
  readonly because?: string
  /** Pressed outside any thread, where a reply belongs too. */
  readonly outside?: true
  /** Like a request's `trace`. */
  readonly trace?: string
}

/** The cost of ways to keep an endpoint: "$2.25", or unrounded in `currency`. Absent without a price or an end. */
export interface Costs {
  readonly skip?: string
  readonly hour?: string
  readonly perMinute?: number
  readonly currency?: string
  readonly morning?: string
  /** Which morning is meant, ms since 1970. It is the same for all readers. */
  readonly morningAt?: number
  /** Until when the endpoint keeps running if the stop is skipped, ms since 1970. */
  readonly until?: number
  /** Nothing would start it then either, so skipping the stop costs by the hour. */
  readonly open?: true
  /** Skipping the stop only removes its one-off, and pauses nothing. */
  readonly unpaused?: true
  /** The latest end of a hold under the policy, ms since 1970, in whole minutes, as of the warning. */
  readonly latest?: number
}

export type Value = string | number | null

export type FieldValues = Readonly<Record<string, Value | undefined>>

/** Throws for an invalid move, which is our own error. A change of status needs an event, for the audit. */
export function assertMove(from: Status, to: Status, events: readonly Event[]): void {
  // A request never leaves a final status, but notes may still be added.
  if (from !== to && !(transitions[from] as readonly Status[]).includes(to))
    throw new Error(`A request that is ${from} cannot become ${to}.`)
  if (from !== to && events.length === 0) throw new Error(`A request that becomes ${to} needs an event that says so.`)
}

/** Returns the fields of a request that starts at `at` (ms since 1970). `waitsUntil`: its first step must wait. */
export function beginWork(
  plan: Plan,
  at: number,
  waitsUntil?: number,
): Pick<Request, 'status' | 'startedAt' | 'progress' | 'nextAt'> {
  const steps: Progress[] = plan.map(() => ({ sends: [], looks: [] }))
  const [first] = steps
  const progress = waitsUntil === undefined || first === undefined ? steps : steps.with(0, { ...first, waitsUntil })
  return { status: 'running', startedAt: at, progress, nextAt: waitsUntil ?? at }
}

export interface Past {
  readonly request: Request
  /** Its history, oldest first; empty if not requested. */
  readonly events: readonly Event[]
  /** For an answer to another request that the line names by id: "stop my-llm", and who requested that. */
  readonly about?: { readonly deed: Words; readonly by: Actor }
  /** What ended the state it brought about; or the state, or a change (ms), that it has no record of. */
  readonly endedSince?: Request | 'running' | 'stopped' | { readonly changedAt: number }
  readonly undoable?: true
}

/** How long the history is kept, ms: as long as requests (`adapters/redis/requests/move.ts`). */
export const historyLife = 90 * 24 * 3_600_000

/** Whether something was done to the endpoint on the platform, not only to our own records. */
export function wasCarriedOut({ status, plan = [] }: Pick<Request, 'status' | 'plan'>): boolean {
  return status === 'succeeded' && plan.length > 0
}

/** Whether the request belongs in an endpoint's history. */
export function wasPlanned({ status, plan }: Pick<Request, 'status' | 'plan'>): boolean {
  return isEnded(status) && status !== 'refused' && plan !== undefined
}

/** Whether the request is announced: it is carried out at its time unless someone declines it. */
export function isAnnounced({ status, requirement }: Pick<Request, 'status' | 'requirement'>): boolean {
  return status === 'awaiting' && requirement === 'notice'
}

/** Whether the request waits for people to answer. */
export function waitsForPeople({ status, requirement }: Pick<Request, 'status' | 'requirement'>): boolean {
  return status === 'awaiting' && requirement !== 'notice'
}

/** Whether someone declined an announced stop. */
export function isSkipped({ requirement, decision }: Pick<Request, 'requirement' | 'decision'>): boolean {
  return requirement === 'notice' && decision?.yes === false
}

/** Time limits in the life of a request, ms. */
export const terms = {
  /** How long a received request may wait to be planned before it expires. */
  received: 30 * 60_000,
  /** An automatic action later than this is late, and is announced again before it happens. */
  late: 15 * 60_000,
  /** The shortest warning before an automatic action. */
  warning: 5 * 60_000,
  /** The shortest first warning of a schedule, which people can know in advance. */
  scheduleWarning: 60_000,
  /** The longest time from a decision to its first call. */
  start: 5 * 60_000,
  /** How long a step may take to reach its goal. */
  settle: 15 * 60_000,
  /** How long a call of unknown outcome may still arrive. A guess: the platform guarantees no limit. */
  quarantine: 120_000,
  /** The time between the two equal reads that prove "no effect". */
  apart: 5_000,
  /** How long to read for the effect of a call that is not sent again. */
  decided: 60_000,
  /** How long a start that puts back what we stopped is sent again. */
  putBack: 30 * 60_000,
  /** How long reads may still show the state before a call. */
  lag: 10_000,
} as const
