import type { Command, Commands } from '../commands/commands.ts'
import type { Operation, Query } from '../commands/define.ts'
import type { Check, Offer } from '../model/answer.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Newer } from '../model/formats.ts'
import type { Policy } from '../model/policy.ts'
import type { DailyPreview } from '../model/question.ts'
import type { Reading } from '../model/reading.ts'
import type { Change, Records } from '../model/records.ts'
import type { Event, FieldValues, Press, Request } from '../model/request.ts'
import type { Actor, AskedIn, Person, Place } from '../model/roles.ts'
import type { Language, Sentence, Words } from '../model/words.ts'
import type { IsKnownSecret } from '../text/redact.ts'
import { asText } from '../words/render.ts'
import type { Audit } from './audit.ts'
import type { Readings, Watch } from './metrics.ts'
import type { Outcome, Platform } from './platform.ts'
import type { EndpointMemory, Groups, Memory, ReconcileStore } from './request-store.ts'

/** Wall clock in ms since 1970 (UTC), and one that never jumps. The sandbox can move the first. */
export interface Clock {
  now(): number
  monotonic(): number
}

/** How old a look-up may be, else a minute. `recent`: people now, groups and channels within 15 s. `fresh`: all now. */
export type Freshness = 'recent' | 'fresh'

/** Who somebody is and where something is, looked up at the chat. Null: it could not be found out, so refuse. */
export interface People {
  /**
   * Somebody by the one name that we know them by, from whichever workspace of the home organisation they act. Under two
   * names they could approve their own request, so a failed look-up is null. No look-up but on an Enterprise Grid.
   */
  known(actor: Actor): Promise<Actor | null>
  who(actor: Actor, sure?: Freshness): Promise<Person | null>
  /** The channel as it is to somebody: to those who are not in a private channel it is no place at all. */
  where(place: Place, actor: Actor, sure?: Freshness): Promise<AskedIn | null>
  /** The IANA time zone somebody lives in, as the chat knows it. */
  zoneOf(actor: Actor): Promise<string | null>
  /** What somebody reads, as far as it is a language of ours. */
  languageOf(user: string): Promise<Language | null>
  /** What the chat calls somebody, first the name by which they are shown. */
  readonly namesOf: (user: string) => Promise<readonly string[] | null>
}

/** Why the storage took nothing. */
export type Unstored = 'away' | 'slow' | 'full' | 'readonly' | 'changing' | 'disk' | 'locked' | 'refused'

/** What a door answers once it has tried to store what came in. */
export type Received =
  | { readonly kind: 'stored'; readonly workers: boolean }
  /** The same delivery came before. */
  | { readonly kind: 'known'; readonly workers: boolean }
  | { readonly kind: 'nothing'; readonly why: Unstored }
  /** The request it belongs to is no longer remembered. */
  | { readonly kind: 'gone' }
  /** Nothing was stored: the person, the project or, within an hour, a program hands in too much, or storage is nearly full. */
  | { readonly kind: 'refused'; readonly why: 'person' | 'project' | 'hour' | 'storage' }
  /** It may or may not have been stored: only the reply was lost. */
  | { readonly kind: 'perhaps' }

/** A request as one worker holds it, under a lease no other worker has. */
export interface ClaimedRequest {
  readonly request: Request
  /** The operation that its line asks for, parsed at the first use and kept. Throws Newer. */
  readonly command: Command<Operation>
  /** The query that its line asks for, parsed at the first use and kept. Throws Newer. */
  readonly query: Command<Query>
  readonly presses: readonly Press[]
  /** What the chat remembers of its own messages about this request; opaque here. */
  readonly posts: string | null
  /** Counts the moves. */
  readonly version: number
  /** How often it was claimed without being released: a request that kills its workers shows here. */
  readonly starts: number
  /** Monotonic ms until which nobody else can hold it. */
  readonly until: () => number
  /** Saves the next state, its history and what was answered in one write. Throws LeaseLost when it is no longer ours. */
  move(next: Request, events: readonly Event[], options?: MoveOptions): Promise<Moved>
  /** `later`: together with what is saved next, or with its release. It is lost if this process dies before. */
  savePosts(posts: string, when?: 'later'): Promise<void>
  /** Runs after each move, with what it has added to the history. */
  watch(listener: (events: readonly Event[]) => void): void
  /** Releases it until `at` (ms; null: for good). False: something came in meanwhile; `refresh` and go on. */
  release(at: number | null): Promise<boolean>
  refresh(): Promise<void>
  /** Gives it back at once as it is, for a newer process to claim. */
  leave(): Promise<void>
  /** Lets the lease lapse by itself: whoever comes next takes it from here. */
  abandon(): void
}

export interface MoveOptions {
  /** `take`: hold the endpoint from now on; `drop`: let it go. */
  readonly lock?: 'take' | 'drop'
  /** How many of the presses this move has answered. */
  readonly answered?: number
  /** What happened was done by somebody without any role: it stands in no history, and waits to be counted. */
  readonly stranger?: boolean
  /** It leaves no entry in the audit. */
  readonly unaudited?: boolean
  readonly change?: Change
  /** It was planned on these, as `records()` gave them out: nothing is moved once they have changed. */
  readonly records?: Records
  /** It asks about a program's proposal, with what `proposals()` said before: nothing is moved once that has changed. */
  readonly proposals?: number
}

/** `outdated`: what it was planned on has changed, and nothing was written. */
export type Moved = { readonly kind: 'moved' | 'outdated' } | { readonly kind: 'taken'; readonly by: string }

/** Thrown when another worker holds the request now: whatever we were doing is theirs. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** A start cannot succeed before a person changes something. The message says what. */
export class Misconfigured extends Error {
  override readonly name = 'Misconfigured'
}

/** What is stored is not what was stored: nothing may be done on it. */
export class Tampered extends Error {
  override readonly name = 'Tampered'
  readonly says: Sentence
  constructor(says: Sentence) {
    super(asText(says, 'en'))
    this.says = says
  }
}

/** The truth of one project. Throws Tampered for what this product has not written, and Newer for an unknown format. */
export interface Store extends Memory, EndpointMemory, ReconcileStore, Readings, Groups {
  receive(request: Request, replyUrl: string | undefined): Promise<Received>
  press(press: Press, replyUrl: string | undefined): Promise<Received>
  /** Null when there is none, or somebody else holds it (who then looks again). Throws Unproven and Newer. */
  claim(id: string): Promise<ClaimedRequest | null>
  load(id: string): Promise<Request | null>
  /** What the chat remembers of its messages about a request; opaque here. */
  readonly postsOf: (id: string) => Promise<string | null>
  /** Where an answer to a delivery can be sent, while Slack takes one. */
  readonly replyUrlOf: (id: string) => Promise<string | null>
  /** Ids that should have been looked at by now; each is given to one caller and not again for some seconds. */
  due(now: number, most: number, except?: readonly string[]): Promise<readonly string[]>
  /** Operations that are not over, the longest waiting first. */
  readonly open: () => Promise<readonly Request[]>
  /** How many proposals of programs people have been asked about so far. */
  readonly proposals: () => Promise<number>
  /** What people have laid down: protections, freezes, stand-ins. `all`: read and checked, not only their root. */
  records(all?: 'all'): Promise<Records>
  /** Changes records outside any request, with entries in the audit. */
  write(change: Change, events: readonly Event[]): Promise<void>
  readonly audit: Audit
  /** The name of the scale's field that the platform asked for when it refused ours. */
  hint(field?: string): Promise<string | null>
  /** Endpoints as last listed, for names only. */
  names(): Promise<{ readonly at: number; readonly endpoints: readonly Endpoint[] } | null>
  /** What a request has just read of one of them. */
  rememberState(id: string, active: boolean | null): Promise<void>
  rememberNames(endpoints: readonly Endpoint[], at: number): Promise<void>
}

/** Wakes a worker up; may fail, repeat, or come late. The sweep makes up for it. */
export interface Queue {
  wake(request: Pick<Request, 'id' | 'kind'>, attempt: string, delayMs?: number): Promise<void>
}

/** Shows a request as it now stands, wherever people read. The result says when to try again, ms, if anything is left. */
export interface Notifier {
  show(held: ClaimedRequest): Promise<ShowResult>
  /** Since when its card certainly stands where people read, by the chat's clock, ms since 1970; null: it may not. */
  toldAt(held: ClaimedRequest): number | null
}

export interface ShowResult {
  readonly again: number | null
  /** The card cannot be posted where people would have to answer it: why, and what to do. */
  readonly unpostable?: Words
}

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Everything the lifecycle of one project's requests needs. */
export interface Services {
  readonly project: string
  readonly commands: Commands
  /** As the file says now; it may change between two calls. */
  readonly policy: () => Policy
  /** Where people are told of what has no other place. */
  readonly operationsChannel: () => string | undefined
  readonly watch: Watch
  /** How an endpoint is used, as last looked; null where nobody has looked. */
  readonly reading: (endpoint: string) => Promise<Reading | null>
  /** Has the rules looked through soon: something about them has changed. */
  readonly soon: () => void
  readonly store: Store
  readonly queue: Queue
  /** Null without LAMPLIGHTER_KEY. */
  readonly seals: Seals | null
  readonly tokens: TokenSecrets
  readonly platform: Platform
  readonly people: People
  readonly notifier: Notifier
  readonly announce: Announce
  /** Everything that can be looked over, seen from a place. */
  readonly checks: (place: Place) => Promise<readonly Check[]>
  readonly clock: Clock
  readonly log: Log
  readonly left: LeftToNewer
}

/** What this process leaves to newer ones, and would only give back again. */
export interface LeftToNewer {
  /** Said in the log once for each thing that this process does not know, then counted. */
  note(id: string, why: Newer): void
  /** Ids that this process should not look at now. */
  readonly resting: () => readonly string[]
  /** What was left, and why, in sentences; null: nothing. */
  readonly says: () => string | null
}

/** Posts paragraphs in the operations channel, in place of `over`. Never throws; tries on. Returns where they stand. */
export type Announce = (
  paragraphs: readonly Words[],
  offers?: readonly Offer[],
  over?: AnnouncementPlace,
) => Promise<AnnouncementPlace | undefined>

export interface AnnouncementPlace {
  readonly channel: string
  readonly ts: string
}

export interface SealedEntry {
  readonly key: string
  readonly value: string
}

/** What a seal is bound to: it opens nowhere else. */
export interface Bound {
  readonly request: string
  readonly endpoint: string
  readonly actor: Actor
  readonly field: string
}

/** Secret values on their way from a form to a call. */
export interface Seals {
  /** `life`: ms after which they are thrown away at the latest. False where others are there already: those stay. */
  seal(of: Bound, entries: readonly SealedEntry[], life: number): Promise<boolean>
  /** Null when it is gone, or was made for something else. */
  open(of: Bound): Promise<readonly SealedEntry[] | null>
  /** Values are thrown away as soon as nothing can need them any more. */
  forget(request: string, field: string): Promise<void>
  /** Tells a value that was once sealed, by its digest alone. */
  known(): Promise<IsKnownSecret>
}

/** Secrets of tokens follow from LAMPLIGHTER_KEY and the request that makes the token, so none has to be stored. */
export interface TokenSecrets {
  /** What a program shows. Null without LAMPLIGHTER_KEY. */
  secretOf(request: string): string | null
  /** SHA-256 of that, in base64url. */
  digestOf(request: string): string | null
}

/** What a rule would come to. */
export type FormPreview =
  | {
      readonly kind: 'rule'
      readonly name: string
      readonly means: readonly Words[]
      readonly outlooks: readonly DailyPreview[]
    }
  /** `field`: where it is mended, if that is known. `listed`: as the endpoint was last listed, which may have changed. */
  | { readonly kind: 'wrong'; readonly says: Words; readonly field?: string; readonly listed?: true }

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
  | { readonly kind: 'none'; readonly says: Words; readonly offers: readonly Offer[] }
