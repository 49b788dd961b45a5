import type { Prices } from '../model/automation.ts'
import type { Settings } from '../model/endpoint.ts'
import type { LateCall } from '../model/plan.ts'
import type { ReconcileState } from '../model/records.ts'
import type { Event, Request } from '../model/request.ts'

/** Prices as last read from the platform's own list. */
export interface ListedPrices {
  /** Returns null if the prices were never read. */
  readonly prices: () => Promise<Prices | null>
  readonly rememberPrices: (prices: Prices) => Promise<void>
}

/** The last posted weekly report, by the date of its Monday; null: none was ever due. */
export interface Reports {
  readonly newest: () => Promise<string | null>
  readonly note: (monday: string) => Promise<void>
}

/** A group that one worker has claimed to show it. */
export interface ClaimedGroup {
  /** In order of arrival. */
  readonly requests: readonly Request[]
  /** The chat's own data about the shared message; opaque here. */
  readonly posts: string | null
  /** Throws LeaseLost if another worker has claimed the group since. */
  savePosts(posts: string): Promise<void>
  release(): Promise<void>
}

/** Groups the requests that rules make at the same time, which share a message. */
export interface Groups {
  /** Adds a request to the group of this name or id. Returns the group's id, which changes when a group is full. */
  joinGroup(name: string, id: string): Promise<string>
  /** Claims a group, or one owner's requests in it, which have a message of their own. Null while another worker has it. */
  readonly claimGroup: (group: string, owner?: string) => Promise<ClaimedGroup | null>
}

/** What is kept of ended requests, and of answers too long for a message. */
export interface Memory extends ListedPrices {
  /** Lists operations that ended since then (ms since 1970), newest first, after the first `skip`. */
  past(since: number, skip: number, most: number): Promise<{ requests: readonly Request[]; more: boolean }>
  /** Lists the last operations on an endpoint that were planned and not refused, newest first, at most ten. */
  recentOn(endpoint: string): Promise<readonly Request[]>
  /** Lists the history of a request, oldest first. */
  eventsOf(id: string): Promise<readonly Event[]>
  /** Keeps texts that are too long for a message, next to their answer, until they are sent. */
  keepFiles(id: string, texts: readonly string[]): Promise<void>
  /** Returns null if the text is gone. `at` counts from 0. */
  readonly fileOf: (id: string, at: number) => Promise<string | null>
}

export interface EndpointMemory {
  /** Returns the request that has the endpoint's lock. */
  readonly holderOf: (endpoint: string) => Promise<string | null>
  /** Returns the newest request that was carried out on an endpoint. */
  lastDone(endpoint: string): Promise<Request | null>
  /** Returns an endpoint's settings from its last patch's answer, which is the only source for them. */
  settingsOf(endpoint: string): Promise<Settings | null>
  rememberSettings(settings: Settings): Promise<void>
  forgetSettings(endpoint: string): Promise<void>
  /** Returns the start or stop of unknown outcome that may still reach an endpoint. It may have arrived already. */
  readonly lateOf: (endpoint: string) => Promise<LateCall | null>
  rememberLate(endpoint: string, late: LateCall): Promise<void>
}

/** The reconcile states of rules between two checks. They may be lost, because request ids prevent duplicates. */
export interface ReconcileStore {
  /** By endpoint; also for each owner or removed endpoint that was reported, and for the last check. */
  reconcileStates(): Promise<ReadonlyMap<string, ReconcileState>>
  /** Saves states; null deletes one. */
  noteReconcileStates(changes: ReadonlyMap<string, ReconcileState | null>): Promise<void>
  /** Takes the turn to check for `life` ms, or until the result is called. Null if another process has it. */
  takeTurn(what: 'rules' | 'watch' | 'events', life: number): Promise<(() => Promise<void>) | null>
}
