import type { Command, Commands } from '../commands/commands.ts'
import type { Operation, Query } from '../commands/define.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Newer } from '../model/formats.ts'
import type { Policy } from '../model/policy.ts'
import type { Check, Offer } from '../model/query-answer.ts'
import type { DailyPreview } from '../model/question.ts'
import type { Reading } from '../model/reading.ts'
import type { Change, Records } from '../model/records.ts'
import type { Event, FieldValues, Press, Request } from '../model/request.ts'
import type { Actor, AskedIn, Person, Place } from '../model/roles.ts'
import type { Language, Sentence, Words } from '../model/words.ts'
import type { IsKnownSecret } from '../text/redact.ts'
import { asText } from '../words/render.ts'
import type { Audit } from './audit.ts'
import type { Readings, Watch } from './endpoint-use.ts'
import type { Outcome, Platform } from './platform.ts'
import type { EndpointMemory, Groups, Memory, ReconcileStore } from './request-store.ts'

/** Wall clock in ms since 1970 (UTC), and a monotonic clock. The sandbox can move the wall clock. */
export interface Clock {
  now(): number
  monotonic(): number
}

/** The maximum age of a lookup, a minute by default. `recent`: people now, the rest within 15 s. `fresh`: all now. */
export type Freshness = 'recent' | 'fresh'

/** Looks up people and channels in the chat. Null: the lookup failed, so refuse. */
export interface People {
  /**
   * Returns the single identity of a person, from any workspace of the home organization. With two identities, people
   * could approve their own requests, so a failed lookup returns null. Needs a lookup only on an Enterprise Grid.
   */
  known(actor: Actor): Promise<Actor | null>
  who(actor: Actor, sure?: Freshness): Promise<Person | null>
  /** Returns the channel as this person sees it. A private channel counts as no place for people who are not in it. */
  where(place: Place, actor: Actor, sure?: Freshness): Promise<AskedIn | null>
  /** Returns the person's IANA time zone, as the chat knows it. */
  zoneOf(actor: Actor): Promise<string | null>
  /** Returns the person's language, if it is one of ours. */
  languageOf(user: string): Promise<Language | null>
  /** Returns the chat's names of a person, the display name first. */
  readonly namesOf: (user: string) => Promise<readonly string[] | null>
}

/** Why the storage stored nothing. */
export type Unstored = 'away' | 'slow' | 'full' | 'readonly' | 'changing' | 'disk' | 'locked' | 'refused'

export type Received =
  | { readonly kind: 'stored'; readonly workers: boolean }
  /** The same delivery came before. */
  | { readonly kind: 'known'; readonly workers: boolean }
  | { readonly kind: 'nothing'; readonly why: Unstored }
  /** The request that it answers is no longer stored. */
  | { readonly kind: 'gone' }
  /** Not stored: the person, project or program (`hour`: within an hour) sent too much, or storage is nearly full. */
  | { readonly kind: 'refused'; readonly why: 'person' | 'project' | 'hour' | 'storage' }
  /** It may or may not have been stored: only the reply was lost. */
  | { readonly kind: 'perhaps' }

/** A request that one worker has claimed, under a lease that no other worker has. */
export interface ClaimedRequest {
  readonly request: Request
  /** The operation of its line, parsed on first use and kept. Throws Newer. */
  readonly command: Command<Operation>
  /** The query of its line, parsed on first use and kept. Throws Newer. */
  readonly query: Command<Query>
  readonly presses: readonly Press[]
  /** The chat's own data about its messages for this request; opaque here. */
  readonly posts: string | null
  /** Counts the moves. */
  readonly version: number
  /** Claims without a release so far, which reveals a request that kills its workers. */
  readonly starts: number
  /** Until when no other worker can claim it, monotonic ms. */
  readonly until: () => number
  /** Saves the next state, its history and the answered presses in one write. Throws LeaseLost if the lease is gone. */
  move(next: Request, events: readonly Event[], options?: MoveOptions): Promise<Moved>
  /** Saves the chat's data. `later`: with the next save or the release, so a crash before that loses them. */
  savePosts(posts: string, when?: 'later'): Promise<void>
  /** Calls the listener after each move. */
  watch(listener: () => void): void
  /** Releases the request until `at` (ms; null: for good). False: something came in, so `refresh` and continue. */
  release(at: number | null): Promise<boolean>
  refresh(): Promise<void>
  /** Returns the request unchanged at once, so that a newer process can claim it. */
  leave(): Promise<void>
  /** Lets the lease expire, so that the next worker continues from here. */
  abandon(): void
}

export interface MoveOptions {
  /** `take`: lock the endpoint; `drop`: unlock it; `free`: write nothing if another request has locked it. */
  readonly lock?: 'take' | 'drop' | 'free'
  /** How many of the presses this move answers. */
  readonly answered?: number
  /** The actor has no role: the move is counted instead of appearing in the history. */
  readonly stranger?: boolean
  /** Writes no audit entry. */
  readonly unaudited?: boolean
  readonly change?: Change
  /** The records of the plan, as `records()` returned them. If they have changed, nothing is written. */
  readonly records?: Records
  /** The count of `proposals()` when a program's proposal was checked. If it has changed, nothing is written. */
  readonly proposals?: number
}

/** `outdated`: the records or proposals have changed, and nothing was written. */
export type Moved = { readonly kind: 'moved' | 'outdated' } | { readonly kind: 'taken'; readonly by: string }

/** Thrown if another worker has claimed the request and continues the work. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The process cannot start until a person changes something. The message says what. */
export class Misconfigured extends Error {
  override readonly name = 'Misconfigured'
}

/** Stored data fails its check and may not be used. `all`: the project's, so no one request is to blame. */
export class Tampered extends Error {
  override readonly name = 'Tampered'
  readonly says: Sentence
  readonly of: 'one' | 'all'
  constructor(says: Sentence, of: Tampered['of'] = 'one') {
    super(asText(says, 'en'))
    this.says = says
    this.of = of
  }
}

/** One project's stored data. Throws Tampered for data that we did not write, and Newer for an unknown format. */
export interface Store extends Memory, EndpointMemory, ReconcileStore, Readings, Groups {
  receive(request: Request, replyUrl: string | undefined): Promise<Received>
  press(press: Press, replyUrl: string | undefined): Promise<Received>
  /** Returns null if there is none, or another worker has claimed it and will look again. Throws Unproven and Newer. */
  claim(id: string): Promise<ClaimedRequest | null>
  load(id: string): Promise<Request | null>
  /** Returns the chat's own data about its messages for a request; opaque here. */
  readonly postsOf: (id: string) => Promise<string | null>
  /** Returns where a delivery can be answered while Slack accepts an answer. */
  readonly replyUrlOf: (id: string) => Promise<string | null>
  /** Returns ids of requests due `until` (ms). What is due now goes to one caller, and not again for some seconds. */
  due(until: number, most: number, except?: readonly string[]): Promise<readonly string[]>
  /** Returns since when people can press, without a break of 15 s, ms since 1970; null if they can't now. */
  readonly pressableSince: () => Promise<number | null>
  /** Lists operations that have not ended, the longest waiting first. */
  readonly open: () => Promise<readonly Request[]>
  /** Returns how many proposals of programs have been put to people so far. */
  readonly proposals: () => Promise<number>
  /** Returns protections, freezes, delegations and other records. `all`: checks every record, not only the root. */
  records(all?: 'all'): Promise<Records>
  /** Changes records outside of requests, with entries in the audit. */
  write(change: Change, events: readonly Event[]): Promise<void>
  readonly audit: Audit
  /** Saves or returns the replica field's name in a scale, which the platform gave when it refused ours. */
  hint(field?: string): Promise<string | null>
  /** Returns endpoints as last listed, for names only. */
  names(): Promise<{ readonly at: number; readonly endpoints: readonly Endpoint[] } | null>
  /** Saves the state that a request has just read for one of them. */
  rememberState(seen: Pick<Endpoint, 'id' | 'active' | 'status'>): Promise<void>
  rememberNames(endpoints: readonly Endpoint[], at: number): Promise<void>
}

/** Wakes a worker; may fail, repeat or come late. The sweep makes up for that. */
export interface Queue {
  wake(request: Pick<Request, 'id' | 'kind'>, attempt: string, delayMs?: number): Promise<void>
}

/** Shows a request's current state to people. The result says when to try again, ms since 1970; null if all is shown. */
export interface Notifier {
  show(claim: ClaimedRequest): Promise<ShowResult>
  /** Returns since when the card is certainly visible, by the chat's clock, ms since 1970; null if it may not be. */
  toldAt(claim: ClaimedRequest): number | null
}

export interface ShowResult {
  readonly again: number | null
  /** Why the card cannot be posted where people must answer it, and what to do. */
  readonly unpostable?: Words
}

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface Services {
  readonly project: string
  readonly commands: Commands
  /** Returns the current policy, which may change between two calls. */
  readonly policy: () => Policy
  /** The channel for messages that have no other place. */
  readonly operationsChannel: () => string | undefined
  readonly watch: Watch
  /** Returns an endpoint's usage as of the last look; null before the first one. */
  readonly reading: (endpoint: string) => Promise<Reading | null>
  /** Has the rules checked soon, because something about them has changed. */
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
  /** `here`: the version of the policy file that a terminal reads, to be compared with those in use. */
  readonly checks: (place: Place, here?: string) => Promise<readonly Check[]>
  readonly clock: Clock
  readonly log: Log
  readonly left: LeftToNewer
}

/** The services that a bot has too, although only workers reach the platform. */
export type BotServices = Pick<Services, 'commands' | 'people' | 'policy' | 'store' | 'clock' | 'operationsChannel'>

/** Requests that this process leaves to a newer one, because claiming them again would be useless. */
export interface LeftToNewer {
  /** Logs each unknown format or command once, and then only counts it. */
  note(id: string, why: Newer): void
  /** Returns ids that this process should ignore for now. */
  readonly resting: () => readonly string[]
  /** Says what was left and why; null if nothing was. */
  readonly says: () => string | null
}

/** Posts paragraphs in the operations channel, or replaces `over`. Never throws; retries. Returns the place. */
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

/** What sealed values are bound to: they cannot be opened for anything else. */
export interface Bound {
  readonly request: string
  readonly endpoint: string
  readonly actor: Actor
  readonly field: string
}

export interface Seals {
  /** Keeps values for `life` ms at most. Returns false if other values are already stored, which then stay. */
  seal(of: Bound, entries: readonly SealedEntry[], life: number): Promise<boolean>
  /** Returns null if the values are gone or were sealed for something else. */
  open(of: Bound): Promise<readonly SealedEntry[] | null>
  /** Deletes the values as soon as no call can need them any more. */
  forget(request: string, field: string): Promise<void>
  /** Returns a test that recognizes sealed values by their digests. */
  known(): Promise<IsKnownSecret>
}

/** Secrets of tokens are derived from LAMPLIGHTER_KEY and the token's request, so they are never stored. */
export interface TokenSecrets {
  /** Returns the secret that a program presents, by its digest. Null without the key it was made with. */
  secretOf(request: string, digest: string): string | null
  /** Returns the SHA-256 of a new secret in base64url. Null without LAMPLIGHTER_KEY. */
  digestOf(request: string): string | null
}

export type FormPreview =
  | {
      readonly kind: 'rule'
      readonly name: string
      readonly means: readonly Words[]
      readonly outlooks: readonly DailyPreview[]
    }
  | { readonly kind: 'wrong'; readonly says: Words; readonly field?: string }

/** A query and its requester. The values were parsed by the fields of the query's row. */
export interface QueryInput {
  readonly request: Request
  readonly values: FieldValues
  /** Set if the row has a field for an endpoint. */
  readonly endpoint: Endpoint | undefined
}

export type OwnOutcome<Answer> =
  | Outcome<Answer>
  /** Nothing matches: a whole sentence, and lines that may be meant. */
  | { readonly kind: 'none'; readonly says: Words; readonly offers: readonly Offer[] }
