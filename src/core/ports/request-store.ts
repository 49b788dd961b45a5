import type { Prices } from '../model/automation.ts'
import type { Settings } from '../model/endpoint.ts'
import type { LateCall } from '../model/plan.ts'
import type { ReconcileState } from '../model/records.ts'
import type { Event, Request } from '../model/request.ts'

/** What the platform's own list says, as it was last read. */
export interface ListedPrices {
  /** Null where it was never read. */
  readonly prices: () => Promise<Prices | null>
  readonly rememberPrices: (prices: Prices) => Promise<void>
}

/** Which report was told last, by the date of its Monday; null: none was ever due. */
export interface Reports {
  readonly newest: () => Promise<string | null>
  readonly note: (monday: string) => Promise<void>
}

/** A group as one worker holds it to show it. */
export interface HeldGroup {
  /** In the order in which they came in. */
  readonly requests: readonly Request[]
  /** What the chat remembers of the message that they share; opaque here. */
  readonly posts: string | null
  /** Throws LeaseLost when it is no longer ours. */
  savePosts(posts: string): Promise<void>
  release(): Promise<void>
}

/** What rules do at one time is shown in one message. */
export interface Groups {
  /** Adds a request to those of this name; answers its group, which is another once one is full. */
  joinGroup(name: string, id: string): Promise<string>
  /** Null while somebody else shows it. */
  readonly holdGroup: (group: string) => Promise<HeldGroup | null>
}

/** What is kept of requests once they are over, and of answers too long for a message. */
export interface Memory extends ListedPrices {
  /** Operations that ended since then (ms since 1970), newest first, after the first `skip`; whether there are `more`. */
  past(since: number, skip: number, most: number): Promise<{ requests: readonly Request[]; more: boolean }>
  /** The last operations on an endpoint that were planned and not refused, newest first: ten at most. */
  recentOn(endpoint: string): Promise<readonly Request[]>
  /** Everything that happened to a request, oldest first. */
  eventsOf(id: string): Promise<readonly Event[]>
  /** Texts too long for a message, kept beside the answer they belong to until they are sent. */
  keepFiles(id: string, texts: readonly string[]): Promise<void>
  /** Null when it is gone. `at` counts from 0. */
  readonly fileOf: (id: string, at: number) => Promise<string | null>
}

/** What is remembered of each endpoint. */
export interface EndpointMemory {
  /** The request that has its lock. */
  readonly holderOf: (endpoint: string) => Promise<string | null>
  /** The newest request that was carried out on an endpoint. */
  lastDone(endpoint: string): Promise<Request | null>
  /** An endpoint's settings as its last patch answered them: they can be read nowhere else. */
  settingsOf(endpoint: string): Promise<Settings | null>
  rememberSettings(settings: Settings): Promise<void>
  forgetSettings(endpoint: string): Promise<void>
  /** The start or stop of unknown outcome that may still arrive at an endpoint; it may be over by now. */
  readonly lateOf: (endpoint: string) => Promise<LateCall | null>
  rememberLate(endpoint: string, late: LateCall): Promise<void>
}

/** The reconcile states of rules, kept from look to look; they decide nothing that the requests' own ids do not hold. */
export interface ReconcileStore {
  /** By endpoint; of an owner, or of an endpoint that is gone, by what was told about them; of the last look. */
  reconcileStates(): Promise<ReadonlyMap<string, ReconcileState>>
  /** Null forgets. */
  noteReconcileStates(changes: ReadonlyMap<string, ReconcileState | null>): Promise<void>
  /** Whether this process has the turn to look; others wait `life` ms, or until it is given back. */
  takeTurn(what: 'rules' | 'watch' | 'events', life: number): Promise<(() => Promise<void>) | null>
}
