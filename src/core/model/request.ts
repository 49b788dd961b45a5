import type { Offer, QueryAnswer } from './answer.ts'
import type { NamedEndpoint, Settings } from './endpoint.ts'
import type { Plan, Progress, Seen } from './plan.ts'
import type { Requirement, Standing } from './policy.ts'
import type { Ask, DailyPreview, Decision, Vote } from './question.ts'
import type { Change, StoredRecord } from './records.ts'
import { type Actor, isSame, type Place } from './roles.ts'
import type { Through } from './token.ts'
import type { Words } from './words.ts'

/** `attention`: nobody can know what happened; the request says what was last seen and what to do. */
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

/** A request never leaves an end; notes may still be added to one. */
export function mayMove(from: Status, to: Status): boolean {
  return from === to || (transitions[from] as readonly Status[]).includes(to)
}

/** How a line came in. */
export const vias = ['typed', 'form', 'button', 'schedule', 'idle', 'program', 'workflow'] as const
export type Via = (typeof vias)[number]

export const kinds = ['query', 'operation'] as const

export interface Ending {
  readonly at: number
  /** Our sentence, plain text: "Stopped my-llm." */
  readonly says: Words
  /** What follows it, where that names people. */
  readonly told?: Words
  /** The platform's own sentence, plain text. */
  readonly quote?: string
  /** Lines to hand in next, offered as buttons. */
  readonly offers?: readonly Offer[]
  /** Nothing stands in a channel, so this is for the requester alone. */
  readonly privately?: boolean
  /** Whoever cancelled it. */
  readonly by?: Actor
  /** Whoever keeps the endpoint as it is, where that is why; or whose request a notice gave way to. */
  readonly keptBy?: Actor
  readonly takenBy?: Actor
  /** Somebody had kept the endpoint from it; then it was announced again, as a request of its own. */
  readonly again?: true
  /** The request that stood in the way, to be linked. */
  readonly about?: string
  /** Nothing was done, since what was asked for held already. */
  readonly holds?: true
}

/** A private sentence to one person, in answer to a press; where `channel` is their own id, a direct message. */
export interface Note {
  readonly id: string
  readonly to: Actor
  readonly channel: string
  readonly says: Words
}

/** An operation or query taken up. Stored whole, changed only by compare-and-swap, never by two at once. */
export interface Request {
  readonly id: string
  readonly project: string
  readonly kind: (typeof kinds)[number]
  /** Canonical, as history quotes it. */
  readonly line: string
  readonly actor: Actor
  /** Whom they came as, where the organisation knows them by another name. */
  readonly cameAs?: Actor
  readonly place: Place
  readonly via?: Via
  /** The program that handed it in for its person. */
  readonly through?: Through
  /** Of a schedule or the idle watch: which of its decisions this carries out, and when that is due, ms. */
  readonly occurrence?: string
  readonly due?: number
  /** Of a rule: those that are done at the same time and shown in one message. */
  readonly group?: string
  /** What somebody asked for that it carries out, where that was for once: "stop my-llm at 23:00". */
  readonly asked?: string
  readonly reason?: Words
  /** Of an idle stop: the shortest of it, "no requests for 1 h 2 min". */
  readonly evidence?: Words
  /** Of a stop: what it costs to leave the endpoint up instead, and until when that is. */
  readonly costs?: Costs
  /** Secret values wait under a seal of this request; the line quotes their names. */
  readonly sealed?: boolean
  /** A query's answer is private unless somebody asked to show it. */
  readonly open?: boolean
  /** Refused for want of any role: soon forgotten, and told in the audit by the count of such lines. */
  readonly stranger?: true
  readonly receivedAt: number
  /** The `traceparent` of the span that stored it, where somebody collects traces. */
  readonly trace?: string
  readonly status: Status
  readonly endpoint?: NamedEndpoint
  readonly plan?: Plan
  /** Of our own records, where it is about those. */
  readonly change?: Change
  /** What that has written anew or taken away, once it is done. */
  readonly replaced?: readonly StoredRecord[]
  /** Of a change that is asked about: what would be done right away, if anything, and what holds from then on. */
  readonly means?: readonly Words[]
  /** The next days as they will be by it, where it lays down a rule. */
  readonly preview?: readonly DailyPreview[]
  /** The endpoint's standing, under the name that it was first stored by. */
  readonly exposure?: Standing
  readonly requirement?: Requirement
  /** Of everything agreed to; compared before the first call. */
  readonly digest?: string
  /** Version of the policy it was last judged by. */
  readonly policy?: string
  readonly ask?: Ask
  /** Of the newest ask, each by somebody else. */
  readonly votes?: readonly Vote[]
  readonly decision?: Decision
  readonly startedAt?: number
  readonly progress?: readonly Progress[]
  readonly undoes?: string
  /** The settings before a patch, where they were known. */
  readonly before?: Settings
  /** What went wrong in a step, while the steps that put things back are still being done. */
  readonly setback?: Omit<Ending, 'at'> & { readonly status: 'failed' | 'attention' | 'cancelled' }
  /** Tries at reading the platform before anything was called. */
  readonly tries?: number
  /** How often it was planned anew because a record had just changed. */
  readonly replans?: number
  readonly shown?: QueryAnswer
  /** Names of the files that go to the asker alone; what is in them is kept elsewhere, and not for long. */
  readonly files?: readonly string[]
  readonly ending?: Ending
  readonly notes: readonly Note[]
  /** When to look again, ms since 1970; null at rest. */
  readonly nextAt: number | null
}

/** What is told of a request where no words of people belong. */
export function labelsOf({ id, project, kind, line }: Pick<Request, 'id' | 'project' | 'kind' | 'line'>) {
  return { request: id, project, kind, verb: line.split(' ', 1)[0] ?? '' }
}

/** Handed in by a rule, not by a person. */
export function isAutomatic({ via }: Pick<Request, 'via'>): boolean {
  return via === 'schedule' || via === 'idle'
}

/** How a request is told to stand: who declines what they asked for themselves, not by a program, has cancelled it. */
export function toldStatus(request: Request): Status {
  const { status, requirement, decision, actor, through } = request
  const isOwn = decision !== undefined && through === undefined && isSame(decision.by, actor) && !isAutomatic(request)
  return isOwn && status === 'declined' && requirement !== 'notice' ? 'cancelled' : status
}

export interface Event {
  readonly at: number
  readonly what: string
  readonly by?: Actor
  /** In whose place. */
  readonly for?: Actor
  readonly detail?: Words
  /** How the endpoint was seen right before or after. */
  readonly seen?: Seen
}

/** Somebody's answer to a waiting request, as it came in. */
export interface Press {
  readonly id: string
  readonly request: string
  readonly ask: number
  readonly yes: boolean
  readonly actor: Actor
  readonly channel: string
  /** The channel was picked from afar. */
  readonly chosen?: boolean
  readonly at: number
  readonly because?: string
  /** As of a request. */
  readonly trace?: string
}

/** What it costs to leave an endpoint up, for each way to do so: "$2.25", or unrounded in `currency`. Absent without a price or an end. */
export interface Costs {
  readonly skip?: string
  readonly hour?: string
  readonly perMinute?: number
  readonly currency?: string
  readonly morning?: string
  /** The morning that is meant, ms since 1970: the same for all readers. */
  readonly morningAt?: number
  /** Until when it stays up where the stop is skipped, ms since 1970. */
  readonly until?: number
  /** Until when the policy lets it be kept at most, ms since 1970: a full minute, as of when people are told. */
  readonly latest?: number
}

export type Value = string | number | null

export type FieldValues = Readonly<Record<string, Value | undefined>>

/** Throws for a fault of ours. A change of status is an event, so that the audit knows of it. */
export function assertMove(from: Status, to: Status, events: readonly Event[]): void {
  if (!mayMove(from, to)) throw new Error(`A request that is ${from} cannot become ${to}.`)
  if (from !== to && events.length === 0) throw new Error(`A request that becomes ${to} needs an event that says so.`)
}

/** What a request is from the moment that its work may begin (`at`, ms); `waitsUntil`: its first step has to wait. */
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
  /** Everything that happened to it, oldest first; empty where nobody asked for that much. */
  readonly events: readonly Event[]
  /** Of an answer to another request that its line names by the id: "stop my-llm", and who had asked for that. */
  readonly about?: { readonly deed: Words; readonly by: Actor }
  readonly endedSince?: Request | 'outside'
  /** A press on undo would take it back now. */
  readonly undoable?: true
}

/** How far back anything is remembered, ms: as long as the requests themselves (`adapters/redis/requests/claim.ts`). */
export const historyLife = 90 * 24 * 3_600_000

/** Something was done to the endpoint itself, at the platform; a change of our own records is not that. */
export function wasCarriedOut({ status, plan = [] }: Pick<Request, 'status' | 'plan'>): boolean {
  return status === 'succeeded' && plan.length > 0
}

/** What people look back on at an endpoint. */
export function wasPlanned({ status, plan }: Pick<Request, 'status' | 'plan'>): boolean {
  return isEnded(status) && status !== 'refused' && plan !== undefined
}

/** Somebody has said no to a stop that a schedule had handed in. */
export function isSkipped({ via, requirement, decision }: Pick<Request, 'via' | 'requirement' | 'decision'>): boolean {
  return via === 'schedule' && requirement === 'notice' && decision?.yes === false
}

/** Times that belong to the life of a request, all ms. */
export const terms = {
  /** An ask nobody answered is over. */
  ask: 30 * 60_000,
  /** An automatic action counts as late after this, and is announced anew before it happens. */
  late: 15 * 60_000,
  /** The shortest warning before an automatic action. */
  warning: 5 * 60_000,
  /** The shortest first warning of a schedule, which people can know beforehand. */
  scheduleWarning: 60_000,
  /** A decision must lead to a first call within this time. */
  start: 5 * 60_000,
  /** How long a step may take to reach its goal. */
  settle: 15 * 60_000,
  /** How long a call of unknown outcome may still arrive: a guess, which nothing at the platform bounds. */
  quarantine: 120_000,
  /** Two equal reads this far apart are needed before "no effect" may be said. */
  apart: 5_000,
  /** How long reads are waited for to show what became of a call that is not sent again. */
  decided: 60_000,
  /** How long a start that puts back what we have stopped is sent again. */
  putBack: 30 * 60_000,
  /** How long reads may go on showing what was before a call. */
  lag: 10_000,
} as const

/** How often the same request may ask before it ends. */
export const mostAsks = 3
